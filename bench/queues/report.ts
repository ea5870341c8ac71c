import type { Row } from "../gateways/figures.ts";
import type { Samples } from "../gateways/samples.ts";
import type { SlotStory } from "./slots.ts";

/** Every figure of the run, a column for each engine; a dash where an engine has no such thing. */
export function rowsOf(samples: Samples, titles: readonly string[], { polls, waiting }: { polls: number; waiting: number }): Row[] {
  const heading = (label: string): Row => ({ label, cells: null });
  const row = (label: string, metric: string, digits: number, times = 1): Row => ({
    label,
    cells: titles.map((title) => shown(samples.median(title, metric) * times, digits)),
  });
  const ratio = (label: string, metric: string): Row => ({
    label,
    cells: titles.map((title) => shown(samples.median(title, metric) / samples.median(titles[0] ?? "", metric), 2)),
  });
  const costs = (of: string) => [
    row(`database, processor s per 1,000 ${of}s`, `database a ${of}`, 3, 1e-3),
    row(`Redis, processor s per 1,000 ${of}s`, `redis a ${of}`, 3, 1e-3),
    row(`worker process, processor s per 1,000 ${of}s`, `process a ${of}`, 3, 1e-3),
    row("all three", `all a ${of}`, 3, 1e-3),
    ratio("database, times Genway's", `database a ${of}`),
    ratio("all three, times Genway's", `all a ${of}`),
    row(`database log, bytes a ${of}`, `log a ${of}`, 0),
  ];
  return [
    heading(`whole lives: submit, start, ${polls} polls, settle`),
    row("submits a second", "submits a second", 0),
    row("tasks worked off a second", "tasks a second", 0),
    ...costs("task"),
    heading(`polls while ${waiting.toLocaleString("en-US")} jobs wait`),
    row("polls a second", "polls a second", 0),
    ...costs("poll"),
    row("a look that finds nothing, database ms", "database a look", 2, 1e-3),
    heading("from the request to the start of the task, ms"),
    row("p50, worker in the same process", "here p50", 0),
    row("p99, worker in the same process", "here p99", 0),
    row("p50, worker elsewhere", "elsewhere p50", 0),
    row("p99, worker elsewhere", "elsewhere p99", 0),
    heading("processes killed in the middle"),
    row("tasks accepted meanwhile", "gap tasks", 0),
    row("accepted, money held, but no job: lost", "gap lost", 0),
    row("job without a task (for BullMQ: when enqueued first)", "gap ghosts", 0),
    row("settled, but the job runs again", "gap again", 0),
    heading("1,000 jobs under way for minutes, asked about every 15 s"),
    row("memory of the worker, KiB a job", "hold bytes", 1, 1 / 1_024),
    row("database, processor s a minute", "hold database", 2),
    row("Redis, processor s a minute", "hold redis", 2),
    row("worker process, processor s a minute", "hold process", 2),
  ];
}

/** The end of a process that had all the slots of an upstream, a row for each way to keep to a limit. */
export const slotTitles = ["most jobs upstream at once", "last job asked about again after, s", "all tasks ended after, s"];

export function slotRowsOf(stories: readonly SlotStory[]): Row[] {
  return stories.map(({ keeping, mostOpen, unheardSeconds, endedSeconds }) => ({
    label: keeping === "rows" ? "Genway, a row counts" : keeping,
    cells: [shown(mostOpen, 0), shown(unheardSeconds, 1), shown(endedSeconds, 1)],
  }));
}

function shown(value: number, digits: number): string {
  if (value === Infinity) return "not in time";
  return Number.isFinite(value) ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–";
}
