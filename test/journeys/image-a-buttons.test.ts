import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startMidjourneyUpstream } from "../support/midjourney-upstream.ts";
import { png } from "../support/samples.ts";
import { createTestClock } from "../support/test-clock.ts";
import type { ImageTask, MidjourneyError, Quote, Submitted } from "../support/wire.ts";

const upstream = await startMidjourneyUpstream();
const clock = createTestClock();
const gateway = await startGateway({
  clock: clock.now,
  yaml: `
providers:
  mj: { type: midjourney-proxy, base_url: "${upstream.url}", keys: ["secret"], allow_private_network: true }
models:
  midjourney: { kinds: [image], routes: [{ provider: mj }], price: { per_call: 0.10 } }
`,
});
after(async () => {
  await gateway.end();
  await upstream.close();
});
const client = createClient(gateway.url, (await gateway.customer(50)).key);
const mask = `data:image/png;base64,${png(64, 64).toString("base64")}`;
/** Every record that a client was shown. */
const shown: string[] = [];

async function get(id: string): Promise<ImageTask> {
  const { body, text } = await client.get<ImageTask>(`/mj/task/${id}/fetch`);
  shown.push(text);
  return body;
}
const submit = (way: string, body: object, options = {}) => client.post<Submitted>(`/mj/submit/${way}`, body, options);

/** The task once it has ended; time passes meanwhile, but not while the job is being sent. */
async function ended(id: string): Promise<ImageTask> {
  const look = async () => String((await gateway.admin("GET", `/admin/v1/tasks/${id}`)).body["status"]);
  await eventually(async () => (await look()) !== "SUBMITTED", { what: "the upstream's answer" });
  return eventually(async () => {
    const task = await get(id);
    if (/SUCCESS|FAILURE/.test(task.status)) return task;
    clock.advance(4_000);
    return null;
  });
}

async function made(way: string, body: object): Promise<ImageTask> {
  const reply = await submit(way, body);
  assert.equal(reply.body.code, 1, reply.text);
  const task = await ended(reply.body.result);
  assert.equal(task.status, "SUCCESS", JSON.stringify(task));
  return task;
}

function button(task: ImageTask, part: string): string {
  const found = task.buttons.find(({ customId }) => customId.includes(part));
  assert.ok(found !== undefined, `${part} in ${JSON.stringify(task.buttons)}`);
  return found.customId;
}

const lastTold = () => upstream.told.at(-1);
const grid = await made("imagine", { prompt: "a cat --ar 3:2 --v 6.1" });
const single = await made("change", { taskId: grid.id, action: "UPSCALE", index: 2 });

test("a Midjourney upstream is given the prompt as it was written", () => {
  const [first] = upstream.told;
  assert.equal(first?.path, "/mj/submit/imagine");
  assert.equal(first?.body["prompt"], "a cat --ar 3:2 --v 6.1");
  assert.equal(first?.body["botType"], "MID_JOURNEY");
});

test("its buttons are shown with our id in them, and those that lead nowhere are not", () => {
  assert.deepEqual(
    grid.buttons.map(({ customId }) => customId),
    ["upsample::1", "upsample::2", "variation::1", "reroll::0"].map(
      (name) => `MJ::JOB::${name}::${grid.id}${name === "reroll::0" ? "::SOLO" : ""}`,
    ),
  );
  assert.equal(single.buttons.length, 3);
});

test("a change presses the upstream's own button", () => {
  const told = upstream.told.find(({ path }) => path === "/mj/submit/action");
  assert.match(String(told?.body["customId"]), /^MJ::JOB::upsample::2::b1c2d3e4-/);
  assert.deepEqual([single.action, single.prompt], ["UPSCALE", grid.prompt]);
});

test("a change in one line does the same", async () => {
  const varied = await made("simple-change", { content: `${grid.id} V1`, state: "line" });
  assert.deepEqual([varied.action, varied.state], ["VARIATION", "line"]);
  assert.match(String(lastTold()?.body["customId"]), /^MJ::JOB::variation::1::b1c2d3e4-/);
  const again = await made("simple-change", { content: `${grid.id} R` });
  assert.equal(again.action, "REROLL");
});

test("a press of a button that was shown goes to the upstream under its own name", async () => {
  const strong = await made("action", { taskId: single.id, customId: button(single, "high_variation") });
  assert.equal(strong.action, "HIGH_VARIATION");
  assert.match(String(lastTold()?.body["customId"]), /^MJ::JOB::high_variation::1::b1c2d3e4-.*::SOLO$/);
});

