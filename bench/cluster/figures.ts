import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { tally } from "../soak/figures.ts";
import { auditCalls } from "./call-audit.ts";
import type { Evidence } from "./evidence.ts";
import { databaseKills, nodeKills } from "./incident.ts";
import { lagsOf } from "./lags.ts";
import { databaseRecoveries, leaseRecoveries, type Recovery } from "./recovery.ts";

/** What a run came to, as lines of a table. */
export function figuresOf(evidence: Evidence): Record<string, string | number> {
  const { stage, client, customers, incidents, rows, seconds, settledSeconds, taskLoad, callLoad } = evidence;
  const replies = [...client.counts.values()].reduce((all, count) => all + count, 0);
  return {
    "seconds of load": Math.round(seconds),
    "seconds until all had ended": Math.round(settledSeconds),
    "node kills": `${nodeKills(incidents).length}, ${tally(nodeKills(incidents).map(({ node }) => node))}`,
    "database kills": databaseKills(incidents).length,
    "replies seen by clients": `${replies}, ${(replies / seconds).toFixed(1)} a second`,
    ...counted(client.counts),
    "arrivals left out": `${taskLoad.skipped()} tasks, ${callLoad.skipped()} calls`,
    ...taskFigures(evidence),
    ...callFigures(evidence),
    ...recoveryFigures(evidence),
    ...lagFigures(evidence),
    "create answered after": spread(customers.acks.flatMap(({ ms }) => (Number.isNaN(ms) ? [] : [ms]))),
    ...newsFigures(evidence),
    "jobs in the lab": stage.lab.jobs().length,
    "webhook messages": stage.receiver.count(),
    "ledger entries": rows.tables.entries.length,
    ...nodeFigures(evidence),
  };
}

function counted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, count]) => [`  ${name}`, count]));
}

function taskFigures({ customers, rows }: Evidence): Record<string, string | number> {
  const { tasks, attempts } = rows.tables;
  const known = new Set(customers.acks.map(({ id }) => id));
  return {
    "tasks accepted": `${customers.acks.length} acknowledged, ${tasks.filter(({ id }) => !known.has(id)).length} more whose answer was lost`,
    "  orders refused, answers lost": `${customers.refused.size}, ${customers.lost.size}`,
    "  ends": tally(tasks.map(({ status, fail_code }) => fail_code ?? status)),
    "  attempts": tally(attempts.map(({ state }) => state)),
    "  tasks by attempts": tally([...Map.groupBy(attempts, ({ task }) => task).values()].map((list) => String(list.length))),
    "  unknown because of a kill": tally(
      attempts.flatMap(({ state, cause }) => (state === "UNKNOWN" && cause !== null && isCut(cause) ? [cause] : [])),
    ),
  };
}

function isCut(cause: string): boolean {
  return cause.includes("while the job was being sent") || cause === "the work was stopped";
}

function callFigures({ callers, rows, stage, incidents }: Evidence): Record<string, string | number> {
  const { sums } = auditCalls({ outcomes: callers.outcomes, usage: rows.usage, calls: stage.lab.calls(), incidents });
  return {
    "calls tried": `${callers.outcomes.length}: ${tally(callers.outcomes.map(({ is }) => is))}`,
    "  forgiven by a database kill": sums.forgiven.length,
    "  charged, but not whole": sums.chargedUnfinished.length,
  };
}

function recoveryFigures({ leases, incidents, customers, rows }: Evidence): Record<string, string> {
  const finishes = rows.placed.flatMap(({ finishedAt }) => finishedAt ?? []);
  const creates = customers.acks.map(({ at }) => at);
  return {
    "work in hand at a node kill goes on after": recoverySpread(leaseRecoveries(leases, incidents)),
    "database back to first create": recoverySpread(databaseRecoveries("create", creates, incidents)),
    "database back to first finish": recoverySpread(databaseRecoveries("finish", finishes, incidents)),
    "database away for": spread(databaseKills(incidents).map(({ at, backAt }) => backAt - at)),
  };
}

function lagFigures({ stage, rows, options: { seed } }: Evidence): Record<string, string> {
  const { starts, ends } = lagsOf(stage.orders, rows.placed, stage.lab.jobs(), seed);
  return { "job begun after its task was accepted": spread(starts), "task ended after its job had": spread(ends) };
}

function recoverySpread(recoveries: readonly Recovery[]): string {
  const never = recoveries.filter(({ ms }) => ms === null).length;
  return `${spread(recoveries.flatMap(({ ms }) => ms ?? []))}${never === 0 ? "" : `, ${never} never`}`;
}

function newsFigures({ customers, rows }: Evidence): Record<string, string> {
  const ends = new Map(rows.placed.map(({ id, finishedAt }) => [id, finishedAt]));
  const groups = [...Map.groupBy(customers.told, ({ by }) => by)].toSorted(([a], [b]) => a.localeCompare(b));
  const late = (list: typeof customers.told) =>
    list.flatMap(({ id, at }) => {
      const end = ends.get(id) ?? null;
      return end === null ? [] : [Math.max(0, at - end)];
    });
  return Object.fromEntries(groups.map(([by, list]) => [`end told by ${by} after`, spread(late(list))]));
}

function nodeFigures({ stage: { fleet } }: Evidence): Record<string, string | number> {
  const lines = fleet.nodes.flatMap(({ logFile }) => readFileSync(logFile, "utf8").split("\n"));
  const errors = lines.filter((line) => /^\{"level":[56]0,/.test(line));
  const wordless = lines.filter((line) => line !== "" && !line.startsWith("{") && /error/i.test(line));
  return {
    "a node answers after": spread(fleet.listensMs),
    "a node is ready after": `${spread(fleet.readyMs)}, ${fleet.neverReady.length} not in two minutes`,
    "memory MiB at most": fleet.nodes.map(({ name }) => `${name} ${Math.round(fleet.memory.get(name) ?? 0)}`).join(", "),
    "load of the machine": `${loads(fleet.machineLoads)} on ${availableParallelism()} cores`,
    "errors in the logs": errors.length,
    ...Object.fromEntries(mostOf(errors.map(messageOf)).map(([says, count]) => [`  ${says}`, count])),
    ...(wordless.length > 0 && { "lines outside the log": wordless.length }),
  };
}

function loads(list: readonly number[]): string {
  const mean = list.reduce((sum, load) => sum + load, 0) / Math.max(1, list.length);
  return `${mean.toFixed(1)} in the mean, ${Math.max(0, ...list).toFixed(1)} at most`;
}

function messageOf(line: string): string {
  const { msg = "", err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
  return `${msg}: ${err?.message ?? ""}`.replace(/[0-9a-f-]{36}|\d{3,}/g, "…").slice(0, 110);
}

function mostOf(words: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, list]): [string, number] => [word, list.length]);
  return counts.toSorted(([, a], [, b]) => b - a).slice(0, 12);
}

function spread(list: readonly number[]): string {
  if (list.length === 0) return "nothing seen";
  const sorted = list.toSorted((a, b) => a - b);
  const share = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return `p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, ${share(1)} ms at most (of ${list.length})`;
}
