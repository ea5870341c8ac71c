import { join } from "node:path";
import type { Verdict } from "../../test/crash/audit.ts";
import { audit as auditTasks, tellStories } from "../soak/audit.ts";
import { busyKeys, doubledTasks, leaseDifferences, ledgerDifferences, lostTasks, wrongNews } from "./audit.ts";
import { auditCalls } from "./call-audit.ts";
import type { Evidence } from "./evidence.ts";
import { deadlockVerdict } from "./database-log.ts";
import { databaseRecoveries, leaseRecoveries, longestRecoveryMs, slowRecoveries } from "./recovery.ts";
import { nodeKills } from "./incident.ts";

/** Holds the evidence against all promises. */
export function judge(evidence: Evidence): Verdict[] {
  const { options, stage, client, callers, customers, incidents, leases, rows, taskLoad, badStops } = evidence;
  const { fleet, lab } = stage;
  const { tables, placed, usage } = rows;
  const begun = stage.orders.slice(0, taskLoad.begun());
  const creditOf = (account: string) => stage.customers.find((customer) => customer.account === account)?.creditNanos ?? 0;
  const finishes = placed.flatMap(({ finishedAt }) => finishedAt ?? []);
  const done = nodeKills(incidents).length;
  return [
    lostTasks(customers.acks, placed),
    doubledTasks(begun, customers.acks, placed),
    ...taskVerdicts(evidence),
    ledgerDifferences({ ...tables, usage, creditOf }),
    leaseDifferences(rows.leased, rows.leases),
    deadlockVerdict(join(stage.folder, "postgres.log"), tables.transfers.length),
    busyKeys(rows.keys),
    ...auditCalls({ outcomes: callers.outcomes, usage, calls: lab.calls(), incidents }).verdicts,
    wrongNews(customers.told, placed, longestRecoveryMs),
    slowRecoveries("slow to go on after a node kill", leaseRecoveries(leases, incidents)),
    slowRecoveries("slow to take work after a database kill", creates(evidence)),
    slowRecoveries("slow to finish work after a database kill", databaseRecoveries("finish", finishes, incidents)),
    { promise: "what clients should not have seen", counted: sum(client.counts), broken: client.complaints },
    {
      promise: "nodes that ended by themselves",
      counted: done,
      broken: fleet.ownEnds.map(({ node, at, how, wasUp }) => `${node} at ${time(at)}: ${how}${wasUp ? "" : " while it started"}`),
    },
    { promise: "nodes that did not stop well", counted: fleet.nodes.length, broken: [...badStops] },
    { promise: "kills that did not happen", counted: options.kills, broken: done < options.kills ? [`${done} of ${options.kills}`] : [] },
  ];
}

function creates({ customers, incidents }: Evidence) {
  const moments = customers.acks.map(({ at }) => at);
  return databaseRecoveries("create", moments, incidents);
}

// Judged here by what clients and several nodes make of them.
const judgedElsewhere = new Set([
  "accepted tasks lost",
  "tasks that nobody ordered",
  "ledger differences",
  "what customers should not have seen",
]);

/** The promises that the soak holds tasks against: jobs upstream, charges, ends, media, webhooks, slots. */
function taskVerdicts({ options: { seed, kills }, stage, rows }: Evidence): Verdict[] {
  const { lab, receiver } = stage;
  const accepted = new Map(rows.placed.flatMap(({ n, id }) => (n === null ? [] : [[n, id] as const])));
  const orders = stage.orders.filter(({ n }) => accepted.has(n));
  const nobody = async () => undefined;
  const customers = { serve: nobody, watch: nobody, accepted, seen: new Map(), acceptMs: [], complaints: [], questions: () => 0 };
  const evidence = {
    seed,
    kills,
    orders,
    customers,
    receiver,
    tables: rows.tables,
    jobs: lab.jobs(),
    strays: lab.strays(),
    creditNanos: 0,
  };
  return auditTasks(evidence, tellStories(evidence))
    .filter(({ promise }) => !judgedElsewhere.has(promise))
    .map((verdict) => ({ ...verdict, broken: verdict.broken.filter((says) => !isFencedOut(says)) }));
}

/** A node that could not keep its lease while the database was away must stop, though its job may have begun. */
function isFencedOut(says: string): boolean {
  return /UNKNOWN \((the work was stopped|the lease was lost)\)\]: it ended as unknown_outcome$/.test(says);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0);
}

function time(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