test("what is no button of the task is refused, as is a picture that it has not", async () => {
  const pressed = await client.post<MidjourneyError>("/mj/submit/action", { taskId: grid.id, customId: button(single, "Inpaint") });
  assert.deepEqual([pressed.status, pressed.body.code, pressed.body.error.param], [400, 4, "customId"]);
  const fourth = await client.post<MidjourneyError>("/mj/submit/change", { taskId: single.id, action: "UPSCALE", index: 4 });
  assert.deepEqual([fourth.status, fourth.body.error.param], [400, "index"]);
  const without = await client.post<MidjourneyError>("/mj/submit/change", { taskId: grid.id, action: "VARIATION" });
  assert.deepEqual([without.status, without.body.error.param], [400, "index"]);
});

test("four pictures in one are not made a video", async () => {
  const reply = await client.post<MidjourneyError>("/mj/submit/video", { taskId: grid.id, prompt: "it moves" });
  assert.deepEqual([reply.status, reply.body.error.param], [400, "taskId"]);
});

test("somebody else's task cannot be gone on from", async () => {
  const stranger = client.as((await gateway.customer(1)).key);
  const reply = await stranger.post<MidjourneyError>("/mj/submit/action", { taskId: single.id, customId: button(single, "Inpaint") });
  assert.deepEqual([reply.status, reply.body.code, reply.body.error.code], [404, 3, "task_not_found"]);
});

test("a button that asks for more answers 21, waits, and starts under the same id once more is said", async () => {
  const spent = async () => (await client.get("/v1/balance")).body["available_usd"];
  const before = await spent();
  const opened = await submit("action", { taskId: single.id, customId: button(single, "Inpaint"), state: "region" });
  assert.deepEqual([opened.status, opened.body.code], [200, 21]);
  const id = opened.body.result;
  const waiting = await get(id);
  assert.deepEqual([waiting.id, waiting.status, waiting.action, waiting.state], [id, "MODAL", "INPAINT", "region"]);
  assert.deepEqual((await client.post<ImageTask[]>("/mj/task/list-by-ids", { ids: [id] })).body, [waiting]);
  assert.equal(await spent(), before);
  assert.equal((await client.post(`/mj/task/${id}/cancel`)).status, 409);

  const unmasked = await client.post<MidjourneyError>("/mj/submit/modal", { taskId: id, prompt: "a hat" });
  assert.deepEqual([unmasked.status, unmasked.body.error.param], [400, "maskBase64"]);
  const said = { taskId: id, prompt: "a red hat", maskBase64: mask };
  const both = await Promise.all([submit("modal", said), submit("modal", said)]);
  for (const { status, body } of both) assert.deepEqual([status, body.code, body.result], [200, 1, id]);
  const done = await ended(id);
  assert.deepEqual([done.id, done.status, done.action, done.prompt, done.state], [id, "SUCCESS", "INPAINT", "a red hat", "region"]);
  const sent = upstream.told.filter(({ path }) => path === "/mj/submit/modal");
  assert.deepEqual([sent.length, sent[0]?.body["prompt"], sent[0]?.body["maskBase64"]], [1, "a red hat", mask]);
  assert.deepEqual((await submit("modal", said)).body, both[0]?.body);
  assert.equal(Number(before) - Number(await spent()) < 0.11, true);
});

test("a custom zoom says in its prompt how far", async () => {
  const opened = await submit("action", { taskId: single.id, customId: button(single, "CustomZoom") });
  await submit("modal", { taskId: opened.body.result });
  const done = await ended(opened.body.result);
  assert.deepEqual([done.status, done.action], ["SUCCESS", "CUSTOM_ZOOM"]);
  const { path, body } = lastTold() ?? { path: "", body: {} };
  assert.deepEqual([path, body["prompt"]], ["/mj/submit/modal", "a cat --ar 3:2 --v 6.1 --zoom 2"]);
});

test("a description is numbered, and each of its prompts can be painted", async () => {
  const described = await made("describe", { base64: mask });
  assert.equal(described.properties.finalPrompt, "1️⃣ a grey square --ar 3:2\n\n2️⃣ fog");
  const painted = await made("action", { taskId: described.id, customId: button(described, "PicReader::1") });
  assert.deepEqual([painted.action, painted.prompt], ["IMAGINE", "a grey square --ar 3:2"]);
  assert.equal(lastTold()?.path, "/mj/submit/imagine");
});

test("a create can be priced", async () => {
  const { status, body } = await client.post<Quote>("/v1/quote", { path: "/mj/submit/imagine", body: { prompt: "a cat" } });
  assert.deepEqual([status, body.amount_usd], [200, 0.1]);
});

test("no id of the upstream was ever shown, and every reply keeps the contract", async () => {
  assert.ok(shown.length > 10 && upstream.secrets().length > 10);
  for (const secret of upstream.secrets()) assert.ok(!shown.join("\n").includes(secret), secret);
  await client.book.check();
});
