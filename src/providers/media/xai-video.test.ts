import assert from "node:assert/strict";
import { test } from "node:test";
import { pollVideo, providerOf, sent } from "./media.fixture.ts";
import { xaiVideo } from "./xai-video.ts";

test("a video that did not pass moderation has failed, whatever its status", async (context) => {
  const video = { url: "https://vidgen.example/v.mp4", respect_moderation: false };
  const { provider } = await providerOf(context, xaiVideo, () => ({ body: { status: "done", video } }));
  const polled = await pollVideo(provider);
  assert.equal(polled?.state === "failed" && polled.refusal.class, "content_policy");
});

test("an address without a status is a finished video", async (context) => {
  const { provider } = await providerOf(context, xaiVideo, () => ({
    body: { video: { url: "https://vidgen.example/v.mp4", duration: 6 } },
  }));
  const polled = await pollVideo(provider);
  assert.equal(polled?.state === "done" && polled.output.kind === "video" && polled.output.durationSeconds, 6);
});

test("errors are told apart in each of their three shapes", async (context) => {
  const input = { prompt: "waves", durationSeconds: 6, aspectRatio: { width: 16, height: 9 } };
  const classOf = async (status: number, body: unknown) => {
    const { started } = await sent(context, xaiVideo, { kind: "video", model: "m", input }, { reply: { status, body } });
    return started.state === "refused" && started.refusal.class;
  };
  assert.equal(await classOf(400, { code: "Client specified an invalid argument", error: "Incorrect API key provided" }), "auth");
  assert.equal(await classOf(403, { error: "Content violates usage guidelines" }), "content_policy");
  assert.equal(await classOf(403, { error: { message: "Your team has run out of credits", code: null } }), "quota");
});
