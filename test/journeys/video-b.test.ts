import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { probeFilm } from "../support/media-probe.ts";
import { startReceiver } from "../support/receiver.ts";
import { png, uuid } from "../support/samples.ts";
import type { EnvelopeError, GenerationRecord, Quote, TaskRecord, VideoObject, VideoRecord } from "../support/wire.ts";

const gateway = await startGateway({ env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const client = createClient(gateway.url, gateway.firstKey);
const path = "/videoB/generations";
const wait = { headers: { prefer: "wait=60" } };

/** Asks as the clients of this dialect do: until there is an address to load from, whatever the state says before. */
async function downloadable(id: string, at = path): Promise<GenerationRecord & { video: NonNullable<GenerationRecord["video"]> }> {
  return eventually(
    async () => {
      const { body } = await client.get<GenerationRecord>(`${at}/${id}`);
      assert.ok(["pending", "processing", "completed"].includes(body.state), `${body.state} ${body.failure_reason}`);
      return body.state === "completed" && body.video?.download_url ? { ...body, video: body.video } : null;
    },
    { withinMs: 60_000, everyMs: 100 },
  );
}

const { body: created, text: createdText } = await client.post<GenerationRecord>(path, {
  user_prompt: "a fox in the snow",
  aspect_ratio: "4:3",
  duration: "1s",
  expand_prompt: true,
  loop: false,
});

test("a create answers with the pending generation", () => {
  assert.match(created.id ?? "", uuid, createdText);
  const { state, prompt, model_name, video } = created;
  assert.deepEqual(
    { state, prompt, model_name, video },
    { state: "pending", prompt: "a fox in the snow", model_name: "ray-v2", video: null },
  );
  assert.ok(Math.abs(Date.parse(created.created_at) - Date.now()) < 60_000);
});

test("it ends completed, with a video of the shape and length that were asked for", async () => {
  const { video, thumbnail } = await downloadable(created.id);
  assert.equal(video.url, video.download_url);
  const { width, height, seconds } = await probeFilm(Buffer.from(await (await fetch(video.download_url)).arrayBuffer()));
  assert.ok(Math.abs(width / height - 4 / 3) < 0.02 && Math.abs(seconds - 1) < 0.2, `${width} × ${height}, ${seconds} s`);
  assert.ok(Math.abs(video.width / video.height - 4 / 3) < 0.02 && Math.abs(video.duration - seconds) < 0.2);
  for (const picture of [video.thumbnail, thumbnail?.url ?? ""])
    assert.match((await fetch(picture)).headers.get("content-type") ?? "", /^image\//);
});

test("the alias answers the same, and the address of the video can be asked for alone", async () => {
  assert.equal((await downloadable(created.id, "/luma/generations")).id, created.id);
  for (const prefix of ["/videoB", "/luma"]) {
    const { body, status } = await client.get<{ url: string }>(`${prefix}/generations/${created.id}/download_video_url`);
    assert.deepEqual([status, Object.keys(body)], [200, ["url"]]);
    assert.equal((await fetch(body.url)).headers.get("content-type"), "video/mp4");
  }
});

test("several are got at once as a bare list, in the order asked for, without those that are not the caller's", async () => {
  const second = (await client.post<GenerationRecord>("/luma/generations", { user_prompt: "x", duration: 1 })).body.id;
  const lyrics = (await client.post<{ data: string }>("/musicA/submit/lyrics", { prompt: "x" })).body.data;
  const ids = [second, "01234567-89ab-7def-8123-456789abcdef", lyrics, created.id, second];
  for (const at of ["/videoB/tasks", "/luma/tasks"]) {
    const { body } = await client.post<GenerationRecord[]>(at, { ids });
    assert.ok(Array.isArray(body));
    assert.deepEqual(
      body.map(({ id }) => id),
      [second, created.id],
    );
  }
  assert.deepEqual((await client.post("/videoB/tasks", { ids: [] })).body, []);
  const other = client.as((await gateway.customer(1)).key);
  assert.deepEqual((await other.post("/videoB/tasks", { ids })).body, []);
});

test("a finished video is extended in its own shape, by the model that made it unless told", async () => {
  const asked = { user_prompt: "the fox runs away", duration: 1 };
  const { body, status, text } = await client.post<GenerationRecord>(`${path}/${created.id}/extend`, asked, wait);
  assert.equal(status, 200, text);
  assert.deepEqual([body.state, body.model_name], ["completed", "ray-v2"], text);
  assert.ok(body.video !== null && Math.abs(body.video.width / body.video.height - 4 / 3) < 0.02);
  const other = await client.post<GenerationRecord>(`/luma/generations/${created.id}/extend`, { ...asked, model_name: "ray-v1" });
  assert.equal(other.body.model_name, "ray-v1", other.text);
  await client.post(`/v1/tasks/${other.body.id}/cancel`);
});

test("every group of videos shows the same task", async () => {
  const { body: ours } = await client.get<VideoRecord>(`/custom_video/fetch/${created.id}`);
  assert.deepEqual([ours.status, ours.aspect_ratio, ours.duration], ["SUCCESS", "4:3", 1]);
  assert.equal((await client.get<VideoObject>(`/v1/videos/${created.id}`)).body.status, "completed");
  const { body } = await client.post<{ id: string }>("/custom_video/model/any", { prompt: "y", duration: 1 }, wait);
  assert.equal((await downloadable(body.id)).prompt, "y");
});

test("what a create does not understand or may not have is refused in the envelope, with the field", async () => {
  const cases: [string, object][] = [
    ["user_prompt", {}],
    ["user_prompt", { user_prompt: "  " }],
    ["user_prompt", { user_prompt: "x".repeat(5001) }],
    ["aspect_ratio", { user_prompt: "x", aspect_ratio: "9:1" }],
    ["aspect_ratio", { user_prompt: "x", aspect_ratio: "wide" }],
    ["duration", { user_prompt: "x", duration: "61s" }],
    ["duration", { user_prompt: "x", duration: "0s" }],
    ["duration", { user_prompt: "x", duration: "long" }],
    ["resolution", { user_prompt: "x", resolution: "sharp" }],
    ["image_url", { image_url: "ftp://example.org/a.png" }],
    ["image_end_url", { user_prompt: "x", image_end_url: "file_unknown" }],
    ["loop", { user_prompt: "x", loop: "yes" }],
    ["notify_hook", { user_prompt: "x", notify_hook: "not a url" }],
  ];
  for (const [param, body] of cases) {
    const reply = await client.post<EnvelopeError>(path, body);
    assert.deepEqual([reply.status, reply.body.code, reply.body.error?.param], [400, "invalid_request", param], reply.text);
  }
});

test("unknown fields are named, and a picture alone is enough", async () => {
  const uri = `data:image/png;base64,${png(64, 64).toString("base64")}`;
  const { status, headers, body, text } = await client.post<GenerationRecord>(
    path,
    { user_prompt: "", image_url: uri, image_end_url: "", duration: 1, sparkle: 1 },
    wait,
  );
  assert.deepEqual([status, body.state], [200, "completed"], text);
  assert.equal(headers.get("x-genway-warning"), "ignored: /sparkle");
});

test("what is not there is not found, and what is not finished has no address yet", async () => {
  const other = client.as((await gateway.customer(1)).key);
  const unfinished = (await client.post<GenerationRecord>(path, { user_prompt: "x", duration: 30 })).body.id;
  const lyrics = (await client.post<{ data: string }>("/musicA/submit/lyrics", { prompt: "x" })).body.data;
  for (const [status, code, reply] of [
    [404, "task_not_found", await other.get<EnvelopeError>(`${path}/${created.id}`)],
    [404, "task_not_found", await client.get<EnvelopeError>(`${path}/${lyrics}`)],
    [404, "task_not_found", await client.get<EnvelopeError>("/luma/generations/none")],
    [404, "task_not_found", await client.get<EnvelopeError>(`${path}/none/download_video_url`)],
    [404, "task_not_found", await other.post<EnvelopeError>(`${path}/${created.id}/extend`, { user_prompt: "x" })],
    [409, "task_not_ready", await client.post<EnvelopeError>(`${path}/${unfinished}/extend`, { user_prompt: "x" })],
    [409, "task_not_ready", await client.get<EnvelopeError>(`${path}/${unfinished}/download_video_url`)],
  ] as const)
    assert.deepEqual([reply.status, reply.body.code, reply.body.data], [status, code, null], reply.text);
  await client.post(`/v1/tasks/${unfinished}/cancel`);
  const { body } = await client.get<GenerationRecord>(`${path}/${unfinished}`);
  assert.deepEqual([body.state, body.error?.code, body.video], ["failed", "cancelled", null]);
  assert.equal((await client.get(`${path}/${unfinished}/download_video_url`)).status, 404);
});

test("the same create twice is one task, and the price is known before", async () => {
  const asked = { user_prompt: "once", duration: 1 };
  const { body: quote } = await client.post<Quote>("/v1/quote", { path, body: asked });
  assert.equal(quote.amount_usd, 0.01);
  const keyed = { headers: { "idempotency-key": "video-b-1" } };
  const [first, again, changed] = [
    await client.post<GenerationRecord>(path, asked, keyed),
    await client.post<GenerationRecord>(path, asked, keyed),
    await client.post<EnvelopeError>(path, { ...asked, loop: true }, keyed),
  ];
  assert.deepEqual([again.body.id, again.headers.get("idempotent-replayed")], [first.body.id, "true"]);
  assert.deepEqual([changed.status, changed.body.code], [422, "idempotency_mismatch"]);
});

test("the address given with a create is told of the end in the words of this group", async () => {
  const receiver = await startReceiver();
  try {
    const { body } = await client.post<GenerationRecord>(path, { user_prompt: "x", duration: 1, notify_hook: `${receiver.url}/end` });
    const record = JSON.parse((await receiver.next("/end")).text) as GenerationRecord;
    assert.deepEqual([record.id, record.state], [body.id, "completed"]);
    assert.equal((await fetch(record.video?.download_url ?? "")).status, 200);
  } finally {
    await receiver.close();
  }
});

test("a video of an upstream goes through the same states, and nothing of the upstream shows", async () => {
  const { client: customer, lab, reach } = upstream;
  const at = async (id: string) => (await customer.get<GenerationRecord>(`${path}/${id}`)).body;
  const { body, text } = await customer.post<GenerationRecord>(path, {
    user_prompt: "waves [lab:seconds=40]",
    model_name: "gen4.5",
    duration: "5s",
  });
  assert.equal(body.state, "pending", text);
  await reach(body.id, "IN_PROGRESS");
  assert.deepEqual([(await at(body.id)).state, (await at(body.id)).video], ["processing", null]);
  await reach(body.id, "SUCCESS");
  const done = await at(body.id);
  assert.equal(done.state, "completed");
  const [job] = lab.jobs();
  assert.ok(job !== undefined && !JSON.stringify(done).includes(job.id) && !JSON.stringify(done).includes(lab.url));
  await failsAs(
    customer,
    await reach(
      (await customer.post<GenerationRecord>(path, { user_prompt: "[lab:fail=policy]", model_name: "gen4.5" })).body.id,
      "FAILURE",
    ),
  );
});

async function failsAs(customer: Client, { id }: TaskRecord): Promise<void> {
  const { body } = await customer.get<GenerationRecord>(`${path}/${id}`);
  assert.equal(body.state, "failed");
  assert.ok(body.failure_reason !== null && body.error?.message === body.failure_reason, JSON.stringify(body));
}

test("an upstream that speaks this dialect itself extends its own video", async () => {
  const { client: customer, lab, reach } = upstream;
  const made = await customer.post<GenerationRecord>("/luma/generations", { user_prompt: "waves" });
  assert.equal(made.body.model_name, "ray-v2", made.text);
  await reach(made.body.id, "SUCCESS");
  const longer = await customer.post<GenerationRecord>(`/luma/generations/${made.body.id}/extend`, { user_prompt: "and a boat" });
  assert.equal(longer.body.model_name, "ray-v2", longer.text);
  await reach(longer.body.id, "SUCCESS");
  const prompts = lab.jobs().flatMap(({ type, prompt }) => (type === "luma-relay" ? [prompt] : []));
  assert.deepEqual(prompts, ["waves", "and a boat"]);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});
