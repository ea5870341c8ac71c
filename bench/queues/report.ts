import type { Row } from "../gateways/figures.ts";
import type { Samples } from "../gateways/samples.ts";
import type { SlotStory } from "./slots.ts";

type Metric = { label: string; metric: string; digits: number; times?: number };
type Section = { heading: string; metrics: Metric[] };

/** Every figure of the run, a column for each engine; a dash where an engine has no such thing. */
export function rowsOf(samples: Samples, titles: readonly string[], shape: { polls: number; waiting: number }): Row[] {
  const [base = ""] = titles;
  const value = (title: string, { metric, times }: Metric) =>
    times === undefined ? samples.median(title, metric) / samples.median(base, metric) : samples.median(title, metric) * times;
  return sectionsOf(shape).flatMap(({ heading, metrics }) => {
    const rows = metrics.map((metric) => ({
      label: metric.label,
      cells: titles.map((title) => shown(value(title, metric), metric.digits)),
    }));
    const known = rows.filter(({ cells }) => cells.some((cell) => cell !== dash));
    return known.length === 0 ? [] : [{ label: heading, cells: null }, ...known];
  });
}

function sectionsOf({ polls, waiting }: { polls: number; waiting: number }): Section[] {
  return [
    {
      heading: `whole lives: submit, start, ${polls} polls, settle; many at once`,
      metrics: [
        plain("submits a second", "submits a second"),
        plain("tasks worked off a second", "tasks a second"),
        ...costs("task", "a task"),
      ],
    },
    { heading: "the same, one at a time", metrics: costs("task", "a lone task") },
    {
      heading: `polls while ${waiting.toLocaleString("en-US")} jobs wait`,
      metrics: [
        plain("polls a second", "polls a second"),
        ...costs("poll", "a poll"),
        { label: "a look that finds nothing, database ms", metric: "database a look", digits: 2, times: 1e-3 },
      ],
    },
    {
      heading: "from the request to the start of the task, ms",
      metrics: [
        plain("p50, worker in the same process", "here p50"),
        plain("p99, worker in the same process", "here p99"),
        plain("p50, worker elsewhere", "elsewhere p50"),
        plain("p99, worker elsewhere", "elsewhere p99"),
      ],
    },
    {
      heading: "processes killed in the middle",
      metrics: [
        plain("tasks accepted meanwhile", "gap tasks"),
        plain("accepted, money held, but no job: lost", "gap lost"),
        plain("job without a task (BullMQ: when enqueued first)", "gap ghosts"),
        plain("settled, but the job runs again", "gap again"),
      ],
    },
    {
      heading: "1,000 jobs under way for minutes, asked about every 15 s",
      metrics: [
        { label: "memory of the worker, KiB a job", metric: "hold bytes", digits: 1, times: 1 / 1_024 },
        { label: "database, processor s a minute", metric: "hold database", digits: 2, times: 1 },
        { label: "Redis, processor s a minute", metric: "hold redis", digits: 2, times: 1 },
        { label: "worker, processor s a minute", metric: "hold process", digits: 2, times: 1 },
      ],
    },
  ];
}

function plain(label: string, metric: string): Metric {
  return { label, metric, digits: 0, times: 1 };
}

/** Microseconds of one are milliseconds of a thousand; without a factor it is compared with the first column. */
function costs(name: string, of: string): Metric[] {
  const seconds = (who: string, metric: string): Metric => ({
    label: `${who}, processor s per 1,000 ${name}s`,
    metric: `${metric} ${of}`,
    digits: 3,
    times: 1e-3,
  });
  return [
    seconds("database", "database"),
    seconds("Redis", "redis"),
    seconds("worker", "process"),
    seconds("all three", "all"),
    { label: "database, times Genway's", metric: `database ${of}`, digits: 2 },
    { label: "all three, times Genway's", metric: `all ${of}`, digits: 2 },
    plain(`log of the database, bytes a ${name}`, `log ${of}`),
  ];
}

/** What the columns of the other table say. */
export const slotTitles = ["most jobs upstream at once", "last job asked about again after, s", "all tasks ended after, s"];

/** The end of a process that had all the slots of an upstream, a row for each way to keep to a limit. */
export function slotRowsOf(stories: readonly SlotStory[]): Row[] {
  return stories.map(({ keeping, mostOpen, unheardSeconds, endedSeconds }) => ({
    label: keeping === "rows" ? "Genway, a row counts" : keeping,
    cells: [shown(mostOpen, 0), shown(unheardSeconds, 1), shown(endedSeconds, 1)],
  }));
}

const dash = "–";

function shown(value: number, digits: number): string {
  if (value === Infinity) return "not in time";
  return Number.isFinite(value) ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : dash;
}
