import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startCallGateway, type CallGateway } from "../support/call-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { png, uuid } from "../support/samples.ts";

type Seen = {
  id: string;
  object: string;
  kind: string;
  model: string;
  status: string;
  cost_usd: number;
  error: { code: string; message: string } | null;
  assets: { kind: string; url: string; mime: string }[];
  result: Record<string, unknown> | null;
};

let house: CallGateway;
before(async () => {
  house = await startCallGateway();
});
after(() => house.end());

const ended = (id: string) =>
  eventually(
    async () => {
      const { body } = await house.client.get<Seen>(`/v1/tasks/${id}`);
      return ["SUCCESS", "FAILURE"].includes(body.status) ? body : null;
    },
    { withinMs: 20_000 },
  );
const balance = async () => (await house.client.get<{ available_usd: number; held_usd: number }>("/v1/balance")).body;
const chat = (content: string, more: object = {}) => ({
  model: "lab-chat",
  async: true,
  max_tokens: 64,
  messages: [{ role: "user", content }],
  ...more,
});

test("a chat with async answers a task at once, and its result becomes the reply a waiting client would have got", async () => {
  const earlier = await balance();
  const { status, body } = await house.client.post<Seen>("/v1/chat/completions", chat("[lab:delay=300] hello"));
  assert.equal(status, 200);
  assert.deepEqual([body.object, body.kind, body.model, body.status, body.result], ["task", "chat", "lab-chat", "SUBMITTED", null]);
  assert.match(body.id, uuid);
  assert.ok((await balance()).held_usd > 0, "what it may cost is held");
  const done = await ended(body.id);
  assert.equal(done.status, "SUCCESS", JSON.stringify(done.error));
  const { async: _async, ...plain } = chat("hello");
  const { body: waited } = await house.client.post("/v1/chat/completions", plain);
  assert.deepEqual(Object.keys(done.result ?? {}).toSorted(), Object.keys(waited).toSorted());
  assert.equal(done.result?.["object"], "chat.completion");
  assert.equal(done.result?.["model"], "lab-chat");
  const usage = done.result?.["usage"] as { cost: number; total_tokens: number };
  assert.ok(usage.total_tokens > 0 && usage.cost === done.cost_usd && done.cost_usd > 0);
  const later = await balance();
  assert.equal(later.held_usd, 0);
  assert.ok(Math.abs(earlier.available_usd - later.available_usd - done.cost_usd - (waited["usage"] as typeof usage).cost) < 1e-9);
});

test("speech becomes an asset", async () => {
  const { body } = await house.client.post<Seen>("/v1/audio/speech", {
    model: "lab-speech",
    voice: "alloy",
    input: "Good morning.",
    async: true,
  });
  const done = await ended(body.id);
  assert.deepEqual([done.kind, done.status, done.assets[0]?.kind], ["speech", "SUCCESS", "audio"]);
  const sound = await fetch(String(done.result?.["url"]));
  assert.equal(sound.headers.get("content-type"), "audio/mpeg");
  assert.ok((await sound.arrayBuffer()).byteLength > 500);
});

test("a recording sent as a form is written down later", async () => {
  const form = new FormData();
  form.set("model", "lab-transcription");
  form.set("async", "true");
  form.set("file", new Blob([readFileSync("lab/media/tone.mp3")]), "tone.mp3");
  const { status, body } = await house.client.post<Seen>("/v1/audio/transcriptions", undefined, { raw: form });
  assert.equal(status, 200, JSON.stringify(body));
  const done = await ended(body.id);
  assert.deepEqual([done.kind, done.status], ["transcription", "SUCCESS"]);
  assert.ok(String(done.result?.["text"]).length > 0);
  assert.ok(done.cost_usd > 0);
});

