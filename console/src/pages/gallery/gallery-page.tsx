import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Page } from "../../ui/page.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { FilterBar } from "../tasks/filter-bar.tsx";
import { useLivingList } from "../tasks/living-list.ts";
import { isFiltered, noFilters, queryOf, useTaskFilters } from "../tasks/task-filters.ts";
import { GalleryDetail } from "./gallery-detail.tsx";
import { galleryItemOf } from "./gallery-item.ts";
import { Masonry } from "./masonry.tsx";
import "./gallery.css";
import { Nothing } from "../tasks/nothing.tsx";

const pollMs = 8000;

/** Everything that the account has made. */
export function GalleryPage() {
  const { account } = useSeat();
  const { filters, change } = useTaskFilters();
  const [opened, open] = useOpened();
  const list = useLivingList({
    key: ["gallery", account?.id, { ...filters, status: "", account: "" }],
    ask: (page) => read(client.GET("/v1/tasks", { params: { query: { ...queryOf(filters, Date.now()), status: "SUCCESS", ...page } } })),
    rowOf: galleryItemOf,
    pollMs,
    enabled: account !== null,
  });
  const { rows } = list;
  const models = useMemo(() => [...new Set((rows ?? []).slice(0, 1000).map(({ model }) => model))].filter(Boolean), [rows]);
  return (
    <Page title={t("gallery.title")}>
      <FilterBar filters={filters} change={change} also={[]} seenModels={models} />
      {list.error !== null && <ErrorState error={list.error} onRetry={list.retry} />}
      {rows?.length === 0 && (
        <Nothing
          onClear={isFiltered(filters) ? () => change(noFilters) : null}
          title={t("gallery.none")}
          hint={t("gallery.noneHint")}
          icon="gallery"
        />
      )}
      {list.error === null && rows?.length !== 0 && (
        <section aria-label={t("gallery.made")}>
          <Masonry
            items={account === null ? [] : rows}
            hasMore={list.hasMore && list.moreError === null}
            isLoadingMore={list.isLoadingMore}
            onMore={list.loadMore}
            onOpen={open}
            onAway={list.hold}
          />
        </section>
      )}
      {list.moreError !== null && <ErrorState error={list.moreError} onRetry={list.loadMore} />}
      {opened !== "" && (
        <GalleryDetail
          key={opened}
          id={opened}
          order={rows ?? []}
          onOpen={open}
          onClose={() => open("")}
          onDeleted={() => list.drop(opened)}
        />
      )}
    </Page>
  );
}

/** What is open is part of the address: it can be linked to, and going back closes it. */
function useOpened(): [string, (id: string) => void] {
  const [params, setParams] = useSearchParams();
  const opened = params.get("task") ?? "";
  const open = useCallback(
    (id: string) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          if (id === "") next.delete("task");
          else next.set("task", id);
          return next;
        },
        { replace: id === "" },
      ),
    [setParams],
  );
  return [opened, open];
}
