import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { createLab } from "./lab.ts";
import type { Lab, LabOptions } from "./lab.ts";
import { createRandom, readMarks } from "./script.ts";

async function labFor(context: TestContext, options: LabOptions = {}): Promise<Lab> {
  const lab = await createLab(options);
  context.after(() => lab.close());
  return lab;
}

function submit(lab: Lab, prompt: string, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ model: "gen4.5", promptText: prompt, ratio: "1280:720", duration: 5 });
  const all = { authorization: "Bearer lab-key", "x-runway-version": "2024-11-06", "content-type": "application/json", ...headers };
  return fetch(`${lab.baseUrl("runway")}/v1/text_to_video`, { method: "POST", headers: all, body });
}

async function statusOf(lab: Lab, submitted: Response): Promise<unknown> {
  const { id } = await asRecord(submitted);
  const reply = await fetch(`${lab.baseUrl("runway")}/v1/tasks/${String(id)}`, { headers: { authorization: "Bearer lab-key" } });
  return (await asRecord(reply))["status"];
}

async function asRecord(reply: Response): Promise<Record<string, unknown>> {
  const body: unknown = await reply.json();
  return Object.fromEntries(Object.entries(Object(body)));
}

test("marks have names, values and counts", () => {
  const marks = readMarks("a [lab:reset] b [lab:fail=SAFETY.INPUT] [lab:503=5 x2] [lab:seconds=1.5]");
  assert.deepEqual(marks.get("reset"), { name: "reset", value: "", times: Number.POSITIVE_INFINITY });
  assert.equal(marks.get("fail")?.value, "SAFETY.INPUT");
  assert.deepEqual(marks.get("503"), { name: "503", value: "5", times: 2 });
  assert.equal(marks.get("seconds")?.value, "1.5");
});

test("a seed gives the same chances again, and they are spread", () => {
  const roll = (seed: number) => Array.from({ length: 1_000 }, createRandom(seed));
  assert.deepEqual(roll(7), roll(7));
  assert.notDeepEqual(roll(7), roll(8));
  const mean = roll(7).reduce((sum, number) => sum + number, 0) / 1_000;
  assert.ok(mean > 0.45 && mean < 0.55);
});

test("jobs live by the clock and the speed, and are listed with what was sent", async (context) => {
  let now = 1_000_000;
  const lab = await labFor(context, { now: () => now, speed: 10, script: { minSeconds: 60, maxSeconds: 60, queueSeconds: 10 } });
  const submitted = await submit(lab, "waves", { "idempotency-key": "t-1" });
  const [job] = lab.jobs();
  assert.deepEqual([job?.prompt, job?.reference, job?.state, job?.submittedAt], ["waves", "t-1", "queued", 1_000_000]);
  now += 1_500;
  assert.equal(await statusOf(lab, submitted.clone()), "RUNNING");
  now += 6_000;
  assert.equal(await statusOf(lab, submitted), "SUCCEEDED");
  const listed: unknown = await (await fetch(`${lab.url}/lab/jobs?prompt=wave`)).json();
  assert.deepEqual(Array.isArray(listed) && listed.map(({ state, polls }) => [state, polls]), [["done", 2]]);
  assert.deepEqual(await (await fetch(`${lab.url}/lab/jobs?prompt=none`)).json(), []);
});

test("the script is changed while the lab runs, and nonsense is refused", async (context) => {
  const lab = await labFor(context, {});
  const change = (body: object) => fetch(`${lab.url}/lab/script`, { method: "POST", body: JSON.stringify(body) });
  const reply = await change({ limitRate: 1, retryAfterSeconds: 9 });
  assert.equal((await asRecord(reply))["limitRate"], 1);
  const limited = await submit(lab, "waves");
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "9"]);
  for (const nonsense of [{ failRat: 1 }, { failRate: 2 }, { minSeconds: "x" }, { minSeconds: 9, maxSeconds: 1 }]) {
    assert.equal((await change(nonsense)).status, 400, JSON.stringify(nonsense));
  }
});

test("rates decide over jobs in their share", async (context) => {
  let now = 0;
  const lab = await labFor(context, { now: () => now, script: { failRate: 0.3, errorRate: 0.2 } });
  const replies = [];
  for (let count = 0; count < 200; count++) replies.push((await submit(lab, `job ${count}`)).status);
  const errors = replies.filter((status) => status === 500).length;
  assert.ok(errors > 20 && errors < 60, `${errors} of 200 submits failed`);
  assert.equal(lab.jobs().length, 200 - errors);
  now = 60_000;
  const failed = lab.jobs().filter(({ state }) => state === "failed").length;
  assert.ok(failed > 25 && failed < 75, `${failed} of ${200 - errors} jobs failed`);
});

test("a mark with a count spoils that many answers and then no more", async (context) => {
  const lab = await labFor(context, {});
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await submit(lab, "[lab:503 x2]")).status);
  assert.deepEqual(statuses, [503, 503, 200]);
});

test("requests that the real upstream would refuse are refused", async (context) => {
  const lab = await labFor(context, {});
  assert.equal((await submit(lab, "waves", { authorization: "Bearer wrong" })).status, 401);
  assert.equal((await submit(lab, "waves", { "x-runway-version": "2020" })).status, 400);
  assert.equal((await submit(lab, "x".repeat(1_001))).status, 400);
  assert.equal(lab.jobs().length, 0);
});

test("npm run lab prints its address and a configuration for every upstream", { timeout: 20_000 }, async () => {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, "--port", "0", "--min-seconds", "600", "--max-seconds", "1200"]);
  let text = "";
  child.stdout.on("data", (more) => (text += String(more)));
  while (!text.includes("price")) await once(child.stdout, "data");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? "";
  const script = await asRecord(await fetch(`${url}/lab/script`));
  assert.deepEqual([script["minSeconds"], script["maxSeconds"]], [600, 1_200]);
  assert.ok(text.includes(`base_url: "${url}/suno-relay"`) && text.includes("allow_private_network: true") && text.includes("chirp-*"));
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});
