import type { Shell } from "./shell.ts";
import { cleanText } from "./complaint.ts";

export type TableOptions = {
  /** The columns whose cells end at the same place, as amounts do. */
  right?: readonly string[];
};

/** Prints rows under a heading, every column as wide as its widest cell; an absent row set says so in words. */
export function printTable(
  shell: Shell,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [] }: TableOptions = {},
): void {
  const isRight = heading.map((name) => right.includes(name));
  const [first = "", ...lines] = alignColumns([heading, ...rows], isRight);
  shell.print(shell.paint("bold", first));
  for (const line of lines) shell.print(line);
}

/** Rows as lines with aligned columns; nothing is padded after the last cell. */
export function alignColumns(rows: readonly (readonly string[])[], isRight: readonly boolean[] = []): string[] {
  const cleaned = rows.map((row) => row.map(cleanText));
  const widths = cleaned.reduce<number[]>((wide, row) => row.map((cell, index) => Math.max(widthOf(cell), wide[index] ?? 0)), []);
  return cleaned.map((row) =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, isRight[index] ?? false))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number, isRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - widthOf(cell)));
  return isRight ? space + cell : cell + space;
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many places a text takes on a terminal. */
export function widthOf(text: string): number {
  let places = 0;
  for (const character of text) places += /\p{Mn}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return places;
}
