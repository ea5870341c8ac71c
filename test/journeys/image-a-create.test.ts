import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startReceiver } from "../support/receiver.ts";
import { png, uuid } from "../support/samples.ts";
import type { ImageTask, MidjourneyError, Submitted } from "../support/wire.ts";

const gateway = await startGateway({ env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
after(() => gateway.end());
const client = createClient(gateway.url, (await gateway.customer(5)).key);
const dataUri = (width = 64, height = 64) => `data:image/png;base64,${png(width, height).toString("base64")}`;
const wait = { headers: { prefer: "wait=60" } };
const imagine = (body: object, options = {}) => client.post<Submitted>("/imageA/submit/imagine", body, options);
const get = async (id: string) => (await client.get<ImageTask>(`/imageA/task/${id}/fetch`)).body;

const made = (
  await client.post<ImageTask>("/mj/submit/imagine", { prompt: "a lighthouse at night --ar 3:2 --seed 7 --no text", state: "s-1" }, wait)
).body;

async function refused(path: string, body: unknown): Promise<MidjourneyError> {
  const reply = await client.post<MidjourneyError>(path, body);
  assert.equal(reply.status, 400, `${path} ${JSON.stringify(body).slice(0, 200)} → ${reply.text}`);
  assert.equal(reply.body.code, 4);
  return reply.body;
}

test("a create answers code 1 with the task's id, which can be asked for and cancelled", async () => {
  const { status, body, headers } = await imagine({ prompt: "a cat", botType: "NIJI_JOURNEY" });
  assert.deepEqual([status, { ...body, result: "" }], [200, { code: 1, description: "Submit success", result: "", properties: {} }]);
  assert.match(body.result, uuid);
  assert.equal(headers.get("x-genway-provider"), "local");
  assert.equal((await client.get(`/v1/tasks/${body.result}`)).body["model"], "niji");
  const cancelled = await client.post<Submitted>(`/imageA/task/${body.result}/cancel`);
  assert.deepEqual([cancelled.status, cancelled.body.code, cancelled.body.result], [200, 1, body.result], cancelled.text);
  assert.equal((await get(body.result)).status, "CANCEL");
  const twice = await client.post<MidjourneyError>(`/imageA/task/${body.result}/cancel`);
  assert.deepEqual([twice.status, twice.body.error.code], [409, "task_finished"]);
});

test("with Prefer: wait the reply is the record of the finished pictures, whose links work", async () => {
  assert.deepEqual([made.status, made.action, made.progress, made.state], ["SUCCESS", "IMAGINE", "100%", "s-1"]);
  assert.equal(made.prompt, "a lighthouse at night --ar 3:2 --seed 7 --no text");
  assert.ok(made.submitTime <= made.startTime && made.startTime <= made.finishTime && made.submitTime > 1e12);
  assert.equal(made.imageUrls.length, 4);
  for (const { url } of [{ url: made.imageUrl }, ...made.imageUrls]) {
    const picture = await fetch(url);
    assert.deepEqual([picture.status, picture.headers.get("content-type")?.startsWith("image/")], [200, true]);
  }
  assert.ok(made.buttons.every(({ customId }) => customId.endsWith(made.id)));
});

test("the shape in the prompt is the shape of the pictures, and the parameters are not painted", async () => {
  const bytes = Buffer.from(await (await fetch(made.imageUrls[0]?.url ?? "")).arrayBuffer());
  const ratio = bytes.readUInt32BE(16) / bytes.readUInt32BE(20);
  assert.ok(Math.abs(ratio - 1.5) < 0.05, `width / height is ${ratio}`);
  assert.equal(made.properties.finalPrompt, "a lighthouse at night");
});

test("the seed can be asked for", async () => {
  const { status, body } = await client.get<Submitted>(`/mj/task/${made.id}/image-seed`);
  assert.deepEqual([status, body.code, body.result], [200, 1, "7"]);
});

test("every prefix leads to the same tasks", async () => {
  for (const prefix of ["/imageA", "/mj", "/mj-fast/mj", "/mj-relax/mj", "/mj-turbo/mj"]) {
    const { status, body } = await client.get<ImageTask>(`${prefix}/task/${made.id}/fetch`);
    assert.deepEqual([status, body.id, body.imageUrls.length], [200, made.id, 4], prefix);
  }
  const { body } = await client.post<Submitted>("/mj-fast/mj/submit/imagine", { prompt: "a dog" });
  assert.match(body.result, uuid);
  await client.post(`/mj/task/${body.result}/cancel`);
});

test("a key may come as mj-api-secret", async () => {
  const headers = { "mj-api-secret": client.key ?? "" };
  assert.equal((await client.get(`/mj/task/${made.id}/fetch`, { key: null, headers })).status, 200);
  const wrong = await client.get<MidjourneyError>(`/mj/task/${made.id}/fetch`, { key: null, headers: { "mj-api-secret": "gw_wrong" } });
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.error.code], [401, 4, "invalid_key"]);
});

