import assert from "node:assert/strict";
import { test } from "node:test";
import type { VideoInput, VideoSource } from "../../core/kinds.ts";
import { pollVideo, providerOf, sent, work } from "./media.fixture.ts";
import { openaiVideos } from "./openai-videos.ts";

const wide: VideoInput = { prompt: "waves", durationSeconds: 8, aspectRatio: { width: 16, height: 9 } };
const source: VideoSource = { act: "remix", taskId: "0", upstreamTaskId: "video_1", video: { from: "file", id: "f" } };

test("a video without an address is fetched with the key, and the key goes nowhere else", async (context) => {
  let more: Record<string, unknown> = {};
  const { provider, stub } = await providerOf(context, openaiVideos, () => ({ body: { id: "1", status: "completed", ...more } }));
  const medium = async () => {
    const done = await pollVideo(provider);
    return done?.state === "done" && done.output.kind === "video" && done.output.video;
  };
  const headers = { authorization: "Bearer secret-123" };
  assert.deepEqual(await medium(), { from: "url", url: `${stub.url}/videos/1/content`, headers });
  more = { metadata: { url: "https://cdn.example/v.mp4" } };
  assert.deepEqual(await medium(), { from: "url", url: "https://cdn.example/v.mp4" });
  more = { video_url: `${stub.url}/v1/videos/1/content` };
  assert.deepEqual(await medium(), { from: "url", url: `${stub.url}/v1/videos/1/content`, headers });
});

test("a remix names the upstream's own video", async (context) => {
  const { request } = await sent(context, openaiVideos, { kind: "video", model: "sora-2", input: { ...wide, source } });
  assert.equal(request?.url, "/videos/video_1/remix");
  assert.deepEqual(request.body, { prompt: "waves" });
});

test("a video that another upstream made cannot be remixed or made anew from its prompt", async (context) => {
  const input = { ...wide, source: { ...source, upstreamTaskId: null } };
  const { started, request } = await sent(context, openaiVideos, { kind: "video", model: "sora-2", input });
  assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
  assert.equal(request, undefined);
});

test("1080p is a larger size of the same shape", async (context) => {
  const input = { ...wide, resolution: "1080p", aspectRatio: { width: 9, height: 16 } };
  const { request } = await sent(context, openaiVideos, { kind: "video", model: "sora-2-pro", input });
  assert.deepEqual(request?.body, { model: "sora-2-pro", prompt: "waves", seconds: "8", size: "1080x1920" });
});

test("the address for messages is sent only to upstreams that take one", async (context) => {
  const bodyWith = async (options: Record<string, unknown>) => {
    const { provider, stub } = await providerOf(context, openaiVideos, () => ({ body: {} }), options);
    const callback = { url: "https://genway.example/callbacks/x", secret: "s" };
    await provider.start({ kind: "video", model: "sora-2", input: wide, taskId: "t", attempt: 1, idempotencyKey: "t-1", callback }, work);
    return stub.requests[0]?.body;
  };
  const body = { model: "sora-2", prompt: "waves", seconds: "8", size: "1280x720" };
  assert.deepEqual(await bodyWith({}), body);
  assert.deepEqual(await bodyWith({ callbacks: "callback_url" }), { ...body, callback_url: "https://genway.example/callbacks/x" });
});

test("a resolution becomes the nearest size that the model has", async (context) => {
  const sizeOf = async (model: string, resolution: string) => {
    const { request } = await sent(context, openaiVideos, { kind: "video", model, input: { ...wide, resolution } });
    return Reflect.get(Object(request?.body), "size");
  };
  assert.equal(await sizeOf("sora-2", "4k"), "1280x720");
  assert.equal(await sizeOf("sora-2-pro-2025-10-06", "4k"), "1920x1080");
  assert.equal(await sizeOf("another", "1080p"), "1920x1080");
  assert.equal(await sizeOf("another", "480p"), "1280x720");
});
