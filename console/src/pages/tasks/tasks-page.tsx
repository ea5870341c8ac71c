import { useMemo } from "react";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Attention } from "./attention-panel.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { useLivingList } from "./living-list.ts";
import { isFiltered, noFilters, queryOf, useTaskFilters, type TaskFilters } from "./task-filters.ts";
import { taskRowOf, type TaskRow } from "./task-row.ts";
import { TaskTable } from "./task-table.tsx";
import "./tasks.css";
import { Nothing } from "./nothing.tsx";

/** All tasks as they come and go: the account's own, or everybody's for staff. */
export function TasksPage() {
  const { isStaff, accounts } = useSeat();
  const { filters, change } = useTaskFilters();
  const list = useTaskList(filters);
  return (
    <Page title={t("tasks.title")} actions={<Live isLive={list.isLive} />}>
      {isStaff && <Attention />}
      <FilterBar
        filters={filters}
        change={change}
        also={accounts.length > 1 ? ["status", "account"] : ["status"]}
        seenModels={list.models}
      />
      <Listed list={list} filters={filters} onClear={() => change(noFilters)} />
    </Page>
  );
}

const pollMs = 2000;
/** Looking for words reads far more rows than the newest do. */
const wordsPollMs = 10_000;

function useTaskList(filters: TaskFilters) {
  const { isStaff, account } = useSeat();
  const list = useLivingList({
    key: ["tasks", isStaff ? "all" : account?.id, filters],
    ask: (page) => {
      const query = { ...queryOf(filters, Date.now()), ...page };
      if (!isStaff) return read(client.GET("/v1/tasks", { params: { query } }));
      return read(client.GET("/admin/v1/tasks", { params: { query: { ...query, ...(filters.account && { account: filters.account }) } } }));
    },
    rowOf: taskRowOf,
    pollMs: filters.q === "" ? pollMs : wordsPollMs,
  });
  return { ...list, models: useSeenModels(list.rows) };
}

const looked = 2000;

function useSeenModels(rows: readonly TaskRow[] | undefined): readonly string[] {
  const names = [...new Set((rows ?? []).slice(0, looked).map(({ model }) => model))].filter(Boolean).join("\n");
  return useMemo(() => (names === "" ? [] : names.split("\n")), [names]);
}

function Listed({ list, filters, onClear }: { list: ReturnType<typeof useTaskList>; filters: TaskFilters; onClear: () => void }) {
  const { accounts } = useSeat();
  const names = useMemo(() => (accounts.length > 1 ? new Map(accounts.map(({ id, name }) => [id, name])) : null), [accounts]);
  if (list.error !== null) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.rows?.length === 0) {
    return <Nothing onClear={isFiltered(filters) ? onClear : null} title={t("tasks.none")} hint={t("tasks.noneHint")} icon="tasks" />;
  }
  return (
    <div>
      <div className="tasks-new" aria-live="polite">
        {list.waiting > 0 && (
          <Button size="s" variant="primary" onClick={() => scrollTo({ top: 0 })}>
            {t("tasks.new", { n: list.waiting })}
          </Button>
        )}
      </div>
      <TaskTable
        rows={list.rows}
        accounts={names}
        hasMore={list.hasMore && list.moreError === null}
        isLoadingMore={list.isLoadingMore}
        onMore={list.loadMore}
        onAway={list.hold}
        foot={list.moreError !== null && <ErrorState error={list.moreError} onRetry={list.loadMore} />}
      />
    </div>
  );
}

function Live({ isLive }: { isLive: boolean }) {
  return <span className={isLive ? "tasks-live" : "tasks-live tasks-live--lost"}>{isLive ? t("tasks.live") : t("tasks.lost")}</span>;
}
