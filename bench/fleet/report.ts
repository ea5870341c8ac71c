import { boundsOf } from "./bounds.ts";
import { databaseBounds, nodeBounds, noteCosts, prices } from "./constants.ts";
import type { Figures, Quantiles } from "./figures.ts";
import type { Scenario } from "./scenario.ts";

/** Puts the figures of a simulation into words, one line each. */
export function describe(figures: Figures, scenario: Scenario): string[] {
  const { counts, underWay, seconds } = figures;
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  return [
    `tasks accepted ${whole(counts.accepted)} = succeeded ${whole(counts.succeeded)} + failed ${whole(counts.failed)} + under way ${whole(underWay)}; lost ${whole(counts.accepted - counts.succeeded - counts.failed - underWay)}`,
    `failed: ${whole(counts.expired)} at their deadline, ${whole(counts.unknown)} with an unknown outcome; sent elsewhere ${whole(counts.failovers)}, again ${whole(counts.retries)}, where they waited p50 ${time(figures.againWaits.p50)}, p99 ${time(figures.againWaits.p99)}, at most ${time(figures.againWaits.most)}`,
    `all but the account with the burst waited p50 ${time(figures.othersWaits.p50)}, p99 ${time(figures.othersWaits.p99)}, at most ${time(figures.othersWaits.most)}; of them expired ${whole(counts.othersExpired)}`,
    `nodes died ${whole(counts.deaths)} times with ${whole(counts.orphans)} tasks in hand, which went on after ${time(figures.recoveries.p50)}, at most ${time(figures.recoveries.most)}`,
    "",
    ...table(figures),
    "",
    `polls are late by p50 ${time(figures.lag.p50)}, p99 ${time(figures.lag.p99)}`,
    ...rates(figures, scenario, seconds, whole),
    "",
    "the busiest minute used",
    ...boundsOf(figures, scenario).map(({ name, used, says }) => `  ${(used * 100).toFixed(0).padStart(4)} %  ${name}: ${says}`),
    "",
    ...costs(figures, scenario, seconds),
  ];
}

function table({ lanes, waits, found }: Figures): string[] {
  const head = [
    "provider",
    "ended",
    "expired",
    "slots",
    "used",
    "wait p50",
    "p95",
    "p99",
    "found p50",
    "p99",
    "polls/task",
    "jobs/request",
    "requests/s",
  ];
  const rows = lanes.map((lane) => [
    lane.name,
    lane.ended.toLocaleString("en"),
    lane.expired.toLocaleString("en"),
    String(lane.slots),
    `${(lane.busiest * 100).toFixed(0)} %`,
    ...waitCells(lane.waits, lane.found),
    lane.pollsPerTask.toFixed(1),
    lane.jobsPerRequest.toFixed(2),
    lane.mostRequestsPerSecond.toFixed(0),
  ]);
  return align([head, ...rows, ["all", "", "", "", "", ...waitCells(waits, found), "", "", ""]]);
}

function waitCells(waits: Quantiles, found: Quantiles): string[] {
  return [time(waits.p50), time(waits.p95), time(waits.p99), time(found.p50), time(found.p99)];
}

function align(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  "),
  );
}

function rates(
  { sums, peaks, counts, meanNodeCpu }: Figures,
  { nodes }: Scenario,
  seconds: number,
  whole: (value: number) => string,
): string[] {
  const pair = (sum: number, peak: number) => `${whole(sum / seconds)} a second, ${whole(peak / 60)} in the busiest minute`;
  return [
    `submits: ${pair(counts.accepted, peaks.submits)}; at most ${whole(peaks.underWay)} tasks under way`,
    `polls: ${whole(counts.polls / seconds)} jobs a second; requests to upstreams in the busiest minute ${whole(peaks.pollRequests / 60)} a second; callbacks ${whole(counts.callbacks / seconds)} a second`,
    `database: commits ${pair(sums.commits, peaks.commits)}; items ${pair(sums.items, peaks.items)}; rows ${pair(sums.rows, peaks.rows)}; looks ${pair(sums.looks, peaks.looks)}`,
    `database: ${(sums.commits / counts.accepted).toFixed(1)} commits and ${(sums.rows / counts.accepted).toFixed(1)} rows a task; processor ${(sums.serverSeconds / seconds).toFixed(1)} cores, ${(peaks.serverSeconds / 60).toFixed(1)} in the busiest minute; log ${(((counts.accepted / seconds) * databaseBounds.walBytesPerTask) / 2 ** 20).toFixed(1)} MiB/s`,
    `notes between nodes: heard ${pair(sums.heard, peaks.heard)}; of the processor of the database ${((sums.heard * noteCosts.heardServerUs) / seconds / 1e6).toFixed(1)} cores, ${((peaks.heard * noteCosts.heardServerUs) / 60e6).toFixed(1)} in the busiest minute; looks ${((sums.looks * databaseBounds.emptyLookUs) / seconds / 1e6).toFixed(1)} and ${((peaks.looks * databaseBounds.emptyLookUs) / 60e6).toFixed(1)}`,
    `a single primary of ${databaseBounds.cores} cores bears ${whole(databaseBounds.commitsPerSecond)} commits a second of its disk, and by its processor ${whole((counts.accepted / sums.serverSeconds) * databaseBounds.cores * databaseBounds.busiest)} tasks a second of this kind`,
    `connections to the database: ${whole(nodes * nodeBounds.poolSize)} (${nodes} nodes, ${nodeBounds.poolSize} each)`,
    `a node: processor ${(meanNodeCpu * 100).toFixed(1)} % of a core on average, ${(peaks.nodeCpu * 100).toFixed(1)} % in the busiest minute of the busiest; by that alone ${Math.max(1, Math.ceil((nodes * peaks.nodeCpu) / nodeBounds.busiestCore))} nodes would do`,
    `media: ${(counts.mib / seconds).toFixed(0)} MiB/s in and as much out, ${(peaks.mib / 60).toFixed(0)} in the busiest minute, ${(counts.mib / 1024 ** 2).toFixed(1)} TiB in all`,
  ];
}

function costs({ counts }: Figures, { nodes }: Scenario, seconds: number): string[] {
  const hours = seconds / 3_600;
  const node = nodes * prices.nodeHour * hours;
  const database = prices.databases * prices.databaseHour * hours;
  const million = counts.accepted / 1e6;
  return [
    `cost of a million tasks: $${((node + database) / million).toFixed(2)} (nodes $${(node / million).toFixed(2)} at $${prices.nodeHour} an hour, ` +
      `database $${(database / million).toFixed(2)} for ${prices.databases} at $${prices.databaseHour} an hour; without upstreams, storage and traffic)`,
  ];
}

function time(ms: number): string {
  if (ms < 1_000) return `${ms.toFixed(0)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}