test("a call for which nobody waited is made again, with its recording, and costs the same", async () => {
  const form = new FormData();
  form.set("model", "lab-transcription");
  form.set("async", "true");
  form.set("file", new Blob([readFileSync("lab/media/tone.mp3")]), "tone.mp3");
  const asked = [
    await house.client.post<Seen>("/v1/chat/completions", chat("again and again")),
    await house.client.post<Seen>("/v1/audio/transcriptions", undefined, { raw: form }),
  ];
  for (const { body } of asked) {
    const first = await ended(body.id);
    assert.equal(first.status, "SUCCESS", JSON.stringify(first.error));
    const { status, body: made } = await house.client.post<Seen>(`/v1/tasks/${first.id}/retry`);
    assert.deepEqual([status, made.kind, made.status], [200, first.kind, "SUBMITTED"]);
    const second = await ended(made.id);
    assert.deepEqual([second.status, second.cost_usd], ["SUCCESS", first.cost_usd]);
    assert.ok(second.cost_usd > 0);
  }
});

test("pictures become assets and an images object", async () => {
  const { body } = await house.client.post<Seen>("/v1/images/generations", { model: "lab-image", prompt: "a boat", n: 2, async: true });
  const done = await ended(body.id);
  assert.deepEqual([done.kind, done.status, done.cost_usd, done.assets.length], ["image", "SUCCESS", 0.08, 2]);
  const { data } = done.result as { data: { url: string }[] };
  assert.equal((await fetch(data[1]?.url ?? "")).headers.get("content-type"), "image/png");
});

test("an edit sent as a form can wait too", async () => {
  const form = new FormData();
  form.set("model", "lab-image");
  form.set("async", "true");
  form.set("prompt", "at night");
  form.set("image", new Blob([png(64, 64)]), "a.png");
  const { body } = await house.client.post<Seen>("/v1/images/edits", undefined, { raw: form });
  assert.equal((await ended(body.id)).status, "SUCCESS");
});

test("Prefer: wait answers the finished task, and an Idempotency-Key the same one again", async () => {
  const headers = { prefer: "wait=20", "idempotency-key": "one chat" };
  const first = await house.client.post<Seen>("/v1/chat/completions", chat("once"), { headers });
  assert.equal(first.body.status, "SUCCESS");
  const again = await house.client.post<Seen>("/v1/chat/completions", chat("once"), { headers });
  assert.equal(again.body.id, first.body.id);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal((await house.client.post("/v1/chat/completions", chat("other"), { headers })).status, 422);
});

test("what the upstream refuses is a failed task that costs nothing", async () => {
  const { body } = await house.client.post<Seen>("/v1/chat/completions", chat("[lab:refuse=content_policy]"));
  const done = await ended(body.id);
  assert.deepEqual([done.status, done.error?.code, done.cost_usd], ["FAILURE", "content_policy", 0]);
});

test("an upstream that is down for a moment delays the task and does not end it", async () => {
  const { body } = await house.client.post<Seen>("/v1/chat/completions", chat("[lab:503=1 x3] patience"));
  assert.equal((await ended(body.id)).status, "SUCCESS");
});

test("a request that cannot be, is refused at once", async () => {
  const post = async (body: object) => (await house.client.post<{ error: { code: string } }>("/v1/chat/completions", body)).body.error.code;
  assert.equal(await post(chat("x", { stream: true })), "invalid_request");
  assert.equal(await post(chat("x", { model: "none" })), "model_not_found");
  assert.equal(await post(chat("x", { async: "yes" })), "invalid_request");
  assert.equal(await post(chat("x", { max_tokens: 1_000_000_000_000 })), "insufficient_balance");
});

test("a task that still waits for its reply can be cancelled for nothing", async () => {
  const { body } = await house.client.post<Seen>("/v1/chat/completions", chat("[lab:delay=5000] cancel me"));
  await eventually(async () => ((await house.client.get<Seen>(`/v1/tasks/${body.id}`)).body.status === "IN_PROGRESS" ? true : null));
  const cancelled = await house.client.post<Seen>(`/v1/tasks/${body.id}/cancel`, {});
  assert.equal(cancelled.status, 200);
  const done = await ended(body.id);
  assert.deepEqual([done.status, done.error?.code, done.cost_usd], ["FAILURE", "cancelled", 0]);
});

test("async: false is no word for the upstream, and the client waits", async () => {
  const { body } = await house.client.post("/v1/chat/completions", chat("hello", { async: false }));
  assert.equal(body["object"], "chat.completion");
});
