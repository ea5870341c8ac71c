import assert from "node:assert/strict";
import { test } from "node:test";
import { pollAt, startAt, videoOf, work } from "./adapter.fixture.ts";
import { klingLegacy } from "./kling-legacy.ts";
import { kling } from "./kling.ts";

const callback = { url: "https://us.example/hook", secret: "s" };
const accepted = { body: { code: 0, message: "", data: { id: "1", task_id: "1" } } };

test("text goes to the address of its model, with our own name of the job", async () => {
  const { requests } = await startAt(kling, { ...videoOf(), model: "kling-3.0", callback }, accepted);
  assert.equal(requests[0]?.url, "/text-to-video/kling-3.0");
  assert.deepEqual(requests[0]?.body, {
    prompt: "waves",
    settings: { duration: 5, aspect_ratio: "16:9" },
    options: { callback_url: "https://us.example/hook", external_task_id: "t-1" },
  });
});

test("frames are contents beside the prompt, and the shape is theirs", async () => {
  const image = { from: "url", url: "https://a.example/b.png" } as const;
  const { requests } = await startAt(kling, { ...videoOf({ image, lastImage: image }), model: "kling-3.0" }, accepted);
  assert.equal(requests[0]?.url, "/image-to-video/kling-3.0");
  assert.deepEqual(requests[0]?.body, {
    contents: [
      { type: "prompt", text: "waves" },
      { type: "first_frame", url: "https://a.example/b.png" },
      { type: "last_frame", url: "https://a.example/b.png" },
    ],
    settings: { duration: 5 },
    options: { external_task_id: "t-1" },
  });
});

test("a last frame without a first is not quietly dropped", async () => {
  for (const adapter of [kling, klingLegacy]) {
    const task = { ...videoOf({ lastImage: { from: "file", id: "file_1" } }), model: "kling-v2-6" };
    const { started } = await startAt(adapter, task, accepted);
    assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
  }
});

test("the older generation takes durations as text, frames as bare bytes, and a resolution as a mode", async () => {
  const task = { ...videoOf({ image: { from: "file", id: "file_1" }, resolution: "1080p" }), model: "kling-v2-6" };
  const { started, requests } = await startAt(klingLegacy, task, accepted);
  assert.deepEqual(started, { state: "accepted", upstreamId: "1", keep: { way: "image2video" } });
  assert.deepEqual(requests[0]?.body, {
    model_name: "kling-v2-6",
    prompt: "waves",
    duration: "5",
    mode: "pro",
    image: Buffer.from("png").toString("base64"),
    external_task_id: "t-1",
  });
});

test("a mode goes before a resolution", async () => {
  const task = { ...videoOf({ resolution: "1080p", extras: { mode: "std" } }), model: "kling-v2-6" };
  const { requests } = await startAt(klingLegacy, task, accepted);
  assert.equal(Reflect.get(Object(requests[0]?.body), "mode"), "std");
});

test("a pair of keys is shown as a token alone", async () => {
  const pair = { ...work, credential: { id: "1", secret: "access-1:secret-1" } };
  const { requests } = await startAt(klingLegacy, { ...videoOf(), model: "kling-v2-6" }, accepted, pair);
  const [, claims = ""] = requests[0]?.headers.authorization?.split(".") ?? [];
  assert.equal(Reflect.get(Object(JSON.parse(Buffer.from(claims, "base64url").toString())), "iss"), "access-1");
  assert.ok(!JSON.stringify(requests).includes("secret-1"));
});

test("a job of the older generation is asked for the way it was sent", async () => {
  const job = { upstreamId: "1", kind: "video", keep: { way: "image2video" } } as const;
  const { polled, requests } = await pollAt(klingLegacy, job, () => ({
    body: { code: 0, data: { task_id: "1", task_status: "failed", task_status_msg: "Failure to pass the risk control system" } },
  }));
  assert.equal(requests[0]?.url, "/v1/videos/image2video/1");
  assert.equal(polled?.state === "failed" && polled.refusal.class, "content_policy");
});

test("a status of 429 is told apart by its code", async () => {
  const classOf = async (code: number) => {
    const { started } = await startAt(kling, { ...videoOf(), model: "kling-3.0" }, { status: 429, body: { code, message: "no" } });
    return started.state === "refused" && started.refusal.class;
  };
  assert.deepEqual(await Promise.all([1101, 1303, 1304].map(classOf)), ["quota", "rate_limit", "auth"]);
});

test("a list that is no list says nothing of the job, and an empty one says that there is none", async () => {
  const job = { upstreamId: "1", kind: "video" } as const;
  assert.equal((await pollAt(kling, job, () => ({ body: { code: 0, data: "soon" } }))).polled?.state, "trouble");
  assert.equal((await pollAt(kling, job, () => ({ body: { code: 0, data: [] } }))).polled?.state, "missing");
});
