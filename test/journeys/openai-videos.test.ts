import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { imageSize, probeFilm } from "../support/media-probe.ts";
import { png, uuid } from "../support/samples.ts";
import type { FileRecord, GenerationRecord, PlainError, Quote, TaskRecord, VideoObject, VideoRecord } from "../support/wire.ts";

const gateway = await startGateway();
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const client = createClient(gateway.url, gateway.firstKey);
const path = "/v1/videos";
const wait = { headers: { prefer: "wait=60" } };
type Page = { object: string; data: VideoObject[]; first_id: string | null; last_id: string | null; has_more: boolean };

async function finished(id: string): Promise<VideoObject> {
  return eventually(
    async () => {
      const { body } = await client.get<VideoObject>(`${path}/${id}`);
      assert.ok(["queued", "in_progress", "completed"].includes(body.status), JSON.stringify(body));
      assert.deepEqual(body.status === "completed", body.url !== null);
      return body.status === "completed" && body;
    },
    { withinMs: 60_000, everyMs: 100 },
  );
}

function form(fields: Record<string, string>, files: Record<string, Blob> = {}): { raw: FormData; headers: Record<string, string> } {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields)) raw.append(name, value);
  for (const [name, value] of Object.entries(files)) raw.append(name, value, "picture.png");
  return { raw, headers: { prefer: "wait=60" } };
}

const asked = { model: "sora-2-pro", prompt: "a fox in the snow", seconds: "1", size: "1280x720" };
const { body: created, text: createdText } = await client.post<VideoObject>(path, asked);

test("a create answers with the queued object, seconds and size as texts", () => {
  assert.match(created.id ?? "", uuid, createdText);
  const { object, model, status, progress, prompt, seconds, size, completed_at, expires_at, error, url, metadata } = created;
  assert.deepEqual(
    { object, model, status, progress, prompt, seconds, size },
    { object: "video", status: "queued", progress: 0, ...asked },
  );
  assert.deepEqual(
    { completed_at, expires_at, error, url, metadata },
    { completed_at: null, expires_at: null, error: null, url: null, metadata: {} },
  );
});

test("it ends completed, and its address stands wherever clients look", async () => {
  const video = await finished(created.id);
  assert.deepEqual([video.progress, video.seconds, video.size], [100, "1", "1280x720"]);
  assert.ok(video.completed_at !== null && video.expires_at !== null && video.expires_at > video.completed_at);
  assert.ok(video.url !== null && video.url === video.video_url && video.url === video.metadata.url);
  assert.equal((await fetch(video.url)).headers.get("content-type"), "video/mp4");
});

test("the content is the film, whole or in parts, and its still picture", async () => {
  const at = `${client.url}${path}/${created.id}/content`;
  const headers = { authorization: `Bearer ${client.key}` };
  const reply = await fetch(at, { headers });
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.deepEqual([reply.status, reply.headers.get("content-type"), reply.headers.get("accept-ranges")], [200, "video/mp4", "bytes"]);
  const { width, height, seconds } = await probeFilm(bytes);
  assert.ok(Math.abs(width / height - 16 / 9) < 0.02 && Math.abs(seconds - 1) < 0.2);
  const part = await fetch(`${at}?variant=video`, { headers: { ...headers, range: "bytes=10-19" } });
  assert.deepEqual([part.status, part.headers.get("content-range")], [206, `bytes 10-19/${bytes.length}`]);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20));
  const picture = await fetch(`${at}?variant=thumbnail`, { headers });
  assert.match(picture.headers.get("content-type") ?? "", /^image\//);
  assert.deepEqual(await imageSize(Buffer.from(await picture.arrayBuffer())), { width, height });
  assert.equal((await fetch(at)).status, 200, "in local mode nobody needs a key");
  assert.equal((await fetch(at, { headers: { authorization: "Bearer wrong" } })).status, 401);
});

test("what cannot be downloaded says why", async () => {
  const running = (await client.post<VideoObject>(path, { prompt: "x", seconds: "30" })).body.id;
  for (const [status, code, reply] of [
    [400, "not_supported", await client.get<PlainError>(`${path}/${created.id}/content?variant=spritesheet`)],
    [400, "invalid_request", await client.get<PlainError>(`${path}/${created.id}/content?variant=poster`)],
    [409, "task_not_ready", await client.get<PlainError>(`${path}/${running}/content`)],
    [409, "task_not_ready", await client.post<PlainError>(`${path}/${running}/remix`, { prompt: "x" })],
    [409, "task_not_ready", await client.delete<PlainError>(`${path}/${running}`)],
    [404, "task_not_found", await client.get<PlainError>(`${path}/none/content`)],
    [404, "task_not_found", await client.delete<PlainError>(`${path}/none`)],
    [404, "task_not_found", await client.as((await gateway.customer(1)).key).get<PlainError>(`${path}/${created.id}/content`)],
  ] as const)
    assert.deepEqual([reply.status, reply.body.error?.code], [status, code], reply.text);
  await client.post<TaskRecord>(`/v1/tasks/${running}/cancel`);
  assert.equal((await client.get(`${path}/${running}/content`)).status, 404);
  assert.deepEqual((await client.get<VideoObject>(`${path}/${running}`)).body.error?.code, "cancelled");
});

