import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { describeConfiguration } from "../../lab/configuration.ts";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { createTestClock, type TestClock } from "../support/test-clock.ts";

type Seen = { status: string; error: { code: string } | null };

/** The clock of both stands still unless told: only a callback can make the gateway ask before its time. */
let clock: TestClock;
let lab: Lab;
let gateway: TestGateway;
let client: Client;

before(async () => {
  clock = createTestClock();
  lab = await createLab({ now: clock.now, script: { minSeconds: 1, maxSeconds: 1, queueSeconds: 0 } });
  gateway = await startGateway({ yaml: describeConfiguration(lab, "lab-key"), clock: clock.now });
  client = createClient(gateway.url, (await gateway.customer(100)).key);
});
after(async () => {
  await gateway.end();
  await lab.close();
});

const seen = async (id: string) => (await client.get<Seen>(`/v1/tasks/${id}`)).body;
const isDone = async (id: string) => {
  const task = await seen(id);
  return ["SUCCESS", "FAILURE"].includes(task.status) ? task : null;
};

async function begin(path: string, body: object): Promise<string> {
  const { body: task } = await client.post<{ id: string }>(path, body);
  await eventually(async () => ((await seen(task.id)).status === "SUBMITTED" ? null : task), { withinMs: 15_000 });
  return task.id;
}

/** The upstream is done, and it is not yet time to ask. */
async function finishUpstream(): Promise<void> {
  clock.advance(1_100);
  await lab.sendCallbacks();
}

const wires = [
  ["unsigned (luma)", "/custom_video/model/ray-2", { duration: 5 }],
  ["Standard Webhooks (kling)", "/custom_video/model/kling-3.0", { duration: 5 }],
  ["a challenge first (minimax)", "/custom_video/model/MiniMax-Hailuo-2.3", { duration: 6 }],
  ["HMAC of the request (vidu)", "/custom_video/model/viduq3-pro", { duration: 5 }],
  ["HMAC of the body (bfl)", "/v1/images/generations", { model: "flux-2-pro", async: true }],
  ["Ed25519 (fal)", "/custom_video/model/fal-ai%2Fpika%2Fv2.2%2Ftext-to-video", { duration: 5 }],
] as const;

for (const [scheme, path, fields] of wires) {
  describe(scheme, () => {
    test("a callback makes the gateway ask at once, long before its time", async () => {
      const id = await begin(path, { ...fields, prompt: `told ${scheme}` });
      await finishUpstream();
      const task = await eventually(() => isDone(id), { withinMs: 15_000 });
      assert.equal(task.status, "SUCCESS");
    });

    test("callbacks that come twice and in the wrong order change nothing", async () => {
      const twice = await begin(path, { ...fields, prompt: `[lab:callback=twice] ${scheme}` });
      const late = await begin(path, { ...fields, prompt: `[lab:callback=late] ${scheme}` });
      await finishUpstream();
      for (const id of [twice, late]) assert.equal((await eventually(() => isDone(id), { withinMs: 15_000 })).status, "SUCCESS");
    });

    test("a forged callback is refused, and the job is asked about in its time", async () => {
      const prompt = `[lab:callback=forged] ${scheme}`;
      const id = await begin(path, { ...fields, prompt });
      await finishUpstream();
      const tries = lab.callbacks().filter((sent) => sent.prompt === prompt && sent.fate === "forged");
      assert.ok(tries.length > 0 && tries.every(({ status }) => status === 401 || status === 404), JSON.stringify(tries));
      // Pictures are asked about so often that they may be done already.
      if (path.startsWith("/custom_video")) assert.equal(await isDone(id), null);
      clock.advance(60_000);
      assert.equal((await eventually(() => isDone(id), { withinMs: 15_000 })).status, "SUCCESS");
    });
  });
}

test("a lost callback costs time and nothing else", async () => {
  const id = await begin("/custom_video/model/ray-2", { prompt: "[lab:callback=lost]", duration: 5 });
  await finishUpstream();
  assert.equal(await isDone(id), null);
  clock.advance(60_000);
  assert.equal((await eventually(() => isDone(id), { withinMs: 15_000 })).status, "SUCCESS");
});

test("nobody can call back without the token of a job", async () => {
  const { status } = await client.post("/callbacks/luma/not-a-token", { id: "x" }, { key: null });
  assert.equal(status, 404);
});
