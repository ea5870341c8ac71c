import { Type, type Static } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import type { VideoInput } from "../../core/kinds.ts";
import type { Draft } from "../../core/plan.ts";
import type { Task } from "../../core/task.ts";
import { aspectRatio, ratioText } from "./aspect-ratio.ts";
import { assetUrls } from "../asset-url.ts";
import { createTask } from "../create.ts";
import { extrasOf } from "../extras.ts";
import { checkUpload, inputFile } from "../input-file.ts";
import { mebibyte, operation, type Ask } from "../operation.ts";
import type { Services } from "../services.ts";
import { maybe } from "../calls/text-fields.ts";
import { GenerationRecord, generationRecord } from "./video-b-record.ts";
import { finishedVideo, lengthOf, needPrompt, resolutionWish, secondsWish, VideoId, videoSource, videoTask } from "./video-wishes.ts";
import { Hooks, nullable } from "../wire.ts";

const picture = Type.Optional(nullable(Type.String({ description: "a http(s) URL, a data URI, or the id of an uploaded file" })));

export const VideoBRequest = Type.Object(
  {
    user_prompt: Type.Optional(
      nullable(Type.String({ maxLength: 5000, description: "what the video shows; needed unless there is an image" })),
    ),
    aspect_ratio: Type.Optional(
      nullable(Type.String({ pattern: "^([0-9]{1,5}:[0-9]{1,5})?$", description: "width:height, between 1:8 and 8:1; 16:9 unless given" })),
    ),
    expand_prompt: maybe.flag,
    loop: maybe.flag,
    image_url: picture,
    image_end_url: picture,
    model_name: Type.Optional(
      nullable(Type.String({ maxLength: 200, pattern: "^[^\\u0000-\\u001f]*$", description: "the model; ray-v2 unless given" })),
    ),
    resolution: resolutionWish,
    duration: secondsWish,
    ...Hooks,
  },
  { description: "A video to make." },
);

type Wishes = Static<typeof VideoBRequest>;

/** The create that a request means; with the id of a finished video, one that goes on from it. */
export async function videoBDraft(body: Wishes, caller: Caller, services: Services, from?: string): Promise<Draft> {
  const origin = from === undefined ? undefined : await videoSource(services, caller, from, "extend");
  const { user_prompt, model_name, expand_prompt, resolution, loop } = body;
  const image = await pictureOf(body.image_url, "image_url", caller, services);
  const lastImage = await pictureOf(body.image_end_url, "image_end_url", caller, services);
  const prompt = user_prompt ?? "";
  needPrompt(prompt, (image ?? lastImage ?? origin) !== undefined, "user_prompt");
  const usual = origin?.task.input;
  const shape = body.aspect_ratio || (usual === undefined ? "16:9" : ratioText(usual.aspectRatio));
  const sharpness = resolution?.toLowerCase() || usual?.resolution;
  const input: VideoInput = {
    prompt,
    ...(image && { image }),
    ...(lastImage && { lastImage }),
    ...(origin && { source: origin.source }),
    ...lengthOf(body.duration, 5, "duration"),
    aspectRatio: aspectRatio(shape),
    ...(sharpness && { resolution: sharpness }),
    ...(loop && { loop }),
    ...extrasOf({ expand_prompt }),
  };
  return { kind: "video", dialect: "video-b", model: model_name || (origin?.task.model ?? "ray-v2"), input };
}

async function pictureOf(text: string | null | undefined, param: string, caller: Caller, { checkUrl, store }: Services) {
  if (!text) return undefined;
  const file = inputFile(text, param, checkUrl);
  await checkUpload(file, param, caller, store);
  return file;
}

const group = { tag: "video B", errors: "envelope", auth: "client", scope: "videoB" } as const;

function create(ask: Ask<unknown, unknown, unknown>, services: Services, draft: Draft): Promise<unknown> {
  const url = assetUrls(services, ask.base);
  const show = (task: Task) => generationRecord(task, url);
  return createTask(ask, services, draft, { created: show, queried: show });
}

const createGeneration = operation({
  ...group,
  method: "POST",
  url: "/videoB/generations",
  aliases: ["/luma/generations"],
  summary: "Create a video",
  body: VideoBRequest,
  reply: GenerationRecord,
  bodyLimit: 32 * mebibyte,
  async run(ask, services) {
    return create(ask, services, await videoBDraft(ask.body, ask.caller, services));
  },
});

const extendGeneration = operation({
  ...group,
  method: "POST",
  url: "/videoB/generations/:id/extend",
  aliases: ["/luma/generations/:id/extend"],
  summary: "Make a video that goes on from a finished one",
  params: VideoId,
  body: VideoBRequest,
  reply: GenerationRecord,
  bodyLimit: 32 * mebibyte,
  async run(ask, services) {
    return create(ask, services, await videoBDraft(ask.body, ask.caller, services, ask.params.id));
  },
});

const getGeneration = operation({
  ...group,
  method: "GET",
  url: "/videoB/generations/:id",
  aliases: ["/luma/generations/:id"],
  summary: "Get a video",
  params: VideoId,
  reply: GenerationRecord,
  async run({ params, caller, base }, services) {
    return generationRecord(await videoTask(services, caller, params.id), assetUrls(services, base));
  },
});

const getDownloadUrl = operation({
  ...group,
  method: "GET",
  url: "/videoB/generations/:id/download_video_url",
  aliases: ["/luma/generations/:id/download_video_url"],
  summary: "Get the address of a finished video",
  params: VideoId,
  reply: Type.Object({ url: Type.String() }),
  async run({ params, caller, base }, services) {
    const { video } = finishedVideo(await videoTask(services, caller, params.id));
    return { url: assetUrls(services, base)(video) };
  },
});

const listGenerations = operation({
  ...group,
  method: "POST",
  url: "/videoB/tasks",
  aliases: ["/luma/tasks"],
  summary: "Get several videos",
  body: Type.Object({ ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, description: "up to 100 ids" }) }),
  reply: Type.Array(GenerationRecord),
  async run({ body, caller, base }, services) {
    const ids = [...new Set(body.ids)];
    const tasks = new Map((await services.store.tasksByIds({ ids, account: caller.account.id })).map((task) => [task.id, task]));
    const url = assetUrls(services, base);
    return ids.flatMap((id) => {
      const task = tasks.get(id);
      return task?.kind === "video" ? [generationRecord(task, url)] : [];
    });
  },
});

export const videoBOperations = [createGeneration, extendGeneration, getGeneration, getDownloadUrl, listGenerations];
