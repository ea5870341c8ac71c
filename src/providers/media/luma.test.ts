import assert from "node:assert/strict";
import { test } from "node:test";
import type { VideoSource } from "../../core/kinds.ts";
import { imageOf, startAt, videoOf } from "./adapter.fixture.ts";
import { lumaAgents } from "./luma-agents.ts";
import { lumaRelay } from "./luma-relay.ts";
import { luma } from "./luma.ts";

const accepted = { body: { id: "1" } };
const source: VideoSource = { act: "extend", taskId: "ours", upstreamTaskId: "theirs", video: { from: "file", id: "file_1" } };
const bytes = { data: Buffer.from("png").toString("base64"), media_type: "image/png" };

test("a video that goes on names the upstream's own generation as its first frame", async () => {
  const task = { ...videoOf({ source, lastImage: { from: "url", url: "https://a.example/b.png" } }), model: "ray-2" };
  const { requests } = await startAt(luma, { ...task, callback: { url: "https://us.example/hook", secret: "s" } }, accepted);
  assert.deepEqual(requests[0]?.body, {
    model: "ray-2",
    prompt: "waves",
    aspect_ratio: "16:9",
    duration: "5s",
    callback_url: "https://us.example/hook",
    keyframes: { frame0: { type: "generation", id: "theirs" }, frame1: { type: "image", url: "https://a.example/b.png" } },
  });
  const agents = await startAt(lumaAgents, { ...videoOf({ source }), model: "ray-3.2" }, accepted);
  assert.deepEqual(agents.requests[0]?.body, {
    model: "ray-3.2",
    prompt: "waves",
    aspect_ratio: "16:9",
    type: "video",
    video: { duration: "5s", start_frame: { generation_id: "theirs" } },
  });
  const relay = await startAt(lumaRelay, { ...videoOf({ source }), model: "ray-v2" }, accepted);
  assert.equal(relay.requests[0]?.url, "/luma/generations/theirs/extend");
});

test("a video of another upstream cannot go on here, and is not made anew instead", async () => {
  for (const adapter of [luma, lumaAgents, lumaRelay]) {
    const foreign = videoOf({ source: { ...source, upstreamTaskId: null } });
    const { started, requests } = await startAt(adapter, { ...foreign, model: "ray-2" }, accepted);
    assert.equal(started.state === "refused" && started.refusal.class, "unsupported", adapter.type);
    assert.equal(requests.length, 0);
  }
});

test("a change of a video is sent with its source alone, which has its own length and shape", async () => {
  const { requests } = await startAt(lumaAgents, { ...videoOf({ source: { ...source, act: "remix" } }), model: "ray-3.2" }, accepted);
  assert.deepEqual(requests[0]?.body, {
    model: "ray-3.2",
    prompt: "waves",
    type: "video_edit",
    source: { generation_id: "theirs" },
    video: { edit: { auto_controls: true } },
  });
});

test("frames are sent to the newer API as bytes", async () => {
  const frame = { from: "url", url: "https://a.example/b.png" } as const;
  const { requests } = await startAt(lumaAgents, { ...videoOf({ image: frame, lastImage: frame }), model: "ray-3.2" }, accepted);
  assert.deepEqual(Reflect.get(Object(requests[0]?.body), "video"), { duration: "5s", start_frame: bytes, end_frame: bytes });
});

test("pictures to go by and a picture to change are sent apart, and a size becomes the nearest shape", async () => {
  const images = [{ from: "url", url: "https://a.example/b.png" } as const];
  const drawn = await startAt(luma, { ...imageOf({ images, size: { width: 1024, height: 768 } }), model: "photon-1" }, accepted);
  assert.deepEqual(drawn.requests[0]?.body, {
    model: "photon-1",
    prompt: "a fox",
    aspect_ratio: "4:3",
    image_ref: [{ url: "https://a.example/b.png" }],
  });
  const edited = await startAt(luma, { ...imageOf({ act: "edit", images }), model: "photon-1" }, accepted);
  assert.deepEqual(edited.requests[0]?.body, {
    model: "photon-1",
    prompt: "a fox",
    modify_image_ref: { url: "https://a.example/b.png" },
  });
  const newer = await startAt(lumaAgents, { ...imageOf({ act: "edit", images }), model: "uni-1" }, accepted);
  assert.deepEqual(newer.requests[0]?.body, { model: "uni-1", prompt: "a fox", type: "image_edit", source: bytes });
});

test("a mask, or a second picture to change, is refused where nothing could be done with it", async () => {
  const picture = { from: "file", id: "file_1" } as const;
  for (const adapter of [luma, lumaAgents])
    for (const more of [{ mask: picture }, { images: [picture, picture] }]) {
      const { started } = await startAt(adapter, { ...imageOf({ act: "edit", images: [picture], ...more }), model: "uni-1" }, accepted);
      assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
    }
});

test("an account without credits is a matter of quota, and faults in a list are of the request", async () => {
  const task = { ...videoOf(), model: "ray-2" };
  const poor = await startAt(luma, task, { status: 400, body: { detail: "Insufficient credits" } });
  assert.equal(poor.started.state === "refused" && poor.started.refusal.class, "quota");
  const wrong = await startAt(luma, task, { status: 422, body: { detail: [{ type: "enum", loc: ["body", "model"], msg: "Input" }] } });
  assert.equal(wrong.started.state === "refused" && wrong.started.refusal.class, "invalid");
});

test("a relay that wraps its answer is understood too", async () => {
  const { started } = await startAt(lumaRelay, { ...videoOf(), model: "ray-v2" }, { body: { code: "success", data: { task_id: "9" } } });
  assert.deepEqual(started, { state: "accepted", upstreamId: "9" });
});