test("lists are bare, in the order asked for, and leave out what is unknown or somebody else's", async () => {
  const stranger = createClient(gateway.url, (await gateway.customer(1)).key, client.book);
  const ids = ["01234567-89ab-7def-8123-000000000000", made.id, made.id];
  for (const path of ["/imageA/task/list-by-condition", "/mj/task/list-by-ids"]) {
    const { status, body } = await client.post<ImageTask[]>(path, { ids });
    assert.deepEqual([status, body.map(({ id }) => id)], [200, [made.id]]);
    assert.deepEqual((await stranger.post<ImageTask[]>(path, { ids })).body, []);
  }
  assert.deepEqual((await client.post("/mj/task/list-by-condition", { ids: [] })).body, []);
  await refused("/mj/task/list-by-condition", { ids: Array.from({ length: 101 }, () => "x") });
  const foreign = await stranger.get<MidjourneyError>(`/mj/task/${made.id}/fetch`);
  assert.deepEqual([foreign.status, foreign.body.code, foreign.body.error.code], [404, 3, "task_not_found"]);
});

test("what is wrong with a request is said in this dialect's shape", async () => {
  assert.equal((await refused("/mj/submit/imagine", {})).error.param, "prompt");
  await refused("/mj/submit/imagine", { prompt: "--ar 1:1" });
  assert.match((await refused("/mj/submit/imagine", { prompt: "a cat --ar 1:99" })).description, /--ar/);
  assert.equal((await refused("/mj/submit/imagine", { prompt: "a cat", base64Array: ["nothing"] })).error.param, "base64Array.0");
  assert.equal((await refused("/mj/submit/imagine", { prompt: "a cat", base64Array: ["file_unknown"] })).error.param, "base64Array.0");
  await refused("/mj/submit/imagine", { prompt: "a cat", botType: "OTHER" });
  await refused("/mj/submit/blend", { base64Array: [dataUri()] });
  assert.equal((await refused("/mj/submit/describe", {})).error.param, "base64");
  assert.equal((await refused("/mj/submit/edits", { prompt: "a hat" })).error.param, "image");
  assert.equal((await refused("/mj/submit/video", { prompt: "it moves" })).error.param, "image");
  assert.equal((await refused("/mj/submit/simple-change", { content: `${made.id} X9` })).error.param, "content");
  const missing = await client.post<MidjourneyError>("/mj/submit/modal", { taskId: "01234567-89ab-7def-8123-000000000000" });
  assert.deepEqual([missing.status, missing.body.code], [404, 3]);
});

test("what the model cannot do is refused, and nothing is charged", async () => {
  const before = (await client.get("/v1/balance")).body;
  const { error } = await refused("/mj/insight-face/swap", { sourceBase64: dataUri(), targetBase64: dataUri() });
  assert.equal(error.code, "not_supported");
  assert.deepEqual((await client.get("/v1/balance")).body, before);
});

test("pictures may be blended and edited, and come as base64 without a word about what they are", async () => {
  const bare = png(64, 64).toString("base64");
  const blended = await client.post<ImageTask>("/mj/submit/blend", { base64Array: [bare, dataUri()], dimensions: "LANDSCAPE" }, wait);
  assert.deepEqual([blended.body.status, blended.body.action], ["SUCCESS", "BLEND"], blended.text);
  const edited = await client.post<ImageTask>("/mj/submit/edits", { prompt: "a red hat", image: bare }, wait);
  assert.deepEqual([edited.body.status, edited.body.action], ["SUCCESS", "EDITS"], edited.text);
});

test("one picture of the grid is varied and all are made again, each as a task of its own", async () => {
  const varied = await client.post<ImageTask>("/mj/submit/change", { taskId: made.id, action: "VARIATION", index: 3 }, wait);
  assert.deepEqual([varied.body.status, varied.body.action, varied.body.prompt], ["SUCCESS", "VARIATION", made.prompt], varied.text);
  const customId = made.buttons.find(({ emoji }) => emoji === "🔄")?.customId;
  const again = await client.post<ImageTask>("/mj/submit/action", { taskId: made.id, customId }, wait);
  assert.deepEqual([again.body.status, again.body.action, again.body.imageUrls.length], ["SUCCESS", "REROLL", 4], again.text);
  const bytesOf = async ({ imageUrls }: ImageTask) => Buffer.from(await (await fetch(imageUrls[0]?.url ?? "")).arrayBuffer());
  assert.notDeepEqual(await bytesOf(again.body), await bytesOf(made));
});

