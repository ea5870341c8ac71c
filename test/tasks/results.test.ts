import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import type { Envelope, MusicTask } from "../support/wire.ts";
import { clip, cover, done, songs, startHandUpstream, type HandUpstream } from "./hand-upstream.ts";
import { openHouse, type Seen, type TaskHouse } from "./task-house.ts";

const tone = readFileSync(new URL("../../lab/media/tone.mp3", import.meta.url));
let upstream: HandUpstream;
let other: HandUpstream;
let house: TaskHouse;

before(async () => {
  upstream = await startHandUpstream();
  other = await startHandUpstream();
  const at = (url: string, type: string) => `{ type: ${type}, base_url: "${url}", keys: [key-1], allow_private_network: true }`;
  house = await openHouse({
    yaml: `
providers:
  video: ${at(upstream.url, "runway")}
  relay: ${at(upstream.url, "suno-relay")}
  pictures: ${at(`${upstream.url}/v1`, "openai-compatible")}
  others: ${at(`${other.url}/v1`, "openai-compatible")}
models:
  gen4.5: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: video }] }
  chirp-v4: { kinds: [music], price: { per_song: 0.05, per_call: 0.01 }, routes: [{ provider: relay }] }
  picture: { kinds: [image], price: { per_image: 0.03 }, routes: [{ provider: pictures }] }
  pictures: { kinds: [image], price: { per_image: 0.03 }, routes: [{ provider: pictures }, { provider: others, priority: 1 }] }
tasks: { deadline: { video: 5m, music: 5m, image: 5m } }
`,
  });
  upstream.media.set("tone.mp3", (_request, response) => void response.end(tone));
  upstream.media.set("cover.png", (_request, response) => void response.end(cover));
  upstream.media.set("empty", (_request, response) => void response.end());
  upstream.media.set("gone", (_request, response) => void response.writeHead(403).end("expired"));
  upstream.media.set("huge", (_request, response) => void response.writeHead(200, { "content-length": 3 * 1024 ** 3 }).write(clip));
  upstream.media.set("cut", (_request, response) => {
    response.writeHead(200, { "content-length": clip.length + 1_000 });
    response.write(clip, () => response.destroy());
  });
  upstream.media.set("html", (_request, response) => void response.end("<!doctype html><title>Sign in</title>"));
});
after(async () => {
  await house.end();
  await upstream.close();
  await other.close();
});
afterEach(() => house.checkBooks());

const link = (name: string) => `${upstream.url}/media/${name}`;
const passMs = 12_000;

for (const name of ["empty", "gone", "huge", "cut", "html", "cover.png", "missing"]) {
  test(`a video whose result is ${name} is no success, keeps nothing and costs nothing`, async () => {
    upstream.on("poll", name, () => done(link(name)));
    const id = await house.video("gen4.5", name);
    await house.sent(id);
    const task = await house.ended(id, 20_000);
    assert.deepEqual([task.status, task.error?.code, task.cost_usd, task.assets.length], ["FAILURE", "upstream_error", 0, 0]);
    assert.equal(upstream.of(name).length, 1, "one job");
    assert.ok((await house.tables()).assets.every((asset) => asset.task !== id));
  });
}

test("a link that does not work any more is asked for anew", async () => {
  let polls = 0;
  upstream.on("poll", "fresh links", () => done(link(++polls < 3 ? "gone" : "clip.mp4")));
  const id = await house.video("gen4.5", "fresh links");
  await house.sent(id);
  const task = await house.ended(id, passMs);
  assert.deepEqual([task.status, task.cost_usd, upstream.of("fresh links").length], ["SUCCESS", 0.5, 1]);
});

test("a job that is done, and then runs again, and then is done, is a success", async () => {
  const words = [done(link("gone")), { body: { status: "RUNNING", progress: 0.1 } }, { body: { status: "PENDING" } }];
  upstream.on("poll", "undecided", () => words.shift() ?? done(link("clip.mp4")));
  const id = await house.video("gen4.5", "undecided");
  await house.sent(id);
  assert.equal((await house.ended(id, passMs)).status, "SUCCESS");
});

async function song(prompt: string, data: readonly object[]): Promise<{ task: Seen; shown: MusicTask }> {
  upstream.on("poll", prompt, (job) => songs(job, data));
  const { body } = await house.client.post<{ task_id: string }>("/musicA/submit/music", { gpt_description_prompt: prompt, mv: "chirp-v4" });
  await house.sent(body.task_id);
  const task = await house.ended(body.task_id, passMs);
  const { body: shown } = await house.client.get<Envelope<MusicTask>>(`/musicA/fetch/${body.task_id}`);
  return { task, shown: shown.data };
}
const made = (id: string, more: object = {}) => ({ id, status: "complete", title: id, audio_url: link("tone.mp3"), ...more });

