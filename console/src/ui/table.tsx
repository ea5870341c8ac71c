import type { ReactNode } from "react";
import { t } from "../i18n/translate.ts";
import { Button } from "./button.tsx";
import { Skeleton } from "./progress.tsx";

/** One column: `align: "end"` for numbers; `hide: "narrow"` leaves it out on phones. */
export type Column<R> = {
  key: string;
  head: ReactNode;
  cell: (row: R) => ReactNode;
  align?: "start" | "end";
  hide?: "narrow";
  width?: string;
};

type TableProps<R> = {
  caption: string;
  columns: readonly Column<R>[];
  rows: readonly R[] | undefined;
  rowKey: (row: R) => string;
  empty?: ReactNode;
  /** Shows a button under the table that asks for more. */
  more?: { onMore: () => void; busy: boolean } | null;
};

/** A table with aligned numbers; undefined rows are still loading. */
export function Table<R>({ caption, columns, rows, rowKey, empty, more }: TableProps<R>) {
  if (rows !== undefined && rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div className="table-card card card--flush">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={caption}>
        <table className="table" aria-busy={rows === undefined || undefined}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col" className={cellClass(column)} style={column.width ? { width: column.width } : undefined}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? [1, 2, 3, 4].map((line) => (
                  <tr key={line}>
                    {columns.map((column) => (
                      <td key={column.key} className={cellClass(column)}>
                        <Skeleton />
                      </td>
                    ))}
                  </tr>
                ))
              : rows.map((row) => (
                  <tr key={rowKey(row)}>
                    {columns.map((column) => (
                      <td key={column.key} className={cellClass(column)}>
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </section>
      {more && (
        <div className="table-more">
          <Button size="s" busy={more.busy} onClick={more.onMore}>
            {t("ui.more")}
          </Button>
        </div>
      )}
    </div>
  );
}

function cellClass<R>({ align, hide }: Column<R>): string {
  return `${align === "end" ? "cell cell--end" : "cell"}${hide === "narrow" ? " cell--wide-only" : ""}`;
}