test("without wishes it is OpenAI's usual video: sora-2, four seconds, upright", async () => {
  const { body } = await client.post<VideoObject>(path, { prompt: "x" });
  await client.post(`/v1/tasks/${body.id}/cancel`);
  assert.deepEqual([body.model, body.seconds, body.size], ["sora-2", "4", "720x1280"]);
});

test("a form may bring the first picture, or name it", async () => {
  const picture = new Blob([png(96, 64)], { type: "image/png" });
  const { body: file } = await client.call<FileRecord>("POST", "/v1/files", undefined, form({ purpose: "input" }, { file: picture }));
  for (const [fields, files] of [
    [{ prompt: "it moves", seconds: "1", size: "720x720" }, { input_reference: picture }],
    [{ prompt: "it moves", seconds: "1", "input_reference[file_id]": file.id }, {}],
    [{ seconds: "1", input_reference: file.id }, {}],
  ] as [Record<string, string>, Record<string, Blob>][]) {
    const { status, body, text } = await client.call<VideoObject>("POST", path, undefined, form(fields, files));
    assert.deepEqual([status, body.status], [200, "completed"], text);
  }
});

test("JSON names the first picture as a text or as an object", async () => {
  const uri = `data:image/png;base64,${png(64, 64).toString("base64")}`;
  for (const reference of [uri, { image_url: uri }]) {
    const { status, body, text } = await client.post<VideoObject>(path, { prompt: "x", seconds: 1, input_reference: reference }, wait);
    assert.deepEqual([status, body.status], [200, "completed"], text);
  }
});

test("a finished video is remixed in its own shape and length", async () => {
  const { status, body, text } = await client.post<VideoObject>(`${path}/${created.id}/remix`, { prompt: "at night" }, wait);
  assert.equal(status, 200, text);
  const { remixed_from_video_id, model, seconds, size, prompt } = body;
  assert.deepEqual(
    { remixed_from_video_id, model, seconds, size, prompt },
    { ...asked, remixed_from_video_id: created.id, prompt: "at night" },
  );
  assert.equal(body.status, "completed", text);
});

test("every group of videos shows the same task", async () => {
  assert.equal((await client.get<VideoRecord>(`/custom_video/fetch/${created.id}`)).body.aspect_ratio, "16:9");
  assert.equal((await client.get<GenerationRecord>(`/videoB/generations/${created.id}`)).body.state, "completed");
  const { body } = await client.post<{ id: string }>("/custom_video/model/any", { prompt: "y", duration: 1, aspect_ratio: "1:1" }, wait);
  const { seconds, size, prompt } = (await client.get<VideoObject>(`${path}/${body.id}`)).body;
  assert.deepEqual({ seconds, size, prompt }, { seconds: "1", size: "720x720", prompt: "y" });
});

test("the list goes page by page in both directions, and holds videos alone", async () => {
  const { key } = await gateway.customer(10);
  const other = client.as(key);
  const ids: string[] = [];
  for (const prompt of ["one", "two", "three"]) ids.push((await other.post<VideoObject>(path, { prompt, seconds: "1" })).body.id);
  await other.post("/musicA/submit/lyrics", { prompt: "x" });
  for (const [order, expected] of [
    ["asc", ids],
    ["desc", ids.toReversed()],
  ] as const) {
    const first = (await other.get<Page>(`${path}?limit=2&order=${order}`)).body;
    assert.deepEqual([first.object, first.has_more, first.first_id, first.last_id], ["list", true, expected[0], expected[1]]);
    const rest = (await other.get<Page>(`${path}?limit=2&order=${order}&after=${first.last_id}`)).body;
    assert.deepEqual([rest.has_more, ...[...first.data, ...rest.data].map(({ id }) => id)], [false, ...expected]);
  }
  assert.deepEqual((await client.as((await gateway.customer(0)).key).get<Page>(path)).body.data, []);
  assert.equal((await other.get(`${path}?order=newest`)).status, 400);
  for (const id of ids) await other.post(`/v1/tasks/${id}/cancel`);
});

