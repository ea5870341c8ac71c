import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { LabJob } from "../../lab/job-book.ts";
import { mediaBytes } from "../../lab/media.ts";
import type { Clients } from "./clients.ts";
import type { Order } from "./orders.ts";
import type { Receiver } from "./receiver.ts";
import type { AttemptRow, Tables, TaskRow } from "./tables.ts";

/** All that is known when a run is over. */
export type Evidence = {
  tables: Tables;
  dataDir: string;
  orders: readonly Order[];
  clients: Clients;
  receiver: Receiver;
  jobs: readonly LabJob[];
  /** What each account was given. */
  creditNanos: number;
};

/** One promise: what was counted, and every case in which it was not kept. */
export type Verdict = { promise: string; counted: number; broken: string[] };

/** Holds the evidence against the promises. */
export function audit(evidence: Evidence): Verdict[] {
  const { clients, receiver, tables } = evidence;
  const hooked = evidence.orders.filter(({ hook }) => hook !== null);
  const succeeded = tables.tasks.filter(({ status }) => status === "SUCCESS");
  return [
    { promise: "accepted tasks lost", counted: clients.accepted.size, broken: lostTasks(evidence) },
    { promise: "tasks that nobody ordered", counted: tables.tasks.length, broken: strayTasks(evidence) },
    { promise: "tasks without one end", counted: tables.tasks.length, broken: endlessTasks(tables) },
    { promise: "upstream jobs beyond one per attempt", counted: evidence.jobs.length, broken: doubledJobs(evidence) },
    { promise: "ledger differences", counted: tables.entries.length, broken: ledgerDifferences(evidence) },
    { promise: "wrong charges", counted: tables.tasks.length, broken: wrongCharges(evidence) },
    {
      promise: "webhooks missing, doubled or wrong",
      counted: hooked.length,
      broken: hooked.flatMap((order) => wrongHooks(evidence, order)),
    },
    { promise: "webhooks with a bad signature", counted: receiver.count(), broken: receiver.badSignatures },
    {
      promise: "successes without their media",
      counted: succeeded.length,
      broken: succeeded.flatMap((task) => wrongMedia(evidence, task)),
    },
    { promise: "provider slots still taken", counted: tables.gates.length, broken: takenSlots(tables) },
    { promise: "what clients should not have seen", counted: clients.accepted.size, broken: clients.complaints },
    { promise: "damage in the database", counted: 1, broken: tables.integrity === "ok" ? [] : [tables.integrity] },
  ];
}

function lostTasks({ tables, orders, clients }: Evidence): string[] {
  const known = new Set(tables.tasks.map(({ id }) => id));
  const unplaced = orders.filter(({ n }) => !clients.accepted.has(n)).map(({ n }) => `order ${n} was never accepted`);
  return [...unplaced, ...[...clients.accepted].filter(([, id]) => !known.has(id)).map(([n, id]) => `order ${n}: task ${id} is gone`)];
}

function strayTasks({ tables, clients }: Evidence): string[] {
  const ordered = new Set(clients.accepted.values());
  return tables.tasks.filter(({ id }) => !ordered.has(id)).map(({ id }) => `task ${id} belongs to no order`);
}

/** Tasks that have not ended once and for all, and work that is still due. */
export function endlessTasks({ tasks, steps, transfers }: Tables): string[] {
  const ends = new Set(transfers.filter(({ kind }) => kind === "settle" || kind === "release").map(({ id }) => id));
  const open = tasks.filter(
    ({ id, status, finished_at }) => !["SUCCESS", "FAILURE"].includes(status) || finished_at === null || !ends.has(`${id}:end`),
  );
  return [
    ...open.map(({ id, status }) => `task ${id} is ${status}`),
    ...steps.map(({ id, phase, work }) => `step ${id} (${phase} ${work}) is still due`),
  ];
}

/** A job was begun for each attempt that was sent, at most; whoever was refused for certain may send again. */
function doubledJobs({ tables, orders, clients, jobs }: Evidence): string[] {
  const attempts = Map.groupBy(tables.attempts, ({ task }) => task);
  return orders.flatMap(({ n, mark }) => {
    const begun = jobs.filter(({ prompt }) => prompt.includes(mark));
    const own = attempts.get(clients.accepted.get(n) ?? "") ?? [];
    const sent = own.filter(({ provider, state }) => provider !== "local" && state !== "REJECTED");
    const strangers = sent.filter(({ upstream_id }) => upstream_id !== null && !begun.some(({ id }) => id === upstream_id));
    return [
      ...(begun.length > sent.length ? [`order ${n}: ${begun.length} jobs for ${sent.length} attempts (${describe(own)})`] : []),
      ...strangers.map(({ upstream_id }) => `order ${n}: job ${upstream_id} is somebody else's`),
    ];
  });
}

function describe(attempts: readonly AttemptRow[]): string {
  return attempts.map(({ n, provider, state }) => `${n} ${provider} ${state}`).join(", ");
}

