import type { Row } from "./figures.ts";

/** The table for a terminal. */
export function plainTable(titles: readonly string[], rows: readonly Row[]): string {
  const first = Math.max(...rows.map(({ label }) => label.length)) + 2;
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map(({ cells }) => cells?.[column]?.length ?? 0)));
  const line = (label: string, cells: readonly string[]) =>
    label.padEnd(first) + cells.map((cell, column) => cell.padStart((widths[column] ?? 0) + 2)).join("");
  return [line("", titles), ...rows.map(({ label, cells }) => (cells === null ? `\n${label}` : line(`  ${label}`, cells)))].join("\n");
}

/** The same for a page. */
export function markdownTable(titles: readonly string[], rows: readonly Row[]): string {
  const blank = titles.map(() => "");
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...titles]),
    `|---|${titles.map(() => "---:|").join("")}`,
    ...rows.map(({ label, cells }) => line(cells === null ? [`**${label}**`, ...blank] : [label, ...cells])),
  ].join("\n");
}
