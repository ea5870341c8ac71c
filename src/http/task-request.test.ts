import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import type { Caller } from "../core/accounts.ts";
import type { ImageInput, InputFile, SongSource, TaskInput, VideoInput } from "../core/kinds.ts";
import type { Dialect } from "../core/task.ts";
import { imageInput } from "./calls/image-task.ts";
import { ImageRequest } from "./calls/images.ts";
import { askedOf } from "./calls/json-call.ts";
import { imageBDraft, ImageBRequest, type ImageBWay } from "./image-b/image-b-request.ts";
import { blend, describePicture, edits, imagine, shorten, swapFaces } from "./image-a/new-pictures.ts";
import * as imageA from "./image-a/schemas.ts";
import { animate } from "./image-a/videos.ts";
import { lyricsInput, LyricsRequest, musicInput, MusicRequest } from "./music/music-a.ts";
import { generationInput, GenerationRequest } from "./music/music-b.ts";
import type { Services } from "./services.ts";
import { taskRequest } from "./task-request.ts";
import { openAiVideoDraft, OpenAiVideoRequest } from "./video/openai-video-request.ts";
import { relayedVideoDraft, RelayedVideoRequest } from "./video/video-generations.ts";
import { videoBDraft, VideoBRequest } from "./video/video-b.ts";
import { videoInput, VideoRequest } from "./video/video.ts";

const song = { title: "t", tags: "x", lyrics: "l", durationSeconds: 30, seed: null };
const clip: Omit<SongSource, "atSeconds" | "direction"> = {
  taskId: "task 1",
  songId: "clip 1",
  songIndex: 0,
  upstreamTaskId: "u",
  upstreamSongId: "s",
  song,
};
const caller = { account: { id: "a" }, key: null } as unknown as Caller;
// The readers ask the store for files, and the tasks for what a create goes on from.
const services = {
  checkUrl: () => undefined,
  store: { asset: async () => ({ kind: "image" }) },
  tasks: {
    songSource: async (_caller: Caller, songId: string, at: number | null, direction: SongSource["direction"]) => ({
      ...clip,
      songId,
      atSeconds: at ?? song.durationSeconds,
      direction,
    }),
    find: async () => ({ id: clip.taskId }),
    source: async () => ({ task: video, upstreamTaskId: "u" }),
  },
} as unknown as Services;
const video = {
  id: "task 1",
  kind: "video",
  dialect: "image-a",
  model: "niji",
  input: { prompt: "p", durationSeconds: 5, aspectRatio: { width: 4, height: 3 } },
  result: { kind: "video", video: "v", cover: null, durationSeconds: 5 },
};
const asking = { caller, services, address: "/imageA/submit/imagine" };
const id = "file_1";
const web = "https://example.com/a.png";

function requestOf(dialect: Dialect, model: string, work: TaskInput) {
  // As it comes back from the store.
  return taskRequest({ ...(JSON.parse(JSON.stringify(work)) as TaskInput), dialect, model });
}

type Read = (body: never) => Promise<{ work: TaskInput; model: string }> | { work: TaskInput; model: string };
type Way = { dialect: Dialect; path: string | RegExp; schema: TSchema; read: Read; bodies: object[] };

const pictured = (way: (body: never, by: typeof asking) => ReturnType<typeof imagine>): Read => {
  return async (body) => {
    const { draft } = await way(body, asking);
    return { work: draft, model: draft.model };
  };
};
const imageB = (way: ImageBWay): Read => {
  return async (body) => {
    const draft = await imageBDraft(way, body, caller, services);
    return { work: draft, model: draft.model };
  };
};

