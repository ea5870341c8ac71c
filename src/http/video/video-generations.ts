/** Videos as the public relays have them: the create answers as OpenAI does, the query in an envelope with both shapes in it. */
import { Type, type Static } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { InputFile } from "../../core/kinds.ts";
import type { Draft } from "../../core/plan.ts";
import { aspectRatio } from "./aspect-ratio.ts";
import { assetUrls } from "../asset-url.ts";
import { createTask } from "../create.ts";
import { extrasOf } from "../extras.ts";
import { checkUpload, inputFile } from "../input-file.ts";
import { withBody, type Form } from "../multipart.ts";
import { VideoObject, videoObject } from "./openai-video-record.ts";
import { mebibyte, operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { maybe, modelName } from "../calls/text-fields.ts";
import { RelayedVideo, relayedVideo } from "./video-generations-record.ts";
import {
  lengthOf,
  metadataOf,
  MetadataWish,
  needPrompt,
  pixelsOf,
  resolutionOf,
  resolutionWish,
  secondsWish,
  sizeWish,
  VideoId,
  videoTask,
} from "./video-wishes.ts";
import { Hooks, nullable } from "../wire.ts";

const picture = { description: "a http(s) URL, a data URI, or the id of an uploaded file" };
const side = Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 10_000, description: "pixels" })));

export const RelayedVideoRequest = Type.Object(
  {
    model: modelName,
    prompt: Type.Optional(
      nullable(Type.String({ maxLength: 32_000, description: "what the video shows; needed unless there is an image" })),
    ),
    negative_prompt: Type.Optional(nullable(Type.String({ maxLength: 5_000 }))),
    image: Type.Optional(nullable(Type.String(picture))),
    images: Type.Optional(nullable(Type.Array(Type.String(picture), { maxItems: 2, description: "a first and a last picture" }))),
    duration: secondsWish,
    seconds: secondsWish,
    width: side,
    height: side,
    size: sizeWish,
    aspect_ratio: Type.Optional(nullable(Type.String({ pattern: "^([0-9]{1,5}:[0-9]{1,5})?$", description: "width:height" }))),
    resolution: resolutionWish,
    fps: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 240 }))),
    seed: Type.Optional(nullable(Type.Integer({ minimum: -1, maximum: 4_294_967_295, description: "-1 for a random one" }))),
    n: Type.Optional(nullable(Type.Literal(1, { description: "one video at a time" }))),
    mode: maybe.text,
    metadata: MetadataWish,
    ...Hooks,
  },
  { description: "A video to make." },
);

type Wishes = Static<typeof RelayedVideoRequest>;

/** The create that a request means. */
export async function relayedVideoDraft(body: Wishes, caller: Caller, services: Services): Promise<Draft> {
  const { model, negative_prompt: negativePrompt, seed, fps, mode } = body;
  const metadata = metadataOf(body.metadata);
  const [image, lastImage] = await picturesOf(body, caller, services);
  const prompt = body.prompt ?? "";
  needPrompt(prompt, image !== undefined, "prompt");
  const { size, ...frame } = frameWish(body, metadata);
  return {
    kind: "video",
    dialect: "openai-video",
    model,
    input: {
      prompt,
      ...(negativePrompt && { negativePrompt }),
      ...(image && { image }),
      ...(lastImage && { lastImage }),
      ...lengthOf(body.duration ?? body.seconds, 5, "duration"),
      ...frame,
      ...(seed === undefined || seed === null || seed === -1 ? {} : { seed }),
      ...(size && { size: pixelsOf(size) }),
      ...extrasOf({ ...metadata, ...(fps && { fps }), ...(mode && { mode }) }),
    },
  };
}

async function picturesOf({ image, images }: Wishes, caller: Caller, { checkUrl, store }: Services): Promise<InputFile[]> {
  const named = (image ? [image, ...(images ?? []).filter((other) => other !== image)] : (images ?? [])).filter(Boolean);
  if (named.length > 2) throw new Failure("invalid_request", { says: "'images' takes a first and a last picture.", param: "images" });
  const param = image ? "image" : "images";
  const files = named.map((text) => inputFile(text, param, checkUrl));
  for (const file of files) await checkUpload(file, param, caller, store);
  return files;
}

/** Shape and resolution, from whichever of the fields is there. */
function frameWish({ width, height, size: sized, aspect_ratio, resolution }: Wishes, metadata: Record<string, unknown>) {
  const size = sized ? sized.replace(/\D/, "x") : width && height ? `${width}x${height}` : undefined;
  const further = size === undefined ? /^\d{1,5}:\d{1,5}$/.exec(String(metadata["aspect_ratio"]))?.[0] : undefined;
  const shape = aspect_ratio || further;
  return {
    size,
    aspectRatio: shape ? aspectRatio(shape) : aspectRatio(size ?? "16:9", sized ? "size" : "width"),
    ...(resolution ? { resolution: resolution.toLowerCase() } : size === undefined ? {} : { resolution: resolutionOf(size) }),
  };
}

const whole = new Set(["duration", "width", "height", "fps", "seed", "n"]);

/** A form as the JSON body it stands for. */
function bodyOfForm({ fields, files }: Form): unknown {
  const plain = Object.entries(fields).map(([name, text]) => [name, whole.has(name) && /^-?\d+$/.test(text) ? Number(text) : text]);
  const image = files["image"] ?? files["input_reference"];
  const { input_reference: reference, ...rest }: Record<string, unknown> = Object.fromEntries(plain);
  return { ...rest, ...((image ?? reference) === undefined ? {} : { image: image ?? reference }) };
}

const group = { tag: "videos", errors: "envelope", auth: "client", scope: "videos" } as const;

const createGeneration = operation({
  ...group,
  method: "POST",
  url: "/v1/video/generations",
  summary: "Create a video, as the relays have it",
  body: RelayedVideoRequest,
  reply: Type.Union([RelayedVideo, VideoObject]),
  bodyLimit: 32 * mebibyte,
  multipart: "too",
  run(ask, services) {
    const url = assetUrls(services, ask.base);
    return withBody(ask, services, { schema: RelayedVideoRequest, fromForm: bodyOfForm }, async (read) =>
      createTask({ ...ask, ...read }, services, await relayedVideoDraft(read.body, ask.caller, services), {
        created: (task) => videoObject(task, url),
        queried: (task) => relayedVideo(task, url),
      }),
    );
  },
});

const getGeneration = operation({
  ...group,
  method: "GET",
  url: "/v1/video/generations/:id",
  summary: "Get a video, as the relays have it",
  params: VideoId,
  reply: RelayedVideo,
  async run({ params, caller, base }, services) {
    return relayedVideo(await videoTask(services, caller, params.id), assetUrls(services, base));
  },
});

export const videoGenerationOperations = [createGeneration, getGeneration];
