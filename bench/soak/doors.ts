import { mediaBytes } from "../../lab/media.ts";
import type { InputFile, MediaInput, MediaKind, Ratio } from "../../src/core/kinds.ts";
import { plainPicture } from "./plain-picture.ts";

/** One of our own dialects: how it is asked for work, and how for its state. */
export type Door = {
  name: string;
  kind: MediaKind;
  /** The request; `words` stand where the prompt does. */
  submit(model: string, work: MediaInput, words: string): { path: string; body: Record<string, unknown>; headers?: Record<string, string> };
  /** The place of the task's id in the reply. */
  id: string;
  /** How one task is asked about, or many at once. */
  look: LookAtOne | LookAtMany;
};

/** The address of one task, and the place of its state in the reply. */
export type LookAtOne = { one: (id: string) => string; status: string };
/** The address for many, the place of the list in the reply, and of id and state in each record. */
export type LookAtMany = { many: string; list: string; id: string; status: string };

type Submit = Door["submit"];

// The first frame is as every upstream takes it, the last one too small for most: it must be drawn anew.
const frames = { first: uriOf(plainPicture(512)), last: uriOf(mediaBytes("cover.png")) };
const pictureOf = (file: InputFile | undefined, frame: keyof typeof frames = "first") => (file === undefined ? undefined : frames[frame]);
const ratioOf = ({ width, height }: Ratio) => `${width}:${height}`;
const anyTask = { one: (id: string) => `/v1/tasks/${id}`, status: "status" };

const video =
  (tell: (model: string, input: Extract<MediaInput, { kind: "video" }>["input"], words: string) => ReturnType<Submit>): Submit =>
  (model, work, words) => {
    if (work.kind !== "video") throw new Error("only videos are ordered here");
    return tell(model, work.input, words);
  };

const videoDoors: Door[] = [
  {
    name: "custom_video",
    kind: "video",
    id: "id",
    submit: video((model, { image, durationSeconds, aspectRatio }, words) => ({
      path: `/custom_video/model/${encodeURIComponent(model)}`,
      body: { prompt: words, duration: durationSeconds, aspect_ratio: ratioOf(aspectRatio), image: pictureOf(image) },
    })),
    look: { one: (id) => `/custom_video/fetch/${id}`, status: "status" },
  },
  {
    name: "videos",
    kind: "video",
    id: "id",
    submit: video((model, { image, durationSeconds, aspectRatio, resolution, extras }, words) => ({
      path: "/v1/videos",
      body: {
        model,
        prompt: words,
        seconds: String(durationSeconds),
        size: sizeOf(aspectRatio, resolution),
        input_reference: pictureOf(image),
        metadata: extras,
      },
    })),
    look: { one: (id) => `/v1/videos/${id}`, status: "status" },
  },
  {
    name: "luma",
    kind: "video",
    id: "id",
    submit: video((model, { image, lastImage, durationSeconds, aspectRatio, resolution }, words) => ({
      path: "/luma/generations",
      body: {
        user_prompt: words,
        model_name: model,
        duration: durationSeconds,
        aspect_ratio: ratioOf(aspectRatio),
        resolution,
        image_url: pictureOf(image),
        image_end_url: pictureOf(lastImage, "last"),
      },
    })),
    look: { many: "/luma/tasks", list: "", id: "id", status: "state" },
  },
  {
    name: "video/generations",
    kind: "video",
    id: "id",
    submit: video((model, { image, durationSeconds, aspectRatio, seed, extras: metadata }, words) => ({
      path: "/v1/video/generations",
      body: {
        model,
        prompt: words,
        duration: durationSeconds,
        aspect_ratio: ratioOf(aspectRatio),
        seed,
        image: pictureOf(image),
        metadata,
      },
    })),
    look: { one: (id) => `/v1/video/generations/${id}`, status: "data.status" },
  },
];

