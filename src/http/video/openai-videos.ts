import { Type } from "typebox";
import { Failure } from "../../core/errors.ts";
import type { Draft } from "../../core/plan.ts";
import type { Task } from "../../core/task.ts";
import { assetUrls } from "../asset-url.ts";
import { createTask } from "../create.ts";
import { dropTask } from "../drop-task.ts";
import { withBody } from "../multipart.ts";
import { VideoObject, videoObject } from "./openai-video-record.ts";
import { openAiVideoDraft, openAiVideoForm, OpenAiVideoRequest, remixDraft, RemixRequest } from "./openai-video-request.ts";
import { mebibyte, operation, type Ask } from "../operation.ts";
import { sendAsset } from "../send-asset.ts";
import type { Services } from "../services.ts";
import { finishedVideo, VideoId, videoTask } from "./video-wishes.ts";
import { listOf, nullable, pageOf, PageQuery } from "../wire.ts";

const group = { tag: "videos", errors: "plain", auth: "client", scope: "videos" } as const;

function create(ask: Ask<unknown, unknown, unknown> & { content?: unknown }, services: Services, draft: Draft): Promise<unknown> {
  const url = assetUrls(services, ask.base);
  const show = (task: Task) => videoObject(task, url);
  return createTask(ask, services, draft, { created: show, queried: show });
}

const createVideo = operation({
  ...group,
  method: "POST",
  url: "/v1/videos",
  summary: "Create a video",
  body: OpenAiVideoRequest,
  reply: VideoObject,
  bodyLimit: 32 * mebibyte,
  multipart: "too",
  passesUnknown: true,
  run(ask, services) {
    return withBody(ask, services, { schema: OpenAiVideoRequest, fromForm: openAiVideoForm }, async (read) =>
      create({ ...ask, ...read }, services, await openAiVideoDraft(read.body, ask.caller, services)),
    );
  },
});

const remixVideo = operation({
  ...group,
  method: "POST",
  url: "/v1/videos/:id/remix",
  summary: "Make a video from a finished one",
  params: VideoId,
  body: RemixRequest,
  reply: VideoObject,
  passesUnknown: true,
  async run(ask, services) {
    return create(ask, services, await remixDraft(ask.params.id, ask.body, ask.caller, services));
  },
});

const order = Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc")], { description: "asc or desc; desc unless given" }));

const listVideos = operation({
  ...group,
  method: "GET",
  url: "/v1/videos",
  summary: "List videos, newest first unless told",
  query: Type.Object({ ...PageQuery, order }),
  reply: Type.Object({
    object: Type.Literal("list"),
    data: Type.Array(VideoObject),
    first_id: nullable(Type.String()),
    last_id: nullable(Type.String()),
    has_more: Type.Boolean(),
  }),
  async run({ query, caller, base }, services) {
    const { shown, ...page } = pageOf(query);
    const wanted = { ...page, kind: "video", account: caller.account.id, oldestFirst: query.order === "asc" } as const;
    const url = assetUrls(services, base);
    const { object, data, has_more } = listOf(await services.store.listTasks(wanted), shown);
    return {
      object,
      data: data.map((task) => videoObject(task, url)),
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more,
    };
  },
});

const getVideo = operation({
  ...group,
  method: "GET",
  url: "/v1/videos/:id",
  summary: "Get a video",
  params: VideoId,
  reply: VideoObject,
  async run({ params, caller, base }, services) {
    return videoObject(await videoTask(services, caller, params.id), assetUrls(services, base));
  },
});

const deleteVideo = operation({
  ...group,
  method: "DELETE",
  url: "/v1/videos/:id",
  summary: "Delete a finished video with its files",
  params: VideoId,
  reply: Type.Object({ id: Type.String(), object: Type.Literal("video.deleted"), deleted: Type.Boolean() }),
  async run({ params, caller }, services) {
    const { id } = await videoTask(services, caller, params.id);
    await dropTask(services, caller, id);
    return { id, object: "video.deleted", deleted: true };
  },
});

const variants = Type.Union([Type.Literal("video"), Type.Literal("thumbnail"), Type.Literal("spritesheet")], {
  description: "video or thumbnail; video unless given",
});

const getContent = operation({
  ...group,
  method: "GET",
  url: "/v1/videos/:id/content",
  summary: "Download a finished video or its still picture",
  params: VideoId,
  query: Type.Object({ variant: Type.Optional(variants) }),
  async run({ params, query, caller, request, reply }, services) {
    const { variant = "video" } = query;
    if (variant === "spritesheet")
      throw new Failure("not_supported", { says: "There are no sprite sheets; 'variant' can be video or thumbnail.", param: "variant" });
    const { video, cover } = finishedVideo(await videoTask(services, caller, params.id));
    const id = variant === "video" ? video : cover;
    const asset = id === null ? null : await services.store.asset({ id, account: caller.account.id });
    if (asset === null || asset.expiresAt <= services.clock())
      throw new Failure("not_found", { says: `This video has no ${variant} here.` });
    return sendAsset(asset, { request, reply, media: services.media, disposition: "attachment" });
  },
});

export const openAiVideoOperations = [createVideo, listVideos, getVideo, deleteVideo, getContent, remixVideo];
