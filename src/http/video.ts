import { Type, type Static } from "typebox";
import { Failure } from "../core/errors.ts";
import type { InputFile, VideoInput } from "../core/kinds.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Task } from "../core/task.ts";
import type { AssetUrl } from "./asset-url.ts";
import { assetUrls } from "./asset-url.ts";
import { createTask } from "./create.ts";
import { errorBody } from "./error-shapes.ts";
import { checkUpload, inputFile } from "./input-file.ts";
import { readBody, type Form } from "./multipart.ts";
import { mebibyte, operation, type Ask } from "./operation.ts";
import type { Services } from "./services.ts";
import { Hooks, nullable, seconds, TaskError } from "./wire.ts";

const duration = Type.Union([Type.Integer({ minimum: 1, maximum: 60 }), Type.String({ pattern: "^[0-9]{1,2}$" })], {
  description: "whole seconds, 1 to 60; 5 unless given",
});

export const VideoRequest = Type.Object(
  {
    prompt: Type.Optional(nullable(Type.String({ maxLength: 5000, description: "what the video shows; needed unless there is an image" }))),
    image: Type.Optional(nullable(Type.String({ description: "a http(s) URL, a data URI, or the id of an uploaded file" }))),
    duration: Type.Optional(nullable(duration)),
    aspect_ratio: Type.Optional(
      nullable(
        Type.String({
          pattern: "^[0-9]{1,5}:[0-9]{1,5}$",
          description: "width:height, two whole numbers, between 1:8 and 8:1; 16:9 unless given",
        }),
      ),
    ),
    ...Hooks,
  },
  { description: "A video to make." },
);

const VideoTask = Type.Object({ id: Type.String(), model: Type.String(), status: Type.String() });

const VideoRecord = Type.Object({
  id: Type.String(),
  task_id: Type.String(),
  model: Type.String(),
  status: Type.String(),
  progress: Type.String(),
  submit_time: Type.Integer(),
  start_time: Type.Integer(),
  finish_time: Type.Integer(),
  fail_reason: Type.String(),
  error: nullable(TaskError),
  video_url: Type.String(),
  url: Type.String(),
  cover_url: Type.String(),
  duration: Type.Number(),
  aspect_ratio: Type.String(),
  cost: Type.Number(),
});

const ModelParams = Type.Object({ model: Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\u0000-\\u001f]+$" }) });
// With Prefer: wait the reply is the whole record.
const CreateReply = Type.Union([VideoRecord, VideoTask]);

/** Reads the domain's input off the wire's. */
export function videoInput(body: Static<typeof VideoRequest>, check: (url: string, param: string) => void): VideoInput {
  const { prompt = "", image, duration: asked, aspect_ratio: ratio } = body;
  const file: InputFile | undefined = image ? inputFile(image, "image", check) : undefined;
  if ((prompt ?? "").trim() === "" && file === undefined)
    throw new Failure("invalid_request", { says: "'prompt' is required unless an image is given.", param: "prompt" });
  const durationSeconds = Number(asked ?? 5);
  if (durationSeconds < 1 || durationSeconds > 60)
    throw new Failure("invalid_request", { says: "'duration' must be 1 to 60 seconds.", param: "duration" });
  return {
    prompt: prompt ?? "",
    ...(file && { image: file }),
    durationSeconds,
    ...(asked ? {} : { isDefaultDuration: true }),
    aspectRatio: reduced(ratio || "16:9"),
  };
}

function reduced(text: string): { width: number; height: number } {
  const [width = 0, height = 0] = text.split(":").map(Number);
  const wrong = width < 1 || height < 1 || width > 10_000 || height > 10_000 || width > 8 * height || height > 8 * width;
  if (wrong)
    throw new Failure("invalid_request", {
      says: "'aspect_ratio' must be width:height, whole numbers from 1 to 10000, between 1:8 and 8:1.",
      param: "aspect_ratio",
    });
  const common = divisor(width, height);
  return { width: width / common, height: height / common };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** A video task as the video group shows it. */
export function videoRecord(task: Task, url: AssetUrl): Static<typeof VideoRecord> {
  const result = task.result?.kind === "video" ? task.result : null;
  const input = task.kind === "video" ? task.input : null;
  const video = url(result?.video ?? null);
  return {
    id: task.id,
    task_id: task.id,
    model: task.model,
    status: task.status,
    progress: `${task.progress}%`,
    submit_time: seconds(task.createdAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    fail_reason: task.failReason ?? "",
    error: task.failCode === null ? null : errorBody(task.failCode, task.failReason ?? ""),
    video_url: video,
    url: video,
    cover_url: url(result?.cover ?? null),
    duration: result?.durationSeconds ?? input?.durationSeconds ?? 0,
    aspect_ratio: input === null ? "" : `${input.aspectRatio.width}:${input.aspectRatio.height}`,
    cost: usdFromNanos(task.costNanos ?? 0),
  };
}

// Forms come from clients of other services and use their words.
function bodyOfForm({ fields, files }: Form): unknown {
  const { size, seconds: length, input_reference: _reference, model: _model, ...rest } = fields;
  const image = files["image"] ?? files["input_reference"] ?? files["input_reference[]"] ?? rest["image"];
  return {
    ...(size === undefined ? {} : { aspect_ratio: size.replace("x", ":") }),
    ...(length === undefined ? {} : { duration: length }),
    ...rest,
    ...(image === undefined ? {} : { image }),
  };
}

const createVideo = operation({
  method: "POST",
  url: "/custom_video/model/:model",
  tag: "video",
  summary: "Create a video",
  errors: "envelope",
  auth: "key",
  scope: "video",
  params: ModelParams,
  body: VideoRequest,
  reply: CreateReply,
  bodyLimit: 32 * mebibyte,
  multipart: "too",
  async run(ask, services) {
    const { body, content, drop } = await readBody(ask, services, VideoRequest, bodyOfForm);
    try {
      const reply = await submitVideo({ ...ask, body, content }, services);
      if (ask.reply.hasHeader("idempotent-replayed")) await drop();
      return reply;
    } catch (error) {
      await drop();
      throw error;
    }
  },
});

type Submitting = Ask<Static<typeof ModelParams>, unknown, Static<typeof VideoRequest>> & { content: unknown };

async function submitVideo(ask: Submitting, services: Services): Promise<unknown> {
  const url = assetUrls(services, ask.base);
  const input = videoInput(ask.body, services.checkUrl);
  await checkUpload(input.image, "image", ask.caller, services.store);
  return createTask(
    ask,
    services,
    { kind: "video", dialect: "video", model: ask.params.model, input },
    {
      created: (task) => ({ id: task.id, model: task.model, status: "SUBMITTED" }),
      queried: (task) => videoRecord(task, url),
    },
  );
}

const getVideo = operation({
  method: "GET",
  url: "/custom_video/fetch/:id",
  aliases: ["/custom_video/:id", "/custom_video/tasks/:id", "/custom_video/model/:model/:id"],
  tag: "video",
  summary: "Get a video",
  errors: "envelope",
  auth: "client",
  scope: "video",
  params: Type.Object({ id: Type.String() }),
  reply: VideoRecord,
  async run({ params, caller, base }, services) {
    const task = await services.tasks.get(caller, params.id);
    if (task.kind !== "video") throw new Failure("task_not_found");
    return videoRecord(task, assetUrls(services, base));
  },
});

export const videoOperations = [createVideo, getVideo];
