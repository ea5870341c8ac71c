import { Type, type Static } from "typebox";
import type { InputFile, VideoInput } from "../../core/kinds.ts";
import { usdFromNanos } from "../../core/money.ts";
import type { Task } from "../../core/task.ts";
import { aspectRatio, ratioText } from "./aspect-ratio.ts";
import type { AssetUrl } from "../asset-url.ts";
import { assetUrls } from "../asset-url.ts";
import { createTask } from "../create.ts";
import { errorBody } from "../error-shapes.ts";
import { checkUpload, inputFile } from "../input-file.ts";
import { withBody, type Form } from "../multipart.ts";
import { mebibyte, operation, type Ask } from "../operation.ts";
import type { Services } from "../services.ts";
import { lengthOf, needPrompt, VideoId, videoTask } from "./video-wishes.ts";
import { Hooks, nullable, seconds, TaskError } from "../wire.ts";

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
  needPrompt(prompt ?? "", file !== undefined, "prompt");
  return {
    prompt: prompt ?? "",
    ...(file && { image: file }),
    ...lengthOf(asked, 5, "duration"),
    aspectRatio: aspectRatio(ratio || "16:9"),
  };
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
    aspect_ratio: input === null ? "" : ratioText(input.aspectRatio),
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
  run(ask, services) {
    return withBody(ask, services, { schema: VideoRequest, fromForm: bodyOfForm }, (read) => submitVideo({ ...ask, ...read }, services));
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
  params: VideoId,
  reply: VideoRecord,
  async run({ params, caller, base }, services) {
    return videoRecord(await videoTask(services, caller, params.id), assetUrls(services, base));
  },
});

export const videoOperations = [createVideo, getVideo];
