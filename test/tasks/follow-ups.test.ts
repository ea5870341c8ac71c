import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { CreatedClip, EnvelopeError } from "../support/wire.ts";
import { songs, startHandUpstream, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type TaskHouse } from "./task-house.ts";

const tone = readFileSync(new URL("../../lab/media/tone.mp3", import.meta.url));
let relay: HandUpstream;
let other: HandUpstream;
let house: TaskHouse;

const yaml = (keys: string, limit = 2) => `
providers:
  relay: { type: suno-relay, base_url: "${relay.url}", keys: [${keys}], allow_private_network: true, limits: { concurrent: ${limit} } }
  other: { type: suno-relay, base_url: "${other.url}", keys: [key-9], allow_private_network: true }
models:
  chirp-v4: { kinds: [music], price: { per_call: 0.1 }, routes: [{ provider: relay }, { provider: other, priority: 1 }] }
  elsewhere: { kinds: [music], price: { per_call: 0.1 }, routes: [{ provider: other, model: chirp-v4 }] }
tasks: { deadline: { music: 10m } }
`;

before(async () => {
  relay = await startHandUpstream();
  other = await startHandUpstream();
  for (const upstream of [relay, other]) upstream.media.set("tone.mp3", (_request, response) => void response.end(tone));
  house = await openHouse({ yaml: yaml("key-1, key-2") });
});
after(async () => {
  await house.end();
  await relay.close();
  await other.close();
});
afterEach(() => house.checkBooks());

const passMs = 6_000;
const made = (upstream: HandUpstream, id: string) => ({ id, status: "complete", title: id, audio_url: `${upstream.url}/media/tone.mp3` });

async function submit(prompt: string, more: object = {}): Promise<CreatedClip> {
  for (const upstream of [relay, other])
    upstream.on("poll", prompt, (job) => songs(job, [made(upstream, `${job.id}-a`), made(upstream, `${job.id}-b`)]));
  const wish = { mv: "chirp-v4", ...("continue_clip_id" in more ? { prompt } : { gpt_description_prompt: prompt }), ...more };
  const { status, body } = await house.client.post<CreatedClip>("/musicA/submit/music", wish);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
const job = (upstream: HandUpstream, prompt: string) => upstream.of(prompt)[0] ?? assert.fail(`no job ${prompt}`);
async function source(prompt: string): Promise<CreatedClip> {
  const clip = await submit(prompt);
  await house.sent(clip.task_id);
  assert.equal((await house.ended(clip.task_id, passMs)).status, "SUCCESS");
  return clip;
}

test("each continuation goes to the key that made its song, with that upstream's names of it", async () => {
  // Two at a time per key: four at once take both keys.
  const clips = await Promise.all([0, 1, 2, 3].map((n) => submit(`song ${n}`)));
  for (const clip of clips) await house.ended(clip.task_id, passMs);
  assert.deepEqual([0, 1, 2, 3].map((n) => job(relay, `song ${n}`).key).toSorted(), ["key-1", "key-1", "key-2", "key-2"]);
  for (const [n, clip] of clips.entries()) {
    const next = await submit(`more of ${n}`, { continue_clip_id: clip.id });
    await house.sent(next.task_id);
    await house.ended(next.task_id, passMs);
    const [first, second] = [job(relay, `song ${n}`), job(relay, `more of ${n}`)];
    assert.equal(second.key, first.key);
    assert.deepEqual([second.sent["continue_clip_id"], second.sent["task_id"]], [`${first.id}-a`, first.id]);
  }
  assert.equal(other.jobs.length, 0);
});

test("a continuation waits for its own key rather than take another's slot, and does not go over its limit", async () => {
  const clip = await source("busy key");
  const { key } = job(relay, "busy key");
  const started = await Promise.all([0, 1, 2, 3].map((n) => submit(`queue ${n}`, { continue_clip_id: clip.id })));
  await eventually(() => relay.jobs.filter(({ prompt }) => prompt.startsWith("queue")).length === 2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const running = relay.jobs.filter(({ prompt }) => prompt.startsWith("queue"));
  assert.deepEqual(
    running.map((one) => one.key),
    [key, key],
    "two at a time, all with the key of the song",
  );
  for (const { task_id: id } of started) assert.equal((await house.ended(id, passMs)).status, "SUCCESS");
  assert.ok(relay.jobs.filter(({ prompt }) => prompt.startsWith("queue")).every((one) => one.key === key));
});

test("a continuation that fails is not given to another provider or key", async () => {
  const clip = await source("source of failure");
  const next = await submit("fails", { continue_clip_id: clip.id });
  relay.on("poll", "fails", ({ id }) => ({
    body: { code: "success", data: { task_id: id, status: "FAILURE", fail_reason: "generation failed", data: [] } },
  }));
  await house.sent(next.task_id);
  const task = await house.ended(next.task_id, passMs);
  assert.deepEqual([task.status, task.cost_usd, relay.of("fails").length, other.of("fails").length], ["FAILURE", 0, 1, 0]);
});

test("a continuation that is refused for being too many is tried again with its own key", async () => {
  const clip = await source("source of patience");
  let tries = 0;
  relay.on("start", "patient", ({ id }) =>
    ++tries < 3 ? { status: 429, body: { code: "rate_limit", message: "busy" } } : { body: { code: "success", data: id } },
  );
  const next = await submit("patient", { continue_clip_id: clip.id });
  const task = await house.ended(next.task_id, passMs);
  assert.equal(task.status, "SUCCESS");
  assert.deepEqual(new Set(relay.of("patient").map((one) => one.key)), new Set([job(relay, "source of patience").key]));
  assert.equal(other.of("patient").length, 0);
});

test("a continuation by a model that the maker of the song does not have is refused", async () => {
  const clip = await source("mismatched");
  const wish = { mv: "elsewhere", prompt: "wrong model", continue_clip_id: clip.id };
  const { status, body } = await house.client.post<EnvelopeError>("/musicA/submit/music", wish);
  assert.deepEqual([status, body.error.code], [400, "not_supported"]);
  assert.deepEqual([relay.of("wrong model").length, other.of("wrong model").length], [0, 0]);
});

test("a continuation whose key is switched off or gone is refused at once, and holds nothing", async () => {
  const clip = await source("key that goes");
  await house.gateway.admin("PATCH", "/admin/v1/providers/relay", { off: true });
  const wish = { mv: "chirp-v4", prompt: "too late", continue_clip_id: clip.id };
  const off = await house.client.post<EnvelopeError>("/musicA/submit/music", wish);
  await house.gateway.admin("PATCH", "/admin/v1/providers/relay", { off: false });
  assert.equal(off.status, 503, JSON.stringify(off.body));
  writeFileSync(join(house.gateway.dataDir, "test.yaml"), yaml(job(relay, "key that goes").key === "key-1" ? "key-2" : "key-1"));
  await eventually(() => house.gateway.logged.some((line) => line.startsWith("the configuration was read anew")), { withinMs: 10_000 });
  const gone = await house.client.post<EnvelopeError>("/musicA/submit/music", wish);
  assert.equal(gone.status, 503, JSON.stringify(gone.body));
});
