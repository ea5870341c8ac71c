import { barLine, clearLine } from "./progress-bar.ts";
import type { Shell } from "./shell.ts";

/** Shows how many rows of which table are dealt with; `end` leaves the screen as it was. */
export type RowProgress = { show(table: string, rows: number, of: number): void; end(): void };

const redrawMs = 100;

/** A bar for one table after the other on a terminal, and a line for each finished table elsewhere. */
export function createRowProgress({ screen, note, now }: Shell, act: string): RowProgress {
  const startedAt = now();
  let drawnAt = 0;
  function draw(table: string, rows: number, of: number): void {
    if (rows < of && now() - drawnAt < redrawMs) return;
    drawnAt = now();
    const progress = of === 0 ? 100 : (100 * rows) / of;
    const line = { label: `${act} ${table}`, progress, status: `${rows} of ${of} rows`, elapsedMs: now() - startedAt };
    screen.write(clearLine + barLine({ ...line, columns: screen.columns() }));
  }
  return {
    show(table, rows, of) {
      if (screen.isTerminal) draw(table, rows, of);
      else if (rows >= of) note(`${act} ${table}: ${rows} rows`);
    },
    end: () => void (screen.isTerminal && screen.write(clearLine)),
  };
}