const ways: Record<string, Way> = {
  video: {
    dialect: "video",
    path: "/custom_video/model/a%2Fb",
    schema: VideoRequest,
    read: (body) => ({ work: { kind: "video", input: videoInput(body, () => undefined) }, model: "a/b" }),
    bodies: [
      { prompt: "a fox" },
      { prompt: "a fox", duration: "8", aspect_ratio: "1080:1920", image: web },
      { image: id, duration: 10 },
    ],
  },
  "video B": {
    dialect: "video-b",
    path: "/videoB/generations",
    schema: VideoBRequest,
    async read(body) {
      const draft = await videoBDraft(body, caller, services);
      return { work: draft, model: draft.model };
    },
    bodies: [
      { user_prompt: "x" },
      { user_prompt: "x", image_url: web, image_end_url: id, loop: true, expand_prompt: false, resolution: "1080P", duration: "9s" },
      { image_end_url: web, model_name: "ray-3", aspect_ratio: "9:16" },
    ],
  },
  "video of OpenAI's dialect": {
    dialect: "openai-video",
    path: "/v1/videos",
    schema: OpenAiVideoRequest,
    async read(body) {
      const draft = await openAiVideoDraft(body, caller, services);
      return { work: draft, model: draft.model };
    },
    bodies: [
      { prompt: "x" },
      { prompt: "x", seconds: "8", size: "1280x720", model: "sora-2-pro", input_reference: web, metadata: { style: "noir" }, mood: 3 },
      { prompt: "x", size: "1080x1920", input_reference: { file_id: id } },
    ],
  },
  "video of the relays": {
    dialect: "openai-video",
    path: "/v1/video/generations",
    schema: RelayedVideoRequest,
    async read(body) {
      const draft = await relayedVideoDraft(body, caller, services);
      return { work: draft, model: draft.model };
    },
    bodies: [
      { model: "m", prompt: "x" },
      { model: "m", prompt: "x", size: "1280x720" },
      { model: "m", prompt: "x", width: 8, height: 8, seed: 0, fps: 24, mode: "pro", duration: 6, negative_prompt: "rain" },
      { model: "m", images: [web, id], metadata: { aspect_ratio: "1:1", prompt: "odd" }, resolution: "720p" },
    ],
  },
  "music A": {
    dialect: "music-a",
    path: "/musicA/submit/music",
    schema: MusicRequest,
    read: async (body) => ({ work: { kind: "music", input: await musicInput(body, caller, services.tasks) }, model: "chirp-v4" }),
    bodies: [
      { gpt_description_prompt: "rain", make_instrumental: true, negative_tags: "drums" },
      { prompt: "la la", title: "T", tags: "folk" },
      { tags: "folk", make_instrumental: true },
      { continue_clip_id: "clip 9", prompt: "on", task_id: "task 1" },
      { continue_clip_id: "clip 9", continue_at: 12.5 },
    ],
  },
  lyrics: {
    dialect: "music-a",
    path: "/musicA/submit/lyrics",
    schema: LyricsRequest,
    read: (body) => ({ work: { kind: "lyrics", input: lyricsInput(body) }, model: "lyrics" }),
    bodies: [{ prompt: "the sea" }],
  },
  "music B": {
    dialect: "music-b",
    path: "/musicB/submit/music",
    schema: GenerationRequest,
    async read({ gen_params: params }: { gen_params: never }) {
      return { work: { kind: "music", input: await generationInput(params, caller, services.tasks) }, model: "udio130-v1.5" };
    },
    bodies: [
      { gen_params: { prompt: "jazz", seed: 7, prompt_strength: 0.4, bypass_prompt_optimization: true } },
      { gen_params: { prompt: "jazz", lyrics: "la", lyrics_type: "user", negative_prompt: "x" } },
      { gen_params: { lyrics: "la", lyrics_type: "instrumental" } },
      { gen_params: { prompt: "jazz", config: { mode: "precede", source: { song_id: "clip 2" } } } },
      { gen_params: { prompt: "jazz", lyrics: "on", config: { mode: "continuation", source: { song_id: "clip 2" } } } },
    ],
  },
  pictures: {
    dialect: "images",
    path: "/v1/images/generations",
    schema: ImageRequest,
    read(body) {
      const asked = askedOf("image", body, "dall-e");
      return { work: { kind: "image", input: imageInput(asked, []) }, model: asked.model };
    },
    bodies: [
      { prompt: "x" },
      { prompt: "x", n: 3, size: "1024x1792", quality: "hd", seed: 4, negative_prompt: "y", model: "m", async: true },
      { prompt: "x", size: "auto" },
    ],
  },
  "pictures B": {
    dialect: "image-b",
    path: "/imageB/generate",
    schema: ImageBRequest,
    read: imageB("generate"),
    bodies: [
      { prompt: "x" },
      { prompt: "x", aspect_ratio: "ASPECT_16_9", num_images: 2, seed: 0, color_palette: { name: "EMBER" }, magic_prompt: "ON" },
      { image_request: { prompt: "x", model: "V_3", resolution: "RESOLUTION_1024_768", negative_prompt: "y", style_type: "REALISTIC" } },
    ],
  },
  "remixes B": {
    dialect: "image-b",
    path: "/imageB/remix",
    schema: ImageBRequest,
    read: imageB("remix"),
    bodies: [
      { prompt: "x", image_file: id },
      { prompt: "x", image: web, image_weight: 80 },
    ],
  },
  "edits B": {
    dialect: "image-b",
    path: "/imageB/edit",
    schema: ImageBRequest,
    read: imageB("edit"),
    bodies: [{ prompt: "x", image_file: id, mask: web }],
  },
  "descriptions B": { dialect: "image-b", path: "/imageB/describe", schema: ImageBRequest, read: imageB("describe"), bodies: [{ image: id }] },
  "pictures A": {
    dialect: "image-a",
    path: "/imageA/submit/imagine",
    schema: imageA.ImagineRequest,
    read: pictured(imagine),
    bodies: [
      { prompt: "a fox" },
      { prompt: "a fox --ar 3:2 --seed 5 --no rain", base64Array: [web, id], botType: "NIJI_JOURNEY", state: "s" },
      { prompt: "x", accountFilter: { modes: ["fast"] } },
    ],
  },
  "blends A": {
    dialect: "image-a",
    path: "/imageA/submit/blend",
    schema: imageA.BlendRequest,
    read: pictured(blend),
    bodies: [{ base64Array: [web, id], dimensions: "PORTRAIT" }],
  },
  "descriptions A": {
    dialect: "image-a",
    path: "/imageA/submit/describe",
    schema: imageA.DescribeRequest,
    read: pictured(describePicture),
    bodies: [{ link: web }],
  },
  "short prompts A": {
    dialect: "image-a",
    path: "/imageA/submit/shorten",
    schema: imageA.ShortenRequest,
    read: pictured(shorten),
    bodies: [{ prompt: "a long one --ar 1:1" }],
  },
  "edits A": {
    dialect: "image-a",
    path: "/imageA/submit/edits",
    schema: imageA.EditsRequest,
    read: pictured(edits),
    bodies: [{ prompt: "x", image: id, maskBase64: web }],
  },
  "swapped faces A": {
    dialect: "image-a",
    path: "/imageA/insight-face/swap",
    schema: imageA.SwapRequest,
    read: pictured(swapFaces),
    bodies: [{ sourceBase64: web, targetBase64: id }],
  },
  "videos A": {
    dialect: "image-a",
    path: "/imageA/submit/video",
    schema: imageA.VideoRequest,
    read: pictured(animate),
    bodies: [
      { image: web, prompt: "go --no rain", motion: "high", loop: true, endImage: id },
      { taskId: "task 1", prompt: "on" },
    ],
  },
};