function sizeOf({ width, height }: Ratio, resolution = "720p"): string {
  const short = /k$/i.test(resolution) ? 1_080 : Number.parseInt(resolution, 10);
  const long = Math.round((short * Math.max(width, height)) / Math.min(width, height) / 2) * 2;
  return width >= height ? `${long}x${short}` : `${short}x${long}`;
}

const music =
  (tell: (model: string, input: Extract<MediaInput, { kind: "music" }>["input"], words: string) => ReturnType<Submit>): Submit =>
  (model, work, words) => {
    if (work.kind !== "music") throw new Error("only songs are ordered here");
    return tell(model, work.input, words);
  };

const musicDoors: Door[] = [
  {
    name: "suno",
    kind: "music",
    id: "task_id",
    submit: music((mv, { mode, lyrics, title, tags, instrumental }, words) => {
      const own = lyrics === undefined ? { tags: words } : { prompt: words, tags };
      const wish = mode === "inspiration" ? { gpt_description_prompt: words } : { ...own, title: title ?? "Rain" };
      return { path: "/suno/submit/music", body: { ...wish, make_instrumental: instrumental, mv } };
    }),
    look: { many: "/suno/fetch", list: "data", id: "task_id", status: "status" },
  },
  {
    name: "udio",
    kind: "music",
    id: "data",
    submit: music((model_type, { lyrics, tags, instrumental, seed }, words) => {
      const wish = lyrics === undefined ? { prompt: words } : { prompt: tags ?? "folk", lyrics: words, lyrics_type: "user" };
      const params = { ...wish, ...(instrumental && { lyrics_type: "instrumental" }), seed, model_type };
      return { path: "/udio/submit/music", body: { gen_params: params } };
    }),
    look: { one: (id) => `/udio/fetch/${id}`, status: "data.status" },
  },
  {
    name: "suno lyrics",
    kind: "lyrics",
    id: "data",
    submit: (_model, _work, words) => ({ path: "/suno/submit/lyrics", body: { prompt: words } }),
    look: { many: "/suno/fetch", list: "data", id: "task_id", status: "status" },
  },
];

const image =
  (tell: (model: string, input: Extract<MediaInput, { kind: "image" }>["input"], words: string) => ReturnType<Submit>): Submit =>
  (model, work, words) => {
    if (work.kind !== "image") throw new Error("only pictures are ordered here");
    return tell(model, work.input, words);
  };

const imageDoors: Door[] = [
  {
    name: "mj",
    kind: "image",
    id: "result",
    submit: image((model, _input, words) => ({
      path: "/mj/submit/imagine",
      body: { prompt: `${words} --ar 16:9`, botType: model === "niji" ? "NIJI_JOURNEY" : "MID_JOURNEY" },
    })),
    look: { many: "/mj/task/list-by-ids", list: "", id: "id", status: "status" },
  },
  {
    name: "ideogram",
    kind: "image",
    id: "task_id",
    submit: image((model, { count, aspectRatio, seed }, words) => ({
      path: "/ideogram/generate",
      headers: { prefer: "wait=0" },
      body: {
        image_request: {
          prompt: words,
          model,
          num_images: count,
          seed,
          ...(aspectRatio && { aspect_ratio: `ASPECT_${aspectRatio.width}_${aspectRatio.height}` }),
        },
      },
    })),
    look: anyTask,
  },
  {
    name: "images",
    kind: "image",
    id: "id",
    submit: image((model, { count, size, seed }, words) => ({
      path: "/v1/images/generations",
      body: { model, prompt: words, n: count, seed, async: true, ...(size && { size: `${size.width}x${size.height}` }) },
    })),
    look: anyTask,
  },
];

/** All of them; a field that is undefined is not sent. */
export const doors: readonly Door[] = [...videoDoors, ...musicDoors, ...imageDoors];

function uriOf(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}

/** A value inside a reply, by its names with points between; the empty path is the whole. */
export function at(value: unknown, path: string): unknown {
  return path === "" ? value : path.split(".").reduce<unknown>((inner, name) => Object(inner)[name], value);
}