/** Where entries, balances, costs and credit do not agree. */
export function ledgerDifferences({ tables, creditNanos }: Pick<Evidence, "tables" | "creditNanos">): string[] {
  const { entries, accounts, tasks } = tables;
  const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);
  const differences = sum(entries) === 0 ? [] : [`all entries sum to ${sum(entries)}`];
  for (const [transfer, lines] of Map.groupBy(entries, (entry) => entry.transfer)) {
    if (sum(lines) !== 0) differences.push(`transfer ${transfer} sums to ${sum(lines)}`);
  }
  for (const { id, available, held, spent } of accounts) {
    const own = entries.filter(({ account }) => account === id);
    const costs = tasks.filter(({ account }) => account === id).reduce((total, { cost }) => total + (cost ?? 0), 0);
    const expected = { available: sum(own.filter(({ bucket }) => bucket === "available")), held: 0, spent: costs };
    const found = { available, held, spent };
    if (JSON.stringify(found) !== JSON.stringify(expected))
      differences.push(`account ${id}: ${JSON.stringify(found)}, by its entries ${JSON.stringify(expected)}`);
    if (spent + available !== creditNanos)
      differences.push(`account ${id}: spent ${spent} and available ${available} are not the credit of ${creditNanos}`);
  }
  return differences;
}

function wrongCharges({ tables, clients }: Evidence): string[] {
  return tables.tasks.flatMap(({ id, status, cost, hold, fail_code }) => {
    const fair = status === "SUCCESS" ? [hold] : fail_code === "cancelled" ? [0, hold] : [0];
    const wrong = fair.includes(cost ?? -1) ? [] : [`task ${id} (${status} ${fail_code}) cost ${cost}, held ${hold}`];
    return clients.cancelled.has(id) && fail_code !== "cancelled"
      ? [...wrong, `task ${id} was cancelled and ended as ${status} ${fail_code}`]
      : wrong;
  });
}

function wrongHooks({ tables, clients, receiver }: Evidence, { n }: Order): string[] {
  const id = clients.accepted.get(n);
  const status = tables.tasks.find((task) => task.id === id)?.status;
  const heard = [...receiver.heard(n)];
  const told = heard.filter(([, { times }]) => times > 0);
  return [
    ...(told.length === 0 ? [`order ${n}: nothing was delivered`] : []),
    ...(heard.length > 1 ? [`order ${n}: ${heard.length} webhook-ids`] : []),
    ...told
      .filter(([, message]) => message.status !== status)
      .map(([, message]) => `order ${n}: ${message.status} was told, ${status} is true`),
    ...tables.deliveries
      .filter(({ task, state }) => task === id && state !== "delivered")
      .map(({ state }) => `order ${n}: its delivery is ${state}`),
  ];
}

const needed: Record<string, string[]> = { video: ["video"], music: ["audio", "audio"], lyrics: [] };

function wrongMedia({ tables, dataDir, jobs }: Evidence, { id, kind }: TaskRow): string[] {
  const assets = tables.assets.filter(({ task }) => task === id);
  const missing = (needed[kind] ?? []).length - assets.filter((asset) => needed[kind]?.includes(asset.kind)).length;
  const upstreamIds = tables.attempts.filter(({ task }) => task === id).map(({ upstream_id }) => upstream_id);
  const isFromLab = jobs.some((job) => upstreamIds.includes(job.id));
  return [
    ...(missing > 0 ? [`task ${id} (${kind}) lacks ${missing} of its assets`] : []),
    ...assets.flatMap(({ storage_key: key, sha256, bytes }) => {
      const path = join(dataDir, "media", key);
      if (!existsSync(path)) return [`task ${id}: ${key} is not on disk`];
      const content = readFileSync(path);
      const isWhole = content.byteLength === bytes && hashOf(content) === sha256;
      if (!isWhole) return [`task ${id}: ${key} is not what was stored`];
      return isFromLab && !labHashes.has(sha256) ? [`task ${id}: ${key} is not what the lab sent`] : [];
    }),
  ];
}

const labHashes = new Set(["clip.mp4", "tone.mp3", "cover.png"].map((name) => hashOf(mediaBytes(name))));

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function takenSlots({ gates }: Tables): string[] {
  return gates.filter(({ used }) => used !== 0).map(({ lane, credential, used }) => `${lane} ${credential}: ${used}`);
}

/** Files that a kill left behind and no row names: no promise is broken, but they take room. */
export function countLeftovers({ dataDir, tables }: Pick<Evidence, "dataDir" | "tables">): {
  media: number;
  partial: number;
  work: number;
} {
  const named = new Set(tables.assets.map((asset) => asset.storage_key));
  const stored = globSync("??/??/*", { cwd: join(dataDir, "media") });
  const entriesOf = (...path: string[]) => (existsSync(join(dataDir, ...path)) ? readdirSync(join(dataDir, ...path)).length : 0);
  return { media: stored.filter((key) => !named.has(key)).length, partial: entriesOf("media", "partial"), work: entriesOf("work") };
}