for (const [name, { dialect, path, schema, read, bodies }] of Object.entries(ways)) {
  test(`${name}: the request of a stored task, sent again, asks for the same`, async () => {
    for (const body of bodies) {
      const { work, model } = await read(body as never);
      const request = requestOf(dialect, model, work);
      assert.ok(request !== null, JSON.stringify(body));
      assert.equal(request.path, path);
      assert.ok(Value.Check(schema, request.body), JSON.stringify([request.body, [...Value.Errors(schema, request.body)]]));
      const again = await read(request.body as never);
      assert.deepEqual(again, { work, model }, JSON.stringify(request.body));
    }
  });
}

const plainVideo: VideoInput = { prompt: "p", durationSeconds: 4, aspectRatio: { width: 16, height: 9 } };
const data: InputFile = { from: "data", uri: "data:image/png;base64,AAAA" };

test("a picture inside the request is left out, and nothing is told where nothing is left", () => {
  const kept = requestOf("video", "m", { kind: "video", input: { ...plainVideo, image: data } });
  assert.deepEqual(kept, { path: "/custom_video/model/m", body: { prompt: "p", duration: 4, aspect_ratio: "16:9" } });
  assert.equal(requestOf("video", "m", { kind: "video", input: { ...plainVideo, prompt: " ", image: data } }), null);
  // The result of another task has no name that a request could say.
  assert.equal(requestOf("image-a", "midjourney", { kind: "video", input: { ...plainVideo, image: { from: "file", id: "x" } } }), null);
});

