import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startFleet } from "../nodes/fleet.ts";
import { databasesOf } from "../store/databases.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startReceiver } from "../support/receiver.ts";
import { figure, samplesOf } from "./figures.ts";

const fleet = await startFleet('outbound: { allow: ["127.0.0.0/8"] }');
after(() => fleet?.end());

type NodeShown = {
  id: string;
  object: string;
  name: string;
  role: string;
  version: string;
  seen_at: number;
  leases: number;
  leased_usd: number;
};

describe("the figures of a fleet", { skip: fleet === null && "no PostgreSQL on this machine" }, () => {
  if (fleet === null) return;
  const [one, two] = fleet.gateways;
  const { worker } = fleet;
  const chat = (at: string, key: string, tokens = 50) =>
    createClient(at, key).post("/v1/chat/completions", {
      model: "talker",
      messages: [{ role: "user", content: "hello" }],
      max_tokens: tokens,
    });
  const nodesShownBy = async ({ admin }: typeof one) => (await admin("GET", "/admin/v1/nodes")).body["data"] as NodeShown[];

  test("every gateway shows the same nodes, to the operator and to Prometheus", async () => {
    const roles = async (at: typeof one) => {
      const shown = (await nodesShownBy(at)).map(({ role }) => role).toSorted();
      return shown.length === 3 ? shown : null;
    };
    for (const at of [one, two])
      assert.deepEqual(await eventually(() => roles(at), { withinMs: 10_000 }), ["gateway", "gateway", "worker"]);
    const samples = await samplesOf(two);
    assert.equal(figure(samples, "genway_nodes", { role: "gateway", version: "test" }), 2);
    assert.equal(figure(samples, "genway_nodes", { role: "worker" }), 1);
    const { status } = await createClient(one.url, (await one.customer(1)).key).get("/admin/v1/nodes");
    assert.equal(status, 403);
  });

  test("what a node has leased is shown as its own there, and as another's elsewhere", async () => {
    const { key } = await one.customer(3);
    assert.equal((await chat(one.url, key)).status, 200);
    const owner = (await nodesShownBy(two)).find(({ leases }) => leases > 0);
    assert.ok(owner !== undefined && owner.leased_usd > 0 && owner.leased_usd <= 3, JSON.stringify(owner));
    assert.ok((figure(await samplesOf(one), "genway_leased_usd", { holder: "this" }) ?? 0) > 0);
    assert.ok((figure(await samplesOf(two), "genway_leased_usd", { holder: "others" }) ?? 0) > 0);
    assert.ok((figure(await samplesOf(one), "genway_purse_acts_total", { act: "lease" }) ?? 0) > 0);
  });

  test("a call that the balance cannot pay is a recall and a refusal", async () => {
    const { key } = await one.customer(0.000_001);
    assert.equal((await chat(two.url, key, 5_000)).status, 402);
    const samples = await samplesOf(two);
    for (const act of ["recall", "refuse"]) assert.ok((figure(samples, "genway_purse_acts_total", { act }) ?? 0) > 0, act);
    assert.ok((figure(samples, "genway_http_requests_total", { status: "402" }) ?? 0) > 0);
  });

  test("looks, chores, notes and webhooks are counted where they happen, and slots everywhere", async () => {
    const receiver = await startReceiver();
    const { key } = await one.customer(5);
    const body = { prompt: "a kite", duration: 2, notify_hook: `${receiver.url}/hook` };
    const made = await createClient(one.url, key).post("/custom_video/model/gen4.5", body, { headers: { prefer: "wait=30" } });
    assert.equal(made.status, 200, made.text);
    const told = async () => figure(await samplesOf(worker), "genway_webhooks_total", { outcome: "delivered" });
    await eventually(told, { withinMs: 10_000, what: "a delivered webhook" });
    await receiver.close();
    const [atGateway, atWorker] = [await samplesOf(one), await samplesOf(worker)];
    assert.ok((figure(atWorker, "genway_look_seconds_count") ?? 0) > 3);
    assert.equal(figure(atGateway, "genway_look_seconds_count"), 0);
    assert.ok((figure(atWorker, "genway_chores_total", { chore: "reconcile", outcome: "done" }) ?? 0) > 0);
    assert.ok((figure(atWorker, "genway_chores_total", { chore: "webhook", outcome: "done" }) ?? 0) > 0);
    assert.ok((figure(atGateway, "genway_bulletin_notes_total", { direction: "sent" }) ?? 0) > 0);
    assert.ok((figure(atWorker, "genway_bulletin_notes_total", { direction: "heard" }) ?? 0) > 0);
    for (const samples of [atGateway, atWorker]) {
      assert.equal(figure(samples, "genway_bulletin_connected"), 1);
      assert.ok((figure(samples, "genway_slots_limit", { lane: "runway" }) ?? 0) >= 1);
      assert.equal(figure(samples, "genway_slots_used", { lane: "runway" }), 0);
      assert.equal(figure(samples, "genway_check_ok", { check: "store" }), 1);
      assert.ok((figure(samples, "genway_store_connections") ?? 0) > 0);
    }
    assert.equal(figure(atGateway, "genway_check_ok", { check: "dispatcher" }), null);
    assert.equal(figure(atWorker, "genway_check_ok", { check: "dispatcher" }), 1);
  });

  test("tasks that nobody runs show how long they wait, and /ready says so and stays green", async () => {
    const url = await databasesOf({ url: fleet.url, stop: async () => undefined }).create("alone");
    const alone = await startGateway({ yaml: `${lonely}store: { url: "${url}" }\n`, env: { GENWAY_ROLE: "gateway" } });
    const { key } = await alone.customer(5);
    const { status, text } = await createClient(alone.url, key).post("/musicA/submit/lyrics", { prompt: "the sea" });
    assert.equal(status, 200, text);
    const waited = async () => {
      const samples = await samplesOf(alone);
      assert.equal(figure(samples, "genway_steps", { lane: "local:lyrics", phase: "start" }), 1);
      return (figure(samples, "genway_steps_overdue_seconds", { lane: "local:lyrics", phase: "start" }) ?? 0) > 0.2;
    };
    await eventually(waited);
    const ready = await fetch(`${alone.url}/ready`);
    const { checks } = (await ready.json()) as { checks: Record<string, string> };
    assert.deepEqual([ready.status, checks["workers"]], [200, "none is alive; tasks wait"]);
    assert.equal(figure(await samplesOf(alone), "genway_check_ok", { check: "workers" }), 0);
    await alone.end();
  });
});

const lonely = "local: true\nmodels: { lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: { per_call: 0.01 } } }\n";

test("one process alone shows its queues, and nothing of others", async () => {
  const gateway = await startGateway({ store: "sqlite" });
  const samples = await samplesOf(gateway);
  assert.equal(figure(samples, "genway_nodes", { role: "both" }), 1);
  assert.equal(figure(samples, "genway_steps", { lane: "prune", phase: "chore" }), 1);
  assert.equal(figure(samples, "genway_steps_overdue_seconds", { lane: "prune", phase: "chore" }), 0);
  for (const name of ["genway_bulletin_connected", "genway_store_connections", "genway_leased_usd"])
    assert.equal(figure(samples, name), null, name);
  await gateway.end();
});