test("one picture of the grid is enlarged, and more is shown around it", async () => {
  const large = (await client.post<ImageTask>("/mj/submit/change", { taskId: made.id, action: "UPSCALE", index: 1 }, wait)).body;
  assert.deepEqual([large.status, large.action, large.imageUrls.length], ["SUCCESS", "UPSCALE", 1], JSON.stringify(large));
  const sizeOf = async (url = "") => {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  };
  const small = await sizeOf(made.imageUrls[0]?.url);
  assert.deepEqual(await sizeOf(large.imageUrl), { width: small.width * 2, height: small.height * 2 });
  const customId = large.buttons.find((button) => button.customId.includes("Outpaint::75"))?.customId;
  const { body, text } = await client.post<ImageTask>("/mj/submit/action", { taskId: large.id, customId }, wait);
  assert.deepEqual([body.action, body.status === "FAILURE"], ["ZOOM", false], text);
  // Four pictures of six million points: on a busy machine longer than a reply waits.
  const wide = await eventually(async () => (({ status, ...rest }) => status === "SUCCESS" && rest)(await get(body.id)));
  assert.equal(wide.imageUrls.length, 4);
  const { width, height } = await sizeOf(wide.imageUrls[0]?.url);
  assert.equal((width / height).toFixed(1), "1.5");
});

test("a picture is described and a prompt shortened, and what comes of it can be painted", async () => {
  const described = (await client.post<ImageTask>("/mj/submit/describe", { base64: dataUri(96, 64) }, wait)).body;
  assert.match(described.properties.finalPrompt, /^1️⃣ [A-Z][^\n]+ --ar 3:2\n\n2️⃣ /u, JSON.stringify(described));
  assert.equal(described.buttons.length, 4);
  const shortened = (await client.post<ImageTask>("/mj/submit/shorten", { prompt: "a very old lighthouse on the coast" }, wait)).body;
  assert.match(shortened.properties.finalPrompt, /^1️⃣ old lighthouse coast/u, JSON.stringify(shortened));
  const painted = { taskId: shortened.id, customId: shortened.buttons[0]?.customId };
  const { body, text } = await client.post<ImageTask>("/mj/submit/action", painted, wait);
  assert.deepEqual([body.status, body.prompt], ["SUCCESS", "old lighthouse coast"], text);
});

test("a task that is not finished cannot be gone on from", async () => {
  const { body } = await imagine({ prompt: "a slow one" });
  const reply = await client.post<MidjourneyError>("/mj/submit/change", { taskId: body.result, action: "REROLL" });
  assert.deepEqual([reply.status, reply.body.code, reply.body.error.code], [409, 4, "task_not_ready"]);
  await client.post(`/mj/task/${body.result}/cancel`);
});

test("a picture becomes a video", async () => {
  const asked = { taskId: made.id, index: 2, prompt: "waves roll", motion: "low", state: "v" };
  const { body, text } = await client.post<ImageTask>("/mj/submit/video", asked, wait);
  assert.deepEqual([body.status, body.action, body.state], ["SUCCESS", "VIDEO", "v"], text);
  assert.equal((await fetch(body.videoUrl)).headers.get("content-type"), "video/mp4");
  assert.deepEqual(body.videoUrls, [{ url: body.videoUrl }]);
  assert.equal((await refused("/mj/submit/change", { taskId: body.id, action: "UPSCALE", index: 1 })).error.param, "taskId");
});

test("the same Idempotency-Key gives the same task", async () => {
  const options = { headers: { "idempotency-key": "image-a-1" } };
  const [first, again] = [await imagine({ prompt: "one" }, options), await imagine({ prompt: "one" }, options)];
  assert.equal(again.body.result, first.body.result);
  assert.equal((await imagine({ prompt: "two" }, options)).status, 422);
  await client.post(`/mj/task/${first.body.result}/cancel`);
});

test("notifyHook hears of every change, with the record of this dialect", async () => {
  const receiver = await startReceiver();
  const { body } = await imagine({ prompt: "a cat", notifyHook: `${receiver.url}/hook`, state: "mine" });
  const last = await receiver.next("/hook", (message) => message.body["status"] === "SUCCESS");
  const now = await get(body.result);
  assert.deepEqual([last.body["id"], last.body["state"], last.body["action"]], [body.result, "mine", "IMAGINE"]);
  assert.deepEqual(Object.keys(last.body), Object.keys(now));
  await eventually(() => receiver.at("/hook").length >= 2, { what: "a message about the beginning" });
  await receiver.close();
});

test("everything that was answered keeps the contract", () => client.book.check());