test("a finished video is deleted with its files", async () => {
  const { body } = await client.post<VideoObject>(path, { prompt: "x", seconds: "1" }, wait);
  const { status, body: deleted } = await client.delete(`${path}/${body.id}`);
  assert.deepEqual([status, deleted], [200, { id: body.id, object: "video.deleted", deleted: true }]);
  assert.equal((await client.get(`${path}/${body.id}`)).status, 404);
  assert.equal((await fetch(body.url ?? "")).status, 404);
});

test("what a create may not have is refused in OpenAI's shape, with the field", async () => {
  const cases: [string, object][] = [
    ["prompt", {}],
    ["prompt", { prompt: "x".repeat(32_001) }],
    ["seconds", { prompt: "x", seconds: "61" }],
    ["seconds", { prompt: "x", seconds: "0" }],
    ["seconds", { prompt: "x", seconds: 1.5 }],
    ["size", { prompt: "x", size: "large" }],
    ["size", { prompt: "x", size: "9000x100" }],
    ["model", { prompt: "x", model: "" }],
    ["input_reference", { prompt: "x", input_reference: "file_unknown" }],
    ["input_reference", { prompt: "x", input_reference: { image_url: "http://127.0.0.1/a.png" } }],
    ["metadata", { prompt: "x", metadata: "[1]" }],
  ];
  for (const [param, body] of cases) {
    const reply = await client.post<PlainError>(path, body);
    assert.deepEqual([reply.status, reply.body.error?.param], [400, param], `${JSON.stringify(body).slice(0, 60)} ${reply.text}`);
  }
});

test("the same create twice is one task, and the price is known before", async () => {
  const { body: quote } = await client.post<Quote>("/v1/quote", { path, body: { prompt: "x", seconds: "8" } });
  assert.equal(quote.amount_usd, 0.08);
  const keyed = { headers: { "idempotency-key": "openai-videos-1" } };
  const first = await client.post<VideoObject>(path, { prompt: "x", seconds: "1" }, keyed);
  const again = await client.post<VideoObject>(path, { prompt: "x", seconds: "1" }, keyed);
  assert.deepEqual([again.body.id, again.headers.get("idempotent-replayed")], [first.body.id, "true"]);
});

test("a video of an upstream goes through the same states and is served from here", async () => {
  const { client: customer, lab, reach } = upstream;
  const at = async (id: string) => (await customer.get<VideoObject>(`${path}/${id}`)).body;
  const { body, text } = await customer.post<VideoObject>(path, {
    model: "gen4.5",
    prompt: "waves [lab:seconds=40]",
    seconds: "5",
    size: "1280x720",
  });
  assert.equal(body.status, "queued", text);
  await reach(body.id, "IN_PROGRESS");
  assert.equal((await at(body.id)).status, "in_progress");
  await reach(body.id, "SUCCESS");
  const done = JSON.stringify(await at(body.id));
  const [job] = lab.jobs();
  assert.ok(job !== undefined && !done.includes(job.id) && !done.includes(lab.url) && !/runway/i.test(done), done);
  assert.equal((await customer.get(`${path}/${body.id}/content`)).headers.get("content-type"), "video/mp4");
  const refused = await customer.post<PlainError>(path, { model: "gen4.5", prompt: "x", seconds: "59", size: "1280x720" });
  assert.deepEqual([refused.status, refused.body.error?.code], [400, "not_supported"], refused.text);
  const unknown = await customer.post<PlainError>(path, { model: "no-such-model", prompt: "x" });
  assert.equal(unknown.body.error?.code, "model_not_found", unknown.text);
});

test("an upstream that speaks this dialect itself remixes its own video", async () => {
  const { client: customer, lab, reach } = upstream;
  const made = await customer.post<VideoObject>(path, { prompt: "waves" });
  assert.equal(made.body.model, "sora-2", made.text);
  await reach(made.body.id, "SUCCESS");
  const remix = await customer.post<VideoObject>(`${path}/${made.body.id}/remix`, { prompt: "waves at night" });
  assert.equal(remix.body.remixed_from_video_id, made.body.id, remix.text);
  await reach(remix.body.id, "SUCCESS");
  const prompts = lab.jobs().flatMap(({ type, prompt }) => (type === "openai-videos" ? [prompt] : []));
  assert.deepEqual(prompts, ["waves", "waves at night"]);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});

test("a size becomes the nearest resolution that the upstream's model has", async () => {
  const { status, body } = await upstream.client.post<VideoObject>(path, {
    model: "MiniMax-H3",
    prompt: "waves",
    size: "1280x720",
    seconds: "5",
  });
  assert.equal(status, 200, JSON.stringify(body));
  await upstream.reach(body.id, "SUCCESS");
});
