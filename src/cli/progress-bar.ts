import type { TaskRecord } from "./records.ts";
import type { Shell } from "./shell.ts";
import { formatSpan, statusWord } from "./wording.ts";

/** Shows how far a task is; `end` leaves the screen as it was. */
export type Progress = { show(task: TaskRecord): void; end(): void };

/** A bar that is drawn over itself on a terminal, and a line now and then elsewhere. */
export function createProgress(shell: Shell, label: string): Progress {
  return shell.screen.isTerminal ? movingBar(shell, label) : plainLines(shell, label);
}

const redrawMs = 200;
/** Takes the cursor back to the beginning of an empty line. */
export const clearLine = "\r\u001b[2K";

function movingBar({ screen, now }: Shell, label: string): Progress {
  const startedAt = now();
  let seen = { progress: 0, status: "SUBMITTED" };
  const draw = () => screen.write(clearLine + barLine({ label, ...seen, elapsedMs: now() - startedAt, columns: screen.columns() }));
  const timer = setInterval(draw, redrawMs);
  return {
    show(task) {
      seen = task;
      draw();
    },
    end() {
      clearInterval(timer);
      screen.write(clearLine);
    },
  };
}

const narrowest = 10;
const widest = 40;

/** One line of the bar, never wider than the terminal. */
export function barLine(shown: { label: string; progress: number; status: string; elapsedMs: number; columns: number }): string {
  const { label, status, elapsedMs, columns } = shown;
  const progress = Math.min(100, Math.max(0, Math.round(shown.progress)));
  const words = ` ${String(progress).padStart(3)}%  ${statusWord(status)}  ${formatSpan(elapsedMs)}`;
  // The last column stays free: some terminals begin a new line there.
  const width = Math.min(widest, columns - 1 - label.length - 1 - words.length);
  if (width < narrowest) return `${label}${words}`.slice(0, columns - 1);
  const filled = Math.round((width * progress) / 100);
  return `${label} ${"█".repeat(filled)}${"░".repeat(width - filled)}${words}`;
}

const stepPercent = 20;

function plainLines({ note }: Shell, label: string): Progress {
  let said = "";
  return {
    show({ status, progress }) {
      const percent = status === "IN_PROGRESS" ? ` ${Math.floor(progress / stepPercent) * stepPercent}%` : "";
      const line = `${label}: ${statusWord(status)}${percent}`;
      if (line !== said) note(line);
      said = line;
    },
    end: () => undefined,
  };
}
