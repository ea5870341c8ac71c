import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { createTestClock } from "../support/test-clock.ts";

type Alert = { id: string; object: string; account: string; kind: string; says: string; detail: Record<string, unknown>; at: number };
type List = { data: Alert[] };

const clock = createTestClock();
let gateway: TestGateway;
let receiver: Receiver;
let client: Client;
let account: string;

before(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({ clock: clock.now, env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
  const customer = await gateway.customer(0.0153);
  account = customer.account;
  client = createClient(gateway.url, customer.key);
  const { status } = await client.post("/v1/webhooks", { url: `${receiver.url}/told`, events: ["budget.reached", "balance.low"] });
  assert.equal(status, 200);
});
after(async () => {
  await gateway.end();
  await receiver.close();
});

async function write(): Promise<void> {
  const { status } = await client.post("/musicA/submit/lyrics", { prompt: "a kite" }, { headers: { prefer: "wait=30" } });
  assert.equal(status, 200);
}

async function alerts(count: number): Promise<Alert[]> {
  return eventually(async () => {
    clock.advance(30_000);
    const { body } = await client.get<List>("/v1/alerts");
    return body.data.length >= count && body.data;
  });
}

test("a budget is set, shown, refused where it makes no sense, and taken away", async () => {
  const path = `/admin/v1/accounts/${account}`;
  const { body: fresh } = await gateway.admin("GET", path);
  assert.deepEqual([fresh["monthly_budget_usd"], fresh["budget_alerts"], fresh["spent_this_month_usd"]], [null, [80, 100], 0]);
  for (const wrong of [
    { monthly_budget_usd: 0 },
    { monthly_budget_usd: "1" },
    { budget_alerts: [] },
    { budget_alerts: [0] },
    { budget_alerts: [1.5] },
  ])
    assert.equal((await gateway.admin("PATCH", path, wrong)).status, 400, JSON.stringify(wrong));
  const { body: set } = await gateway.admin("PATCH", path, { monthly_budget_usd: 0.012, budget_alerts: [100, 40, 40] });
  assert.deepEqual([set["monthly_budget_usd"], set["budget_alerts"]], [0.012, [40, 100]]);
  const { body: renamed } = await gateway.admin("PATCH", path, { name: "shop" });
  assert.deepEqual([renamed["name"], renamed["monthly_budget_usd"]], ["shop", 0.012]);
  assert.equal((await gateway.admin("PATCH", path, { monthly_budget_usd: null })).body["monthly_budget_usd"], null);
  await gateway.admin("PATCH", path, { monthly_budget_usd: 0.012 });
});

test("each mark is told once: as an alert, a webhook, a metric and a line in the log; and nothing is stopped", async () => {
  await write();
  const [first] = await alerts(1);
  assert.deepEqual([first?.object, first?.account, first?.kind], ["alert", account, "budget"]);
  const month = new Date((first?.at ?? 0) * 1000).toISOString().slice(0, 7);
  assert.deepEqual(first?.detail, { mark: 40, budget_usd: 0.012, spent_usd: 0.005, month });
  const message = await receiver.next("/told");
  assert.equal(message.body["type"], "budget.reached");
  assert.deepEqual(message.body["data"], first);
  await write();
  await write();
  const all = await alerts(3);
  assert.deepEqual(
    new Set(all.map(({ kind, detail }) => `${kind} ${String(detail["mark"])}`)),
    new Set(["balance undefined", "budget 40", "budget 100"]),
  );
  const low = all.find(({ kind }) => kind === "balance");
  assert.deepEqual(low?.detail, { available_usd: 0.0003, credited_usd: 0.0153 });
  assert.match(low?.says ?? "", /low/);
  await receiver.next("/told", ({ body }) => body["type"] === "balance.low");
  await eventually(() => receiver.at("/told").length === 3);
  const { text } = await gateway.metrics();
  assert.match(text, /genway_alerts_total\{kind="budget"[^}]*\} 2/);
  assert.match(text, /genway_alerts_total\{kind="balance"[^}]*\} 1/);
  assert.equal(gateway.logged.filter((line) => line.includes("of the budget")).length, 2);
});

test("they are told no more after that, and an operator sees them too", async () => {
  for (let minute = 0; minute < 4; minute++) {
    clock.advance(61_000);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  assert.equal((await alerts(3)).length, 3);
  assert.equal(receiver.at("/told").length, 3);
  const { body } = await gateway.admin("GET", `/admin/v1/alerts?account=${account}`);
  assert.deepEqual((body as unknown as List).data, await alerts(3));
  assert.equal((await gateway.admin("GET", "/admin/v1/alerts")).status, 200);
  const { key } = await gateway.customer(1);
  assert.deepEqual((await client.as(key).get<List>("/v1/alerts")).body.data, []);
});
