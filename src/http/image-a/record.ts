import { Type, type Static } from "typebox";
import type { ImageAct } from "../../core/kinds.ts";
import type { Status, Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import { errorBody } from "../error-shapes.ts";
import { wholePrompt } from "./asking.ts";
import { nullable, TaskError } from "../wire.ts";
import { shownButtons, type Able } from "./buttons.ts";
import { numberedText } from "./texts.ts";

const text = Type.String();
const links = Type.Array(Type.Object({ url: text }));

export const ImageTask = Type.Object({
  id: text,
  action: text,
  status: text,
  prompt: text,
  promptEn: text,
  description: text,
  state: text,
  submitTime: Type.Integer(),
  startTime: Type.Integer(),
  finishTime: Type.Integer(),
  imageUrl: text,
  imageUrls: links,
  videoUrl: text,
  videoUrls: links,
  progress: text,
  failReason: text,
  error: nullable(TaskError),
  buttons: Type.Array(Type.Object({ customId: text, emoji: text, label: text, type: Type.Integer(), style: Type.Integer() })),
  maskBase64: text,
  properties: Type.Object({ finalPrompt: text, finalZhPrompt: text }),
});
type ImageTaskRecord = Static<typeof ImageTask>;

const words: Record<Status, string> = {
  SUBMITTED: "SUBMITTED",
  QUEUED: "SUBMITTED",
  IN_PROGRESS: "IN_PROGRESS",
  SUCCESS: "SUCCESS",
  FAILURE: "FAILURE",
};

const actions: Record<ImageAct, string> = {
  generate: "IMAGINE",
  edit: "EDITS",
  vary: "VARIATION",
  blend: "BLEND",
  upscale: "UPSCALE",
  reroll: "REROLL",
  zoom: "ZOOM",
  pan: "PAN",
  describe: "DESCRIBE",
  shorten: "SHORTEN",
  swap: "SWAP_FACE",
};

/** A task as the image A group shows it; buttons are those that the model is able to follow. */
export function imageARecord(task: Task, url: AssetUrl, able: Able = () => true): ImageTaskRecord {
  const input = task.kind === "image" || task.kind === "video" ? task.input : null;
  const action = task.kind === "image" ? String(task.input.midjourney?.["action"] ?? actions[task.input.act]) : "VIDEO";
  const prompt = input === null ? "" : wholePrompt(input);
  return {
    ...blank({ id: task.id, action, prompt, state: String(input?.midjourney?.["state"] ?? ""), submitTime: task.createdAt }),
    status: task.failCode === "cancelled" ? "CANCEL" : words[task.status],
    startTime: task.startedAt ?? 0,
    finishTime: task.finishedAt ?? 0,
    progress: `${task.progress}%`,
    failReason: task.failReason ?? "",
    error: task.failCode === null ? null : errorBody(task.failCode, task.failReason ?? ""),
    buttons: shownButtons(task, able),
    ...mediaOf(task, prompt, url),
  };
}

/** An act that waits for its client to say more, in the same words. */
export function modalRecord(modal: { id: string; action: string; prompt: string; state: string; submitTime: number }): ImageTaskRecord {
  return { ...blank(modal), status: "MODAL" };
}

type Asked = Pick<ImageTaskRecord, "id" | "action" | "prompt" | "state" | "submitTime">;

function blank({ id, action, prompt, state, submitTime }: Asked): ImageTaskRecord {
  return {
    id,
    action,
    status: "SUBMITTED",
    prompt,
    promptEn: prompt,
    description: `/${action.toLowerCase()} ${prompt}`.trim(),
    state,
    submitTime,
    startTime: 0,
    finishTime: 0,
    imageUrl: "",
    imageUrls: [],
    videoUrl: "",
    videoUrls: [],
    progress: "0%",
    failReason: "",
    error: null,
    buttons: [],
    maskBase64: "",
    properties: { finalPrompt: prompt, finalZhPrompt: "" },
  };
}

const textActs: ReadonlySet<ImageAct> = new Set(["describe", "shorten"]);

function mediaOf({ result, ...task }: Task, prompt: string, url: AssetUrl): Partial<ImageTaskRecord> {
  if (result?.kind === "video") {
    const videoUrl = url(result.video);
    return { imageUrl: url(result.cover), videoUrl, videoUrls: [{ url: videoUrl }] };
  }
  if (result?.kind !== "image") return {};
  const finalPrompt =
    task.kind === "image" && textActs.has(task.input.act) ? numberedText(result.texts) : (result.pictures[0]?.prompt ?? prompt);
  return {
    imageUrl: url(result.grid ?? result.pictures[0]?.image ?? null),
    imageUrls: result.pictures.map(({ image }) => ({ url: url(image) })),
    properties: { finalPrompt, finalZhPrompt: "" },
  };
}
