import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { joined, newerThan, refreshed, type Rows } from "./living-rows.ts";

type Asked = { limit: string; after?: string };
type Data<Row> = InfiniteData<Rows<Row>, string>;

type Living<Wire, Row> = {
  key: readonly unknown[];
  ask: (query: Asked) => Promise<{ data: Wire[]; has_more: boolean }>;
  /** What is kept of each: little, for there may be a hundred thousand. */
  rowOf: (wire: Wire) => Row;
  pollMs: number;
  enabled?: boolean;
};

const pageSize = 100;
const headSize = 40;
/** What takes long is asked more seldom: looking must not be what keeps the service busy. */
const restFactor = 10;

/**
 * A list, newest first, that grows by its cursor and whose first rows are asked again and again while somebody looks.
 * Rows that are new wait while the reader is further down, so that nothing moves under the eye.
 */
export function useLivingList<Wire, Row extends { id: string }>({ key, ask, rowOf, pollMs, enabled = true }: Living<Wire, Row>) {
  const cache = useQueryClient();
  const listKey = useStable(["living", ...key]);
  const load = async (limit: number, after: string): Promise<Rows<Row>> => {
    const { data, has_more: hasMore } = await ask({ limit: String(limit), ...(after !== "" && { after }) });
    return { rows: data.map(rowOf), hasMore };
  };
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam }) => load(pageSize, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ rows, hasMore }: Rows<Row>) => (hasMore ? rows.at(-1)?.id : undefined),
    // With so many rows, comparing each with what it was would take longer than drawing.
    structuralSharing: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled,
  });
  const { fetchNextPage, refetch } = list;
  const head = useHead<Row>(listKey, () => load(headSize, ""), pollMs, enabled && list.isSuccess);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows), [list.data]);
  return {
    ...head,
    rows,
    error: list.data === undefined ? list.error : null,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    moreError: list.isFetchNextPageError ? list.error : null,
    // What is already asked for is waited for, and not asked for again.
    loadMore: useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]),
    retry: useCallback(() => void refetch(), [refetch]),
    drop: useCallback((id: string) => dropRow<Row>(cache, listKey, id), [cache, listKey]),
  };
}

/** Asks for the first rows again and again, and puts them into the list. */
function useHead<Row extends { id: string }>(
  listKey: readonly unknown[],
  load: () => Promise<Rows<Row>>,
  pollMs: number,
  enabled: boolean,
) {
  const cache = useQueryClient();
  const [waiting, setWaiting] = useState(0);
  const isHolding = useRef(false);
  const query = useQuery({
    queryKey: ["head", ...listKey],
    queryFn: async () => {
      const from = performance.now();
      setWaiting(takeHead(cache, listKey, await load(), isHolding.current));
      return { tookMs: performance.now() - from };
    },
    refetchInterval: ({ state: { data } }) => Math.max(pollMs, (data?.tookMs ?? 0) * restFactor),
    staleTime: 0,
    retry: false,
    enabled,
  });
  /** Whether new rows shall wait, because the reader is not at the top. */
  const hold = useCallback(
    (isHeld: boolean) => {
      const isFreed = isHolding.current && !isHeld;
      isHolding.current = isHeld;
      if (isFreed) void cache.invalidateQueries({ queryKey: ["head", ...listKey] });
    },
    [cache, listKey],
  );
  return { isLive: !query.isError, waiting, hold };
}

/** Puts the first rows into the list; tells how many new ones are held back. */
function takeHead<Row extends { id: string }>(cache: QueryClient, key: readonly unknown[], head: Rows<Row>, hold: boolean): number {
  const old = cache.getQueryData<Data<Row>>(key);
  if (old === undefined) return 0;
  const rows = old.pages.flatMap((page) => page.rows);
  const merged = hold ? refreshed(rows, head.rows) : joined(rows, head);
  if (merged !== rows) {
    const isEnd = !hold && merged.at(-1)?.id === head.rows.at(-1)?.id;
    const hasMore = isEnd ? head.hasMore : (old.pages.at(-1)?.hasMore ?? false);
    cache.setQueryData<Data<Row>>(key, { pages: [{ rows: merged, hasMore }], pageParams: [""] });
  }
  return hold ? newerThan(rows[0]?.id, head.rows) : 0;
}

function dropRow<Row extends { id: string }>(cache: QueryClient, key: readonly unknown[], id: string): void {
  cache.setQueryData<Data<Row>>(
    key,
    (old) => old && { ...old, pages: old.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id) })) },
  );
}

/** The same key as long as it says the same. */
function useStable(key: readonly unknown[]): readonly unknown[] {
  const text = JSON.stringify(key);
  return useMemo((): readonly unknown[] => JSON.parse(text), [text]);
}
