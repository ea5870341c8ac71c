import assert from "node:assert/strict";
import { test } from "node:test";
import { imageOf, musicOf, pollAt, startAt, videoOf } from "./adapter.fixture.ts";
import { geminiMedia } from "./gemini-media.ts";

const data = Buffer.from("png").toString("base64");
const job = { upstreamId: "models/veo/operations/1", kind: "video" } as const;
const operation = (response: object) => ({ body: { name: job.upstreamId, done: true, response: { generateVideoResponse: response } } });

test("frames of a video are inlined, and where to tell of it stands beside the parameters", async () => {
  const task = { ...videoOf({ image: { from: "url", url: "https://a.example/b.png" }, seed: 7 }), model: "veo-3.1-generate-preview" };
  const { started, requests } = await startAt(
    geminiMedia,
    { ...task, callback: { url: "https://us.example/hook", secret: "s" } },
    { body: { name: job.upstreamId } },
  );
  assert.deepEqual(started, { state: "accepted", upstreamId: job.upstreamId });
  assert.equal(requests[0]?.url, "/models/veo-3.1-generate-preview:predictLongRunning");
  assert.equal(requests[0]?.headers["x-goog-api-key"], "secret-123");
  assert.deepEqual(requests[0]?.body, {
    instances: [{ prompt: "waves", image: { bytesBase64Encoded: data, mimeType: "image/png" } }],
    parameters: { aspectRatio: "16:9", durationSeconds: 5, seed: 7 },
    webhookConfig: { uris: ["https://us.example/hook"] },
  });
});

test("the video is fetched with the key where the upstream itself has it, and without the key from anywhere else", async () => {
  const sample = (uri: string) => operation({ generatedSamples: [{ video: { uri } }] });
  const { polled } = await pollAt(geminiMedia, job, ({ headers }) => sample(`http://${headers.host}/files/1:download`));
  const video = polled?.state === "done" && polled.output.kind === "video" && polled.output.video;
  assert.deepEqual(video && video.from === "url" && video.headers, { "x-goog-api-key": "secret-123" });
  const elsewhere = await pollAt(geminiMedia, job, () => sample("https://elsewhere.example/v.mp4"));
  assert.ok(!JSON.stringify(elsewhere.polled).includes("secret-123"));
});

test("an operation that is over without a video was filtered, or has failed", async () => {
  const classOf = async (reply: object) => {
    const { polled } = await pollAt(geminiMedia, job, () => reply);
    return polled?.state === "failed" ? polled.refusal.class : polled?.state;
  };
  assert.equal(await classOf(operation({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["no"] })), "content_policy");
  assert.equal(
    await classOf({ body: { name: "x", done: true, error: { code: 3, message: "violates usage guidelines" } } }),
    "content_policy",
  );
  assert.equal(await classOf({ body: { name: "x", done: true, error: { code: 8, message: "busy" } } }), "rate_limit");
  assert.equal(await classOf({ body: { name: "x" } }), "running");
});

test("pictures to change stand before the prompt, and the reply holds the new one", async () => {
  const images = [{ from: "file", id: "file_1" } as const, { from: "file", id: "file_2" } as const];
  const reply = {
    candidates: [{ content: { parts: [{ text: "Here" }, { inlineData: { mimeType: "image/png", data } }] }, finishReason: "STOP" }],
  };
  const task = { ...imageOf({ act: "edit", images, size: { width: 1536, height: 1024 } }), model: "gemini-2.5-flash-image" };
  const { started, requests } = await startAt(geminiMedia, task, { body: reply });
  assert.deepEqual(requests[0]?.body, {
    contents: [
      {
        role: "user",
        parts: [{ inlineData: { mimeType: "image/png", data } }, { inlineData: { mimeType: "image/png", data } }, { text: "a fox" }],
      },
    ],
    generationConfig: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "3:2" } },
  });
  assert.deepEqual(started, {
    state: "done",
    output: { kind: "image", pictures: [{ media: { from: "bytes", bytes: Buffer.from("png") } }] },
  });
});

test("a yes without a picture is a no: over its content, or because the model only talks", async () => {
  const classOf = async (body: object) => {
    const { started } = await startAt(geminiMedia, { ...imageOf(), model: "gemini-2.5-flash-image" }, { body });
    return started.state === "refused" && started.refusal.class;
  };
  assert.equal(await classOf({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, responseId: "1" }), "content_policy");
  assert.equal(await classOf({ candidates: [{ finishReason: "IMAGE_SAFETY" }], responseId: "1" }), "content_policy");
  assert.equal(await classOf({ candidates: [{ content: { parts: [{ text: "I cannot draw" }] }, finishReason: "STOP" }] }), "unsupported");
});

test("a song is asked for in words, and comes with its lyrics", async () => {
  const reply = { candidates: [{ content: { parts: [{ text: "[Verse]" }, { inlineData: { mimeType: "audio/mpeg", data } }] } }] };
  const task = { ...musicOf({ mode: "custom", lyrics: "la", tags: "folk", title: "Rain" }), model: "lyria-3-clip-preview" };
  const { started, requests } = await startAt(geminiMedia, task, { body: reply });
  assert.deepEqual(requests[0]?.body, {
    contents: [{ role: "user", parts: [{ text: "Title: Rain" }, { text: "Style: folk" }, { text: "Lyrics:\nla" }] }],
    generationConfig: { responseModalities: ["AUDIO", "TEXT"] },
  });
  const song = started.state === "done" && started.output.kind === "music" && started.output.songs[0];
  assert.deepEqual(song && [song.lyrics, song.audio], ["[Verse]", { from: "bytes", bytes: Buffer.from("png") }]);
});
