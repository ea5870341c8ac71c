import type { SentCallback } from "../../lab/outbox.ts";
import type { Evidence, Story } from "./audit.ts";

export type Measured = { seconds: number; memoryMiB: readonly number[]; callbacks: readonly SentCallback[]; metrics: string };

/** What a run came to, as lines of a table. */
export function figuresOf(evidence: Evidence, stories: readonly Story[], measured: Measured): Record<string, string | number> {
  const { customers, tables, jobs, receiver } = evidence;
  const { seconds, memoryMiB, metrics } = measured;
  const known = stories.filter(({ task }) => task !== undefined);
  const ends = (of: readonly Story[]) => tally(of.map(({ task }) => task?.fail_code ?? task?.status ?? "none"));
  return {
    "accepted tasks": customers.accepted.size,
    "questions asked": customers.questions(),
    ends: ends(known),
    ...Object.fromEntries([...groups(known, ({ order }) => order.offer.work.kind)].map(([kind, list]) => [`  ${kind}`, ends(list)])),
    ...Object.fromEntries([...groups(known, ({ order }) => order.door.name)].map(([door, list]) => [`  through ${door}`, ends(list)])),
    ...Object.fromEntries([...groups(known, lastProvider)].map(([name, list]) => [`  ${name}`, ends(list)])),
    "ends by fault": "",
    ...Object.fromEntries([...groups(known, ({ order }) => order.plan.name)].map(([name, list]) => [`  with ${name}`, ends(list)])),
    attempts: tally(tables.attempts.map(({ state }) => state)),
    "tasks by attempts": tally(known.map(({ attempts }) => String(attempts.length))),
    "jobs in the lab": jobs.length,
    "outcomes that are not known": unknownOf(known),
    "callbacks of the lab": tally(measured.callbacks.map(({ fate, status }) => `${fate} ${status === 0 ? "unsent" : status}`)),
    "callbacks at the gateway": countedIn(metrics, "/callbacks/"),
    "webhook messages": `${receiver.count()} for ${stories.filter(({ order }) => order.hasHook).length} orders`,
    "accepted after": spread(customers.acceptMs),
    "ended after the upstream had": spread(lags(known, () => true)),
    "  where a callback told": spread(lags(known, hears)),
    "  where only polls could": spread(lags(known, (story) => !hears(story))),
    seconds: Math.round(seconds),
    "tasks/s": Math.round(customers.accepted.size / seconds),
    "gateway memory MiB": `${Math.round(memoryMiB[0] ?? 0)} at first, ${Math.round(Math.max(0, ...memoryMiB))} at most, ${Math.round(memoryMiB.at(-1) ?? 0)} at last`,
  };
}

function groups(stories: readonly Story[], nameOf: (story: Story) => string): [string, Story[]][] {
  return [...Map.groupBy(stories, nameOf)].toSorted(([a], [b]) => a.localeCompare(b));
}

function lastProvider({ attempts }: Story): string {
  return attempts.at(-1)?.provider ?? "no provider";
}

function unknownOf(stories: readonly Story[]): string {
  const open = stories.filter(({ attempts }) => attempts.at(-1)?.state === "UNKNOWN");
  const cut = open.filter(({ attempts }) => attempts.at(-1)?.cause?.includes("while the job was being sent"));
  const begun = (list: readonly Story[]) => list.filter(({ jobs }) => jobs.length > 0).length;
  return `${open.length}, ${begun(open)} of them jobs that began; ${cut.length} cut off by a kill, ${begun(cut)} of them begun`;
}

function hears({ order: { plan, offer }, attempts }: Story): boolean {
  const dialect = offer.dialects.find(({ type }) => type === attempts.at(-1)?.provider);
  return dialect?.callback !== undefined && (plan.fate === "sent" || plan.fate === "twice");
}

/** Milliseconds between the end of a job and that of its task, where nothing stood between them. */
function lags(stories: readonly Story[], wanted: (story: Story) => boolean): number[] {
  return stories.flatMap((story) => {
    const { order, task, jobs } = story;
    const job = jobs.at(-1);
    const isPlain = order.plan.name === "none" && !order.offer.instant && task?.status === "SUCCESS" && wanted(story);
    if (!isPlain || job === undefined || task.finished_at === null) return [];
    return [task.finished_at - job.submittedAt - (order.plan.seconds + order.plan.queueSeconds) * 1_000];
  });
}

export function tally(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, list]) => [word, list.length] as const);
  return counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}

/** Replies to addresses that begin so, by status, as the gateway counted them since it started. */
function countedIn(metrics: string, route: string): string {
  const lines = metrics.split("\n").filter((line) => line.startsWith("genway_http_requests_total") && line.includes(`route="${route}`));
  return lines.map((line) => `${line.split(" ").at(-1)} answered ${/status="(\d+)"/.exec(line)?.[1]}`).join(", ");
}

function spread(list: readonly number[]): string {
  const sorted = list.toSorted((a, b) => a - b);
  const share = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return `p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, ${share(1)} ms at most (of ${list.length})`;
}