test("a task that left one song instead of two shows one and costs one", async () => {
  const { task, shown } = await song("one song", [made("a")]);
  assert.deepEqual([task.status, task.cost_usd, shown.data.length], ["SUCCESS", 0.06, 1]);
  assert.deepEqual([task.assets.length, (task.result?.["songs"] as unknown[] | undefined)?.length], [1, 1], JSON.stringify(task));
});

test("a song whose pictures cannot be had is a song all the same", async () => {
  const { task, shown } = await song("no cover", [
    made("a", { image_url: link("missing"), image_large_url: link("missing"), video_url: link("html") }),
    made("b", { image_url: link("cover.png") }),
  ]);
  assert.deepEqual([task.status, task.cost_usd, shown.data.length], ["SUCCESS", 0.11, 2]);
  assert.equal(task.assets.filter(({ kind }) => kind === "audio").length, 2);
});

test("a song whose sound cannot be had spoils the task, which costs nothing", async () => {
  const { task } = await song("half", [made("a"), made("b", { audio_url: link("gone") })]);
  assert.deepEqual([task.status, task.cost_usd, task.assets.length], ["FAILURE", 0, 0]);
});

async function pictures(model: string, prompt: string, more: object = {}): Promise<Seen> {
  const { status, body } = await house.client.post<Seen>("/v1/images/generations", { model, prompt, async: true, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return house.ended(body.id, 2_000);
}
const inside = (...texts: string[]) => ({ body: { created: 1, data: texts.map((text) => ({ b64_json: text })) } });

for (const [what, reply] of [
  ["broken base64", inside("!!! this is no picture !!!")],
  ["an empty picture", inside("")],
  ["a sound", inside(tone.toString("base64"))],
  ["a dead link", { body: { created: 1, data: [{ url: "http://127.0.0.1:1/a.png" }] } }],
] as const) {
  test(`an upstream that answers at once with ${what} is paid once and not asked again; the client pays nothing`, async () => {
    upstream.on("start", what, () => reply);
    const task = await pictures("picture", what);
    assert.deepEqual([task.status, task.cost_usd, upstream.of(what).length], ["FAILURE", 0, 1]);
  });

  test(`with ${what} from one upstream, the next is asked`, async () => {
    upstream.on("start", `next ${what}`, () => reply);
    const task = await pictures("pictures", `next ${what}`);
    assert.deepEqual([task.status, task.cost_usd], ["SUCCESS", 0.03]);
    assert.deepEqual([upstream.of(`next ${what}`).length, other.of(`next ${what}`).length], [1, 1]);
  });
}

test("fewer pictures than were asked for are paid for as they came, and more as they were asked for", async () => {
  const one = cover.toString("base64");
  upstream.on("start", "fewer", () => inside(one, one));
  assert.equal((await pictures("picture", "fewer", { n: 4 })).cost_usd, 0.06);
  upstream.on("start", "more", () => inside(one, one, one));
  assert.equal((await pictures("picture", "more", { n: 2 })).cost_usd, 0.06);
});

for (const [how, reply] of [
  ["half of it came", { body: "{ half a rep" }],
  ["the connection was cut", { body: "{", headers: { "content-length": "100" } }],
] as const) {
  test(`a picture whose reply was lost because ${how} is not made again, here or elsewhere, and costs nothing`, async () => {
    upstream.on("start", how, () => reply);
    const task = await pictures("pictures", how);
    assert.deepEqual([task.status, task.error?.code, task.cost_usd], ["FAILURE", "unknown_outcome", 0]);
    assert.deepEqual([upstream.of(how).length, other.of(how).length], [1, 0]);
  });
}

test("a picture that is being made when its task is cancelled is not paid for twice and ends once", async () => {
  const held = upstream.hold("start", "cancelled picture");
  const { body } = await house.client.post<Seen>("/v1/images/generations", { model: "picture", prompt: "cancelled picture", async: true });
  await held.came;
  const cancelled = house.cancel(body.id);
  held.go();
  const { status } = await cancelled;
  const task = await house.ended(body.id);
  assert.ok(status === 409 ? task.status === "SUCCESS" : task.error?.code === "cancelled", `${status} ${task.status}`);
  await eventually(async () => (await house.tables()).steps.every(({ id }) => id !== body.id));
});
