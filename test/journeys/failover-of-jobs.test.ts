import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import type { Script } from "../../lab/script.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";

type Seen = { id: string; status: string; cost_usd: number; error: { code: string } | null };

const speedy = { minSeconds: 0.2, maxSeconds: 0.2, queueSeconds: 0 };
const calm: Partial<Script> = { failRate: 0, policyRate: 0, resetRate: 0 };
let bad: Lab;
let good: Lab;
let gateway: TestGateway;
let client: Client;

before(async () => {
  bad = await createLab({ script: speedy });
  good = await createLab({ script: speedy });
  const provider = (lab: Lab) => `{ type: runway, base_url: "${lab.baseUrl("runway")}", keys: [lab-key], allow_private_network: true }`;
  gateway = await startGateway({
    yaml: [
      "providers:",
      `  bad: ${provider(bad)}`,
      `  good: ${provider(good)}`,
      "models:",
      "  gen4.5: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: bad }, { provider: good, priority: 1 }] }",
      "  only: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: bad, model: gen4.5 }] }",
      "",
    ].join("\n"),
  });
  client = createClient(gateway.url, (await gateway.customer(100)).key);
});
after(async () => {
  await gateway.end();
  await bad.close();
  await good.close();
});
afterEach(() => {
  bad.change(calm);
  good.change(calm);
});

async function run(model: string, prompt: string): Promise<Seen & { states: string[] }> {
  const { body } = await client.post<{ id: string }>(`/custom_video/model/${model}`, { prompt, duration: 2 });
  const states: string[] = [];
  const done = await eventually(
    async () => {
      const { body: task } = await client.get<Seen>(`/v1/tasks/${body.id}`);
      if (states.at(-1) !== task.status) states.push(task.status);
      return ["SUCCESS", "FAILURE"].includes(task.status) ? task : null;
    },
    { withinMs: 60_000, everyMs: 50 },
  );
  return { ...done, states };
}

const jobs = (lab: Lab, prompt: string) => lab.jobs().filter((job) => job.prompt === prompt).length;
const order = ["SUBMITTED", "QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"];

test("a job that fails at one provider is made by the next, under the same id and for one price", async () => {
  bad.change({ failRate: 1 });
  const earlier = await client.get<{ available_usd: number }>("/v1/balance");
  const { status, cost_usd: cost, states } = await run("gen4.5", "fails once");
  assert.equal(status, "SUCCESS");
  assert.deepEqual([jobs(bad, "fails once"), jobs(good, "fails once")], [1, 1]);
  assert.deepEqual(
    states,
    states.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    "states only go forward",
  );
  const { body } = await client.get<{ available_usd: number }>("/v1/balance");
  assert.equal(cost, 0.2);
  assert.ok(Math.abs(earlier.body.available_usd - body.available_usd - 0.2) < 1e-9);
});

test("a job whose content was refused is not shown to another provider", async () => {
  bad.change({ policyRate: 1 });
  const { status, error, cost_usd: cost } = await run("gen4.5", "not nice");
  assert.deepEqual([status, error?.code, cost], ["FAILURE", "content_policy", 0]);
  assert.deepEqual([jobs(bad, "not nice"), jobs(good, "not nice")], [1, 0]);
});

test("a job of which nobody knows whether it arrived is not made elsewhere", async () => {
  bad.change({ resetRate: 1 });
  const { status, error, cost_usd: cost } = await run("gen4.5", "lost");
  assert.deepEqual([status, error?.code, cost], ["FAILURE", "unknown_outcome", 0]);
  assert.equal(jobs(good, "lost"), 0);
});

test("where every provider fails, each is tried once and nothing is charged", async () => {
  bad.change({ failRate: 1 });
  good.change({ failRate: 1 });
  const { status, error, cost_usd: cost } = await run("gen4.5", "fails everywhere");
  assert.deepEqual([status, error?.code, cost], ["FAILURE", "upstream_error", 0]);
  assert.deepEqual([jobs(bad, "fails everywhere"), jobs(good, "fails everywhere")], [1, 1]);
});

test("where there is no other provider, a failed job is the end", async () => {
  bad.change({ failRate: 1 });
  assert.equal((await run("only", "fails alone")).status, "FAILURE");
  assert.equal(jobs(bad, "fails alone"), 1);
});
