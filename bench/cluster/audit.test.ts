import assert from "node:assert/strict";
import test from "node:test";
import { busyKeys, doubledTasks, leaseDifferences, ledgerDifferences, lostTasks, wrongNews, type Books } from "./audit.ts";
import type { PlacedTask } from "./rows.ts";
import { makeTaskOrders } from "./task-orders.ts";

const task = (n: number, change: Partial<PlacedTask> = {}): PlacedTask => ({
  id: `task ${n}`,
  account: "a",
  n,
  createdAt: 1_000,
  finishedAt: 5_000,
  status: "SUCCESS",
  ...change,
});
const ack = (n: number, id = `task ${n}`) => ({ n, id, at: 1_100, ms: 100 });

test("an accepted task must be there, be that of its order, and have ended", () => {
  assert.deepEqual(lostTasks([ack(1), ack(2)], [task(1), task(2)]).broken, []);
  assert.match(lostTasks([ack(1)], []).broken[0] ?? "", /gone/);
  assert.match(lostTasks([ack(1)], [task(1, { finishedAt: null, status: "QUEUED" })]).broken[0] ?? "", /still QUEUED/);
  assert.match(lostTasks([ack(1, "task 2")], [task(2)]).broken[0] ?? "", /that of order 2/);
});

test("an order becomes one task, and every task has an order", () => {
  const { orders } = makeTaskOrders({ count: 2, seed: 1, customers: 1, random: () => 0.3, hookUrl: () => "http://127.0.0.1/" });
  assert.deepEqual(doubledTasks(orders, [ack(0), ack(0), ack(1)], [task(0), task(1)]).broken, []);
  assert.match(doubledTasks(orders, [], [task(0), task(0, { id: "other" })]).broken[0] ?? "", /became task 0 and other/);
  assert.match(doubledTasks(orders, [ack(0), ack(0, "other")], [task(0)]).broken[0] ?? "", /answered with task 0 and other/);
  assert.match(doubledTasks(orders, [], [task(7)]).broken[0] ?? "", /no order/);
  assert.match(doubledTasks(orders, [], [task(0, { n: null })]).broken[0] ?? "", /no order/);
});

// A credit of 100, a task that held 30 and cost 20, and calls for 7, of which 2 are not in the ledger yet.
const entry = (transfer: string, account: string, bucket: string, amount: number) => ({ transfer, account, bucket, amount });
const books: Books = {
  accounts: [{ id: "a", available: 73, held: 0, spent: 27 }],
  entries: [
    entry("credit", "a", "available", 100),
    entry("credit", "house", "topups", -100),
    entry("hold", "a", "available", -30),
    entry("hold", "a", "held", 30),
    entry("end", "a", "held", -30),
    entry("end", "a", "available", 10),
    entry("end", "house", "revenue", 20),
    entry("calls", "a", "available", -5),
    entry("calls", "house", "revenue", 5),
  ],
  tasks: [{ account: "a", cost: 20 }],
  usage: [
    { account: "a", model: "m", calls: 1, cost: 5, paid: 5, transfer: "calls" },
    { account: "a", model: "n", calls: 1, cost: 2, paid: 2, transfer: "" },
  ],
  creditOf: () => 100,
};

test("entries, balances, holds, costs and credit agree", () => {
  assert.deepEqual(ledgerDifferences(books).broken, []);
});

test("every way in which they might not is seen", () => {
  const accounts = (change: object) => ({ accounts: books.accounts.map((account) => ({ ...account, ...change })) });
  const broken = (change: Partial<Books>) => ledgerDifferences({ ...books, ...change }).broken.join("\n");
  assert.match(broken({ entries: books.entries.slice(1) }), /all entries sum to -100/);
  assert.match(
    broken({ entries: [...books.entries, entry("x", "house", "revenue", 1), entry("y", "house", "topups", -1)] }),
    /transfer x sums to 1/,
  );
  assert.match(broken(accounts({ available: -1 })), /below zero/);
  assert.match(broken(accounts({ held: 3, available: 70 })), /no hold is open/);
  assert.match(broken(accounts({ available: 74 })), /less 2 that is not posted/);
  assert.match(broken(accounts({ spent: 25 })), /tasks cost 20 and its calls 7/);
  assert.match(broken({ creditOf: () => 99 }), /it was given 99/);
  assert.match(broken({ usage: books.usage.slice(0, 1) }), /less 0 that is not posted/);
});

test("leases are what the account counts, and never more than it has", () => {
  const leases = [
    { account: "a", node: "1", amount: 10 },
    { account: "a", node: "2", amount: 5 },
  ];
  assert.deepEqual(leaseDifferences([{ id: "a", leased: 15, available: 20 }], leases).broken, []);
  assert.equal(leaseDifferences([{ id: "a", leased: 10, available: 20 }], leases).broken.length, 1);
  assert.equal(leaseDifferences([{ id: "a", leased: 15, available: 14 }], leases).broken.length, 1);
});

test("a key counts no task when all have ended", () => {
  assert.equal(busyKeys([{ id: "k", running: 0, spent: 1 }]).broken.length, 0);
  assert.equal(busyKeys([{ id: "k", running: 1, spent: 1 }]).broken.length, 1);
});

test("the end that is told is the true one, and a stream or a wait tells it soon", () => {
  const told = (by: "events" | "poll", at: number, end: "SUCCESS" | "FAILURE" = "SUCCESS") => [{ n: 1, id: "task 1", by, at, end }];
  assert.deepEqual(wrongNews(told("events", 19_000), [task(1)], 15_000).broken, []);
  assert.match(wrongNews(told("events", 21_000), [task(1)], 15_000).broken[0] ?? "", /told 16.0 s after/);
  assert.deepEqual(wrongNews(told("poll", 60_000), [task(1)], 15_000).broken, []);
  assert.match(wrongNews(told("poll", 6_000, "FAILURE"), [task(1)], 15_000).broken[0] ?? "", /SUCCESS is true/);
  assert.match(wrongNews(told("poll", 6_000), [task(1, { finishedAt: null })], 15_000).broken[0] ?? "", /has not ended/);
});
