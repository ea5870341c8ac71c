import assert from "node:assert/strict";
import { test } from "node:test";
import type { VideoInput } from "../../src/core/kinds.ts";
import { caller, comesBack, drafted, insideRequest, onTheWeb, requestOf, services, uploaded } from "./comes-back.ts";
import { openAiVideoDraft, OpenAiVideoRequest } from "../../src/http/video/openai-video-request.ts";
import { relayedVideoDraft, RelayedVideoRequest } from "../../src/http/video/video-generations.ts";
import { videoBDraft, VideoBRequest } from "../../src/http/video/video-b.ts";
import { videoInput, VideoRequest } from "../../src/http/video/video.ts";

comesBack({
  video: {
    dialect: "video",
    path: "/custom_video/model/a%2Fb",
    schema: VideoRequest,
    read: (body) => ({ work: { kind: "video", input: videoInput(body, () => undefined) }, model: "a/b" }),
    bodies: [
      { prompt: "a fox" },
      { prompt: "a fox", duration: "8", aspect_ratio: "1080:1920", image: onTheWeb },
      { image: uploaded, duration: 10 },
    ],
  },
  "video B": {
    dialect: "video-b",
    path: "/videoB/generations",
    schema: VideoBRequest,
    read: drafted((body) => videoBDraft(body, caller, services)),
    bodies: [
      { user_prompt: "x" },
      {
        user_prompt: "x",
        image_url: onTheWeb,
        image_end_url: uploaded,
        loop: true,
        expand_prompt: false,
        resolution: "1080P",
        duration: "9s",
      },
      { image_end_url: onTheWeb, model_name: "ray-3", aspect_ratio: "9:16" },
    ],
  },
  "video of OpenAI's dialect": {
    dialect: "openai-video",
    path: "/v1/videos",
    schema: OpenAiVideoRequest,
    read: drafted((body) => openAiVideoDraft(body, caller, services)),
    bodies: [
      { prompt: "x" },
      { prompt: "x", seconds: "8", size: "1280x720", model: "sora-2-pro", input_reference: onTheWeb, metadata: { style: "noir" }, mood: 3 },
      { prompt: "x", size: "1080x1920", input_reference: { file_id: uploaded } },
    ],
  },
  "video of the relays": {
    dialect: "openai-video",
    path: "/v1/video/generations",
    schema: RelayedVideoRequest,
    read: drafted((body) => relayedVideoDraft(body, caller, services)),
    bodies: [
      { model: "m", prompt: "x" },
      { model: "m", prompt: "x", size: "1280x720" },
      { model: "m", prompt: "x", width: 8, height: 8, seed: 0, fps: 24, mode: "pro", duration: 6, negative_prompt: "rain" },
      { model: "m", images: [onTheWeb, uploaded], metadata: { aspect_ratio: "1:1", prompt: "odd" }, resolution: "720p" },
    ],
  },
});

const plain: VideoInput = { prompt: "p", durationSeconds: 4, aspectRatio: { width: 16, height: 9 } };

test("a picture inside the request is left out, and nothing is told where nothing is left", () => {
  const kept = requestOf("video", "m", { kind: "video", input: { ...plain, image: insideRequest } });
  assert.deepEqual(kept, { path: "/custom_video/model/m", body: { prompt: "p", duration: 4, aspect_ratio: "16:9" } });
  assert.equal(requestOf("video", "m", { kind: "video", input: { ...plain, prompt: " ", image: insideRequest } }), null);
  // The result of another task has no name that a request could say.
  assert.equal(requestOf("image-a", "midjourney", { kind: "video", input: { ...plain, image: { from: "file", id: "x" } } }), null);
});

test("what goes on from another video names its task", () => {
  const source = { act: "extend", taskId: "t/1", upstreamTaskId: null, video: { from: "file", id: "v" } } as const;
  const extended = requestOf("video-b", "ray", { kind: "video", input: { ...plain, source } });
  assert.equal(extended?.path, "/videoB/generations/t%2F1/extend");
  const remixed = requestOf("openai-video", "m", {
    kind: "video",
    input: { ...plain, extras: { mood: 1 }, source: { ...source, act: "remix" } },
  });
  assert.deepEqual(remixed, { path: "/v1/videos/t%2F1/remix", body: { mood: 1, prompt: "p" } });
});