test("what goes on from another video names its task", () => {
  const source = { act: "extend", taskId: "t/1", upstreamTaskId: null, video: { from: "file", id: "v" } } as const;
  const extended = requestOf("video-b", "ray", { kind: "video", input: { ...plainVideo, source } });
  assert.equal(extended?.path, "/videoB/generations/t%2F1/extend");
  const remixed = requestOf("openai-video", "m", {
    kind: "video",
    input: { ...plainVideo, extras: { mood: 1 }, source: { ...source, act: "remix" } },
  });
  assert.deepEqual(remixed, { path: "/v1/videos/t%2F1/remix", body: { mood: 1, prompt: "p" } });
});

const picture: ImageInput = { act: "upscale", prompt: "p", images: [], count: 1, grid: false };
const from = { taskId: "t", upstreamTaskId: null, place: 1, button: null, prompt: "p", seed: null };
const pressed = (input: Partial<ImageInput>) =>
  requestOf("image-a", "niji", { kind: "image", input: { ...picture, source: from, ...input } });

test("a pressed button is pressed again", () => {
  assert.deepEqual(pressed({ midjourney: { action: "UPSCALE", state: "s" } }), {
    path: "/imageA/submit/change",
    body: { taskId: "t", action: "UPSCALE", index: 2, state: "s" },
  });
  const again = pressed({ act: "reroll", source: { ...from, place: null }, midjourney: { action: "REROLL" } });
  assert.deepEqual(again?.body, { taskId: "t", action: "REROLL" });
  const solo = { ...from, place: null };
  const subtle = pressed({ act: "vary", strength: 0.25, source: solo, midjourney: { action: "LOW_VARIATION" } });
  assert.deepEqual(subtle, { path: "/imageA/submit/action", body: { taskId: "t", customId: "MJ::JOB::low_variation::1::t" } });
  const out = pressed({ act: "zoom", extras: { zoom: 1.5 }, source: solo, midjourney: { action: "ZOOM" } });
  assert.equal(out?.body["customId"], "MJ::Outpaint::75::1::t");
  const foreign = pressed({ source: { ...solo, button: "MJ::JOB::upsample_v6_2x::1::abc-def::SOLO" }, midjourney: { action: "UPSCALE" } });
  assert.equal(foreign?.body["customId"], "MJ::JOB::upsample_v6_2x::1::t::SOLO");
  assert.equal(pressed({ act: "edit", source: solo, midjourney: { action: "INPAINT", modal: true } }), null);
});

test("a call for which nobody waited is asked for as a task again; one with a file cannot be", () => {
  const input = { operation: "chat", body: { messages: [], max_tokens: 9 }, files: [] };
  assert.deepEqual(requestOf("call", "m", { kind: "chat", input }), {
    path: "/v1/chat/completions",
    body: { messages: [], max_tokens: 9, model: "m", async: true },
  });
  const files = [{ field: "file", name: "a.mp3", mime: "audio/mpeg", file: { from: "file", id } as const }];
  assert.equal(requestOf("call", "m", { kind: "transcription", input: { operation: "transcription", body: {}, files } }), null);
  assert.equal(requestOf("images", "m", { kind: "image", input: { ...picture, act: "edit", images: [data] } }), null);
});
