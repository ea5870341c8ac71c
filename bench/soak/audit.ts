import { isInstant } from "../../lab/dialect.ts";
import type { LabJob } from "../../lab/job-book.ts";
import { endlessTasks, ledgerDifferences, takenSlots, type Verdict } from "../../test/crash/audit.ts";
import type { Receiver } from "../../test/crash/receiver.ts";
import type { AttemptRow, Tables, TaskRow } from "../../test/crash/tables.ts";
import type { Customers } from "./customers.ts";
import { orderIn, type Order } from "./orders.ts";

/** All that is known when a run is over. */
export type Evidence = {
  seed: number;
  orders: readonly Order[];
  customers: Customers;
  receiver: Receiver;
  tables: Tables;
  jobs: readonly LabJob[];
  /** Requests to addresses that no upstream has. */
  strays: readonly string[];
  creditNanos: number;
  kills: number;
};

/** An order with all that became of it. */
export type Story = { order: Order; task: TaskRow | undefined; attempts: readonly AttemptRow[]; jobs: readonly LabJob[] };

export function tellStories({ seed, orders, customers, tables, jobs }: Evidence): Story[] {
  const tasks = new Map(tables.tasks.map((task) => [task.id, task]));
  const attempts = Map.groupBy(tables.attempts, ({ task }) => task);
  const begun = Map.groupBy(jobs, ({ prompt }) => orderIn(prompt, seed));
  return orders.map((order) => {
    const id = customers.accepted.get(order.n) ?? "";
    return { order, task: tasks.get(id), attempts: attempts.get(id) ?? [], jobs: begun.get(order.n) ?? [] };
  });
}

/** Holds the evidence against the promises. */
export function audit(evidence: Evidence, stories: readonly Story[]): Verdict[] {
  const { tables, customers, receiver, jobs, strays, seed } = evidence;
  const over = (find: (story: Story) => string[]) => stories.flatMap((story) => find(story).map((says) => `${nameOf(story)}: ${says}`));
  const hooked = stories.filter(({ order }) => order.hasHook);
  const states = new Map(tables.deliveries.map(({ task, state }) => [task, state]));
  const nameless = jobs.filter(({ prompt }) => orderIn(prompt, seed) === null);
  return [
    { promise: "accepted tasks lost", counted: customers.accepted.size, broken: over(lost) },
    { promise: "tasks that nobody ordered", counted: tables.tasks.length, broken: strangers(evidence) },
    { promise: "tasks without one end", counted: tables.tasks.length, broken: endlessTasks(tables) },
    { promise: "upstream jobs beyond one per attempt", counted: jobs.length, broken: over(doubledJobs) },
    { promise: "jobs that belong to no order", counted: jobs.length, broken: nameless.map(({ type, prompt }) => `${type}: ${prompt}`) },
    { promise: "ledger differences", counted: tables.entries.length, broken: ledgerDifferences(evidence) },
    { promise: "wrong charges", counted: tables.tasks.length, broken: over(wrongCharge) },
    { promise: "ends that no fault explains", counted: tables.tasks.length, broken: over((story) => surprise(story, evidence.kills > 0)) },
    { promise: "successes without their media", counted: tables.assets.length, broken: missingMedia(tables) },
    {
      promise: "webhooks missing or doubled",
      counted: hooked.length,
      broken: hooked.flatMap((story) => wrongHook(story, receiver, states.get(story.task?.id ?? ""))),
    },
    { promise: "webhooks with a bad signature", counted: receiver.count(), broken: receiver.badSignatures },
    { promise: "what customers should not have seen", counted: customers.seen.size, broken: [...customers.complaints, ...over(misled)] },
    { promise: "requests to addresses that are none", counted: jobs.length, broken: [...strays] },
    { promise: "provider slots still taken", counted: tables.gates.length, broken: takenSlots(tables) },
    { promise: "damage in the database", counted: 1, broken: tables.integrity === "ok" ? [] : [tables.integrity] },
  ];

  function misled({ order, task }: Story): string[] {
    const shown = customers.seen.get(order.n);
    return shown === undefined || shown === task?.status ? [] : [`the customer was shown ${shown}, and it is ${task?.status}`];
  }
}

function nameOf({ order: { n, offer, door, plan }, task, attempts, jobs }: Story): string {
  const tries = attempts.map(({ provider, state, cause }) => `${provider} ${state}${cause === null ? "" : ` (${cause.slice(0, 120)})`}`);
  return `order ${n}, ${offer.model} through ${door.name}, fault ${plan.name}, task ${task?.id} ${task?.status} ${task?.fail_code ?? ""}, ${jobs.length} jobs, attempts [${tries.join("; ")}]`;
}

function lost({ task }: Story): string[] {
  if (task === undefined) return ["it was not accepted, or is gone"];
  return ["SUCCESS", "FAILURE"].includes(task.status) ? [] : [`it is still ${task.status}`];
}

function strangers({ tables, customers }: Evidence): string[] {
  const ordered = new Set(customers.accepted.values());
  return tables.tasks.filter(({ id }) => !ordered.has(id)).map(({ id }) => `task ${id} belongs to no order`);
}

/** A job was begun for each attempt that was sent, at most; and where it is not known whether one began, none is begun again. */
function doubledJobs({ order, attempts, jobs }: Story): string[] {
  const { offer, plan } = order;
  const instant = new Set(offer.dialects.filter((dialect) => isInstant(dialect, offer.work.kind)).map(({ type }) => type));
  // A refusal of one who answers with the result may be the end of a job; any other has begun nothing.
  const sent = attempts.filter(({ provider, state, upstream_id }) => state !== "REJECTED" || upstream_id !== null || instant.has(provider));
  return [
    ...(jobs.length > sent.length ? [`${jobs.length} jobs for ${sent.length} attempts that were sent`] : []),
    ...(plan.ambiguous && jobs.length > 1 ? ["a job whose answer was lost was begun again"] : []),
  ];
}

function wrongCharge({ order, task }: Story): string[] {
  if (task === undefined) return [];
  const fair = task.status === "SUCCESS" ? order.priceNanos : 0;
  return task.cost === fair && task.hold === order.priceNanos
    ? []
    : [`it cost ${task.cost} and held ${task.hold}, the price is ${order.priceNanos}`];
}

function surprise({ order, task, attempts }: Story, wasKilled: boolean): string[] {
  if (task === undefined) return [];
  const end = task.fail_code ?? task.status;
  const isCut = wasKilled && end === "unknown_outcome" && attempts.some(({ cause }) => cause?.includes("while the job was being sent"));
  return order.plan.ends.includes(end) || isCut ? [] : [`it ended as ${end}`];
}

const needed: Record<string, string> = { video: "video", music: "audio", image: "image" };

function missingMedia({ tasks, assets }: Tables): string[] {
  const kept = Map.groupBy(assets, ({ task }) => task);
  return tasks.flatMap(({ id, kind, status }) => {
    const want = needed[kind];
    if (status !== "SUCCESS" || want === undefined) return [];
    return kept.get(id)?.some((asset) => asset.kind === want && asset.bytes > 0) ? [] : [`task ${id} (${kind}) has no ${want}`];
  });
}

function wrongHook({ order: { n }, task }: Story, receiver: Receiver, state: string | undefined): string[] {
  if (task === undefined) return [];
  const heard = [...receiver.heard(n).values()];
  const told = heard.filter(({ times }) => times > 0);
  const isRight = heard.length === 1 && told.length === 1 && state === "delivered";
  return isRight ? [] : [`order ${n}: ${heard.length} messages, ${told.length} of them taken; the delivery is ${state}`];
}
