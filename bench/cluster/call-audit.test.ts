import assert from "node:assert/strict";
import test from "node:test";
import type { LabCall } from "../../lab/calls/ledger.ts";
import { auditCalls, type CallEvidence } from "./call-audit.ts";
import { makeCallOrders, nameOfTry, requestOf, tryIn } from "./call-orders.ts";
import type { CallOutcome } from "./callers.ts";
import type { UsageRow } from "./rows.ts";

const name = nameOfTry(7, 3, 1);
const outcome = (change: Partial<CallOutcome> = {}): CallOutcome => ({
  name,
  customer: 0,
  operation: "chat",
  is: "whole",
  at: 10_000,
  detail: "",
  ...change,
});
const delivered = { prompt: `call ${name} of rain`, promptTokens: 10, completionTokens: 5, ended: "complete" } as LabCall;
const row = (change: Partial<UsageRow> = {}): UsageRow => ({
  account: "a",
  model: `storm-chat-${name}`,
  calls: 1,
  cost: 4_500,
  paid: 4_500,
  transfer: "",
  ...change,
});
const evidence = (change: Partial<CallEvidence>): CallEvidence => ({
  outcomes: [outcome()],
  usage: [row()],
  calls: [delivered],
  incidents: [],
  ...change,
});
const broken = (change: Partial<CallEvidence>) =>
  auditCalls(evidence(change)).verdicts.flatMap((verdict) => verdict.broken.map((one) => `${verdict.promise}: ${one}`));

test("a whole reply that was charged once at its price is as it should be", () => {
  assert.deepEqual(broken({}), []);
});

test("a whole reply without a charge is forgiven only where the database was killed within a second", () => {
  const kill = (at: number) => [{ what: "database" as const, at, backAt: at + 2_000 }];
  assert.match(broken({ usage: [] })[0] ?? "", /not charged/);
  assert.match(broken({ usage: [], incidents: kill(11_500) })[0] ?? "", /not charged/);
  assert.match(broken({ usage: [], incidents: kill(8_000) })[0] ?? "", /not charged/);
  assert.deepEqual(broken({ usage: [], incidents: kill(10_500) }), []);
  assert.equal(auditCalls(evidence({ usage: [], incidents: kill(10_500) })).sums.forgiven.length, 1);
});

test("no call is charged twice, for nothing, for nobody or at another price", () => {
  assert.match(broken({ usage: [row({ calls: 2, cost: 9_000 })] })[0] ?? "", /charged 2 times/);
  assert.match(broken({ usage: [row(), row({ transfer: "posted" })] })[0] ?? "", /charged 2 times/);
  assert.match(broken({ calls: [] })[0] ?? "", /delivered 0 times/);
  assert.match(broken({ usage: [row(), row({ model: "storm-chat-7-4.1" })] })[0] ?? "", /nobody asked for/);
  assert.match(broken({ usage: [row({ cost: 4_501 })] })[0] ?? "", /wrong price/);
});

test("a reply that broke off may be charged for what came of it, once", () => {
  const lost = { outcomes: [outcome({ is: "lost" })] };
  assert.deepEqual(broken(lost), []);
  assert.deepEqual(broken({ ...lost, usage: [] }), []);
  assert.equal(auditCalls(evidence(lost)).sums.chargedUnfinished.length, 1);
  assert.match(broken({ ...lost, usage: [row({ calls: 2 })] })[0] ?? "", /charged 2 times/);
});

test("the try of a call is found in its prompt and in the name of its model", () => {
  const orders = makeCallOrders({ count: 20, customers: 2, keys: 2, random: () => 0.5 });
  const wire = (order: (typeof orders)[number]) => JSON.stringify(requestOf(order, nameOfTry(7, order.n, 2)).body);
  assert.deepEqual(
    orders.map((order) => tryIn(wire(order))),
    orders.map(({ n }) => `7-${n}.2`),
  );
  assert.equal(tryIn("call 7-3.1 of rain"), "7-3.1");
  assert.equal(tryIn("order 7-3 of rain"), null);
});
