import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";

export type Cell = string | number | null;

/** Lets a list be asked for as a table for spreadsheets. */
export const Format = Type.Optional(
  Type.Union([Type.Literal("json"), Type.Literal("csv")], { description: "csv gives the same rows as text/csv, all of them" }),
);

/** Lines of a table, as RFC 4180 has them. */
export function csvLines(rows: Iterable<readonly Cell[]>): string {
  let text = "";
  for (const cells of rows) text += `${cells.map(cellText).join(",")}\r\n`;
  return text;
}

/** Sends a table as a file, as its lines come. */
export function sendCsv(reply: FastifyReply, name: string, lines: Iterable<string> | AsyncIterable<string>): FastifyReply {
  return reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`)
    .header("cache-control", "no-store")
    .send(Readable.from(lines));
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return numberText(cell);
  // Spreadsheets run what begins like a formula.
  const harmless = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

// Written out: spreadsheets do not agree about exponents. Money has nine decimals.
function numberText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(9).replace(/\.?0+$/, "") : text;
}
