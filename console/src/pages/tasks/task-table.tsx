import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, type ReactNode } from "react";
import { Link } from "wouter";
import { t } from "../../i18n/translate.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { formatDuration, Money, Time } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Progress, Skeleton, Spinner } from "../../ui/progress.tsx";
import { kindIcon, kindName } from "../task/task-words.ts";
import type { TaskRow } from "./task-row.ts";
import { usePlace } from "./window-list.ts";

type TaskTableProps = {
  rows: readonly TaskRow[] | undefined;
  /** The names of accounts by id; null leaves their column out. */
  accounts: ReadonlyMap<string, string> | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
  /** Told whether the reader has left the top. */
  onAway: (isAway: boolean) => void;
  foot?: ReactNode;
};

const wide = { rowHeight: 48, narrowest: 640 };
const narrowRow = 76;
const ahead = 60;

/** Tasks as a table of any length: only the rows in sight are drawn. */
export function TaskTable({ rows, accounts, hasMore, isLoadingMore, onMore, onAway, foot }: TaskTableProps) {
  const { element, top, width } = usePlace<HTMLTableSectionElement>();
  const rowHeight = width >= wide.narrowest ? wide.rowHeight : narrowRow;
  const count = rows?.length ?? 0;
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoises this
  const virtual = useWindowVirtualizer({ count, estimateSize: () => rowHeight, overscan: 14, scrollMargin: top });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isAway = (virtual.scrollOffset ?? 0) > top;
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= count - ahead) onMore();
  }, [hasMore, isLoadingMore, last, count, onMore]);
  useEffect(() => onAway(isAway), [isAway, onAway]);
  return (
    <div className="card card--flush tasks-card">
      <table
        className={accounts === null ? "tasks-table" : "tasks-table tasks-table--accounts"}
        aria-rowcount={hasMore ? -1 : count + 1}
        aria-busy={rows === undefined || undefined}
      >
        <caption className="visually-hidden">{t("tasks.title")}</caption>
        <Head hasAccounts={accounts !== null} />
        <tbody ref={element} style={rows && { height: `${virtual.getTotalSize()}px` }}>
          {rows === undefined && [1, 2, 3, 4, 5, 6].map((line) => <Waiting key={line} />)}
          {shown.map(({ index, start }) => {
            const row = rows?.[index];
            return row && <Line key={row.id} row={row} index={index} y={start - top} accounts={accounts} />;
          })}
        </tbody>
      </table>
      {isLoadingMore && (
        <div className="tasks-card__foot">
          <Spinner label={t("ui.loading")} />
        </div>
      )}
      {foot}
    </div>
  );
}

function Head({ hasAccounts }: { hasAccounts: boolean }) {
  return (
    <thead>
      <tr className="tasks-row tasks-row--head" aria-rowindex={1}>
        <th scope="col">{t("tasks.task")}</th>
        <th scope="col">{t("tasks.status")}</th>
        <th scope="col">{t("tasks.model")}</th>
        {hasAccounts && <th scope="col">{t("tasks.account")}</th>}
        <th scope="col" className="tasks-row__end">
          {t("tasks.cost")}
        </th>
        <th scope="col" className="tasks-row__end">
          {t("tasks.took")}
        </th>
        <th scope="col" className="tasks-row__end">
          {t("tasks.created")}
        </th>
      </tr>
    </thead>
  );
}

function Waiting() {
  return (
    <tr className="tasks-row">
      <td>
        <Skeleton />
      </td>
    </tr>
  );
}

type LineProps = { row: TaskRow; index: number; y: number; accounts: ReadonlyMap<string, string> | null };

/** Drawn once: scrolling moves the window, not the lines. */
const Line = memo(function Line({ row, index, y, accounts }: LineProps) {
  const took = row.finishedAt === null ? null : row.finishedAt - row.createdAt;
  return (
    <tr className="tasks-row tasks-row--placed" aria-rowindex={index + 2} style={{ transform: `translateY(${y}px)` }}>
      <td className="tasks-row__name">
        <span className="tasks-row__icon" title={kindName(row.kind)}>
          <Icon name={kindIcon(row.kind)} />
          <span className="visually-hidden">{kindName(row.kind)}</span>
        </span>
        <span className="tasks-row__words">
          <Link href={`/tasks/${row.id}`} className="tasks-row__link truncate" title={row.name}>
            {row.name}
          </Link>
          {row.error !== "" && (
            <span className="tasks-row__error truncate" title={row.error}>
              {row.error}
            </span>
          )}
        </span>
      </td>
      <td className="tasks-row__status">
        <StatusBadge status={row.status} />
        {row.status === "IN_PROGRESS" && <Progress value={row.progress} label={t("tasks.progress", { n: row.progress })} />}
      </td>
      <td className="tasks-row__model truncate" title={row.model}>
        {row.model}
      </td>
      {accounts && <td className="tasks-row__account truncate">{accounts.get(row.account) ?? row.account}</td>}
      <td className="tasks-row__end tasks-row__cost">
        {row.finishedAt === null ? <span className="muted">–</span> : <Money usd={row.costUsd} />}
      </td>
      <td className="tasks-row__end tasks-row__took number">
        {took === null ? <span className="muted">–</span> : took < 1 ? "< 1 s" : formatDuration(took)}
      </td>
      <td className="tasks-row__end tasks-row__created">
        <Time at={row.createdAt} />
      </td>
    </tr>
  );
});
