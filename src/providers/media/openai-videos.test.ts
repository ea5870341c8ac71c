import assert from "node:assert/strict";
import { test } from "node:test";
import type { VideoInput, VideoSource } from "../../core/kinds.ts";
import { pollVideo, providerOf, sent } from "./media.fixture.ts";
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
