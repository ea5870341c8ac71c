import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";

type Page<T> = { data: T[]; has_more: boolean };
type Asked = { limit: string; after?: string };

const pageSize = "50";

/** A cursor-paged list as one list that grows: its rows, what the table's button for more needs, and how it went wrong. */
export function usePaged<T, P extends Page<T> = Page<T>>(
  queryKey: QueryKey,
  ask: (query: Asked) => Promise<P & Page<T>>,
  cursorOf: (row: T) => string,
  options: { refetchInterval?: number; enabled?: boolean } = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => ask({ limit: pageSize, ...(pageParam !== "" && { after: pageParam }) }),
    initialPageParam: "",
    getNextPageParam({ data, has_more: hasMore }) {
      const last = data.at(-1);
      return hasMore && last !== undefined ? cursorOf(last) : undefined;
    },
    ...options,
  });
  return {
    /** What came with the first rows. */
    first: query.data?.pages[0],
    rows: query.data?.pages.flatMap(({ data }) => data),
    more: query.hasNextPage ? { onMore: () => void query.fetchNextPage(), busy: query.isFetchingNextPage } : null,
    error: query.data === undefined ? query.error : null,
    refetch: () => void query.refetch(),
  };
}
