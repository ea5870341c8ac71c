import type { Verdict } from "../../test/crash/audit.ts";
import type { AccountRow, EntryRow, TaskRow } from "../../test/crash/tables.ts";
import type { KeyRow, LeasedRow, LeaseRow, PlacedTask, UsageRow } from "./rows.ts";
import type { Ack, Told } from "./task-customers.ts";
import type { TaskOrder } from "./task-orders.ts";

/** Tasks that were acknowledged and are not there, or never ended. */
export function lostTasks(acks: readonly Ack[], placed: readonly PlacedTask[]): Verdict {
  const known = new Map(placed.map((task) => [task.id, task]));
  const broken = acks.flatMap(({ n, id }) => {
    const task = known.get(id);
    if (task === undefined) return [`order ${n}: task ${id} was accepted and is gone`];
    if (task.n !== n) return [`order ${n}: task ${id} is that of order ${task.n}`];
    return task.finishedAt === null ? [`order ${n}: task ${id} is still ${task.status}`] : [];
  });
  return { promise: "accepted lost", counted: acks.length, broken };
}

/** Orders that became more than one task, with a key or without, and tasks of no order. */
export function doubledTasks(orders: readonly TaskOrder[], acks: readonly Ack[], placed: readonly PlacedTask[]): Verdict {
  const made = Map.groupBy(placed, ({ n }) => n);
  const answered = Map.groupBy(acks, ({ n }) => n);
  const doubled = orders.flatMap(({ n, isKeyed }) => {
    const tasks = made.get(n) ?? [];
    const ids = new Set(answered.get(n)?.map(({ id }) => id));
    const way = isKeyed ? "with a key" : "without a key, sent once,";
    return [
      ...(tasks.length > 1 ? [`order ${n} ${way} became ${tasks.map(({ id }) => id).join(" and ")}`] : []),
      ...(ids.size > 1 ? [`order ${n} ${way} was answered with ${[...ids].join(" and ")}`] : []),
    ];
  });
  const known = new Set(orders.map(({ n }) => n));
  const strange = placed.filter(({ n }) => n === null || !known.has(n)).map(({ id }) => `task ${id} belongs to no order`);
  return { promise: "tasks beyond one per order", counted: placed.length, broken: [...doubled, ...strange] };
}

export type Books = {
  accounts: readonly AccountRow[];
  entries: readonly EntryRow[];
  tasks: readonly Pick<TaskRow, "account" | "cost">[];
  usage: readonly UsageRow[];
  /** What an account was given. */
  creditOf: (account: string) => number;
};

/** Where entries, balances, holds, costs and credit do not agree; what calls have paid gets into the ledger when the minute is over. */
export function ledgerDifferences({ accounts, entries, tasks, usage, creditOf }: Books): Verdict {
  const total = sum(entries.map(({ amount }) => amount));
  const lines = [...Map.groupBy(entries, ({ transfer }) => transfer)].flatMap(([transfer, list]) => {
    const left = sum(list.map(({ amount }) => amount));
    return left === 0 ? [] : [`transfer ${transfer} sums to ${left}`];
  });
  const wrong = accounts.flatMap(({ id, available, held, spent }) => {
    const own = entries.filter(({ account }) => account === id);
    const entered = (bucket: string) => sum(own.filter((entry) => entry.bucket === bucket).map(({ amount }) => amount));
    const calls = usage.filter(({ account }) => account === id);
    const unposted = sum(calls.filter(({ transfer }) => transfer === "").map(({ paid }) => paid));
    const costs = sum(tasks.filter(({ account }) => account === id).map(({ cost }) => cost ?? 0));
    const paid = sum(calls.map((row) => row.paid));
    const says = `account ${id} has ${available}, holds ${held}, spent ${spent}`;
    return [
      ...(available < 0 ? [`${says}: below zero`] : []),
      ...(held === 0 && entered("held") === 0 ? [] : [`${says}: no hold is open, and its entries hold ${entered("held")}`]),
      ...(available + held === entered("available") + entered("held") - unposted
        ? []
        : [`${says}: its entries say ${entered("available")} and ${entered("held")}, less ${unposted} that is not posted`]),
      ...(spent === costs + paid ? [] : [`${says}: its tasks cost ${costs} and its calls ${paid}`]),
      ...(available + held + spent === creditOf(id) ? [] : [`${says}: it was given ${creditOf(id)}`]),
    ];
  });
  return {
    promise: "ledger differences",
    counted: entries.length,
    broken: [...(total === 0 ? [] : [`all entries sum to ${total}`]), ...lines, ...wrong],
  };
}

/** Keys that count tasks as running when none is. */
export function busyKeys(keys: readonly KeyRow[]): Verdict {
  const broken = keys.filter(({ running }) => running !== 0).map(({ id, running }) => `key ${id} counts ${running} tasks`);
  return { promise: "keys that count tasks which ended", counted: keys.length, broken };
}

/** Accounts that count another sum as leased to nodes than the leases say, or have leased more than they have. */
export function leaseDifferences(accounts: readonly LeasedRow[], leases: readonly LeaseRow[]): Verdict {
  const broken = accounts.flatMap(({ id, leased, available }) => {
    const open = sum(leases.filter(({ account }) => account === id).map(({ amount }) => amount));
    return open === leased && leased <= available
      ? []
      : [`account ${id} has ${available} and counts ${leased} as leased, its leases are ${open}`];
  });
  return { promise: "leases that the account does not know", counted: leases.length, broken };
}

/** Customers who were told of an end that is not the true one, or long after it. */
export function wrongNews(told: readonly Told[], placed: readonly PlacedTask[], longestMs: number): Verdict {
  const known = new Map(placed.map((task) => [task.id, task]));
  const broken = told.flatMap(({ n, id, by, at, end }) => {
    const task = known.get(id);
    if (task === undefined || task.finishedAt === null) return [`order ${n}: ${end} was told of ${id}, which has not ended`];
    const lateMs = at - task.finishedAt;
    const says = `order ${n}, ${id}, by ${by}`;
    return [
      ...(task.status === end ? [] : [`${says}: ${end} was told, ${task.status} is true`]),
      ...(lateMs > longestMs && (by === "events" || by === "wait") ? [`${says}: told ${(lateMs / 1_000).toFixed(1)} s after the end`] : []),
    ];
  });
  return { promise: "ends told wrong, or late by stream or wait", counted: told.length, broken };
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0);
}
