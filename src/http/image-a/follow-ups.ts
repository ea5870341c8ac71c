import type { Static } from "typebox";
import { Failure } from "../../core/errors.ts";
import type { ImageInput, InputFile } from "../../core/kinds.ts";
import type { Task, TaskResult } from "../../core/task.ts";
import { isSaid } from "../wire.ts";
import { dialectWishes, wholePrompt, type Asking, type Given, type Order } from "./asking.ts";
import { pressedButton, pressedChange, type Pressed } from "./buttons.ts";
import { gridCount } from "./new-pictures.ts";
import { readPrompt } from "./prompt-parameters.ts";
import type { ActionRequest, ChangeRequest, SimpleChangeRequest } from "./schemas.ts";
import { promptsOf } from "./texts.ts";

/** What the client says beyond the press of a button. */
type More = Given & { prompt?: string | null; mask?: InputFile };
type Source = { task: Extract<Task, { kind: "image" }>; result: Extract<TaskResult, { kind: "image" }>; upstreamTaskId: string | null };

const letters: Record<string, "UPSCALE" | "VARIATION" | "REROLL"> = { U: "UPSCALE", V: "VARIATION", R: "REROLL" };

/** One picture of a grid made larger or varied, or all made again. */
export async function change(body: Static<typeof ChangeRequest>, asking: Asking): Promise<Order> {
  const { taskId, action, index } = body;
  const source = await sourceOf(taskId, asking);
  if (action !== "REROLL" && !index)
    throw new Failure("invalid_request", { says: "'index' is required: which picture, 1 to 4.", param: "index" });
  const pressed = pressedChange(source.task, action, action === "REROLL" ? null : (index ?? 0) - 1);
  if (pressed === null)
    throw new Failure("invalid_request", {
      says: action === "REROLL" ? "This task cannot be made again." : `This task has no picture ${index} in a grid.`,
      param: action === "REROLL" ? "action" : "index",
    });
  return followUp(source, pressed, body, asking);
}

/** The same in one line of text. */
export async function simpleChange(body: Static<typeof SimpleChangeRequest>, asking: Asking): Promise<Order> {
  const [taskId = "", wish = ""] = body.content.trim().split(/\s+/);
  const { content: _content, ...given } = body;
  const action = letters[wish.slice(0, 1).toUpperCase()] ?? "REROLL";
  return change({ ...given, taskId, action, ...(action === "REROLL" ? {} : { index: Number(wish.slice(1)) }) }, asking);
}

/** The press of a button; some ask for more first. */
export async function press(body: Static<typeof ActionRequest>, asking: Asking): Promise<Order> {
  const { taskId, customId, state } = body;
  const source = await sourceOf(taskId, asking);
  const pressed = pressedButton(source.task, customId);
  if (pressed === null) throw new Failure("invalid_request", { says: "'customId' is no button of this task.", param: "customId" });
  const order = followUp(source, pressed, body, asking);
  if (pressed.press.asks === undefined) return order;
  const hook = [body.notifyHook, body.notify_hook].find(Boolean) ?? null;
  return {
    ...order,
    modal: {
      taskId,
      customId,
      action: pressed.press.action,
      prompt: source.task.input.prompt,
      state: state ?? "",
      hook,
      address: asking.address,
    },
  };
}

/** What a button that asked for more does, once that is said. */
export async function pressAgain(taskId: string, customId: string, more: More, asking: Asking): Promise<Order> {
  const source = await sourceOf(taskId, asking);
  const pressed = pressedButton(source.task, customId);
  if (pressed === null) throw new Failure("task_not_found", { says: "The task that this one goes on from has changed." });
  if (pressed.press.asks === "mask" && more.mask === undefined)
    throw new Failure("invalid_request", { says: "'maskBase64' is required: where to paint.", param: "maskBase64" });
  return followUp(source, pressed, more, asking);
}

/** A finished task of this group that has pictures or texts. */
async function sourceOf(id: string, { caller, services }: Asking): Promise<Source> {
  const { task, upstreamTaskId } = await services.tasks.source(caller, id);
  if (task.dialect !== "image-a") throw new Failure("task_not_found");
  if (task.kind !== "image" || task.result?.kind !== "image")
    throw new Failure("invalid_request", { says: "This task has no pictures to go on from.", param: "taskId" });
  return { task, result: task.result, upstreamTaskId };
}

function followUp({ task, result, upstreamTaskId }: Source, { press: wish, button }: Pressed, more: More, asking: Asking): Order {
  const { act, place, action } = wish;
  const from = task.input;
  const text = wish.text === undefined ? undefined : promptsOf(result.texts)[wish.text];
  const words = (isSaid(more.prompt) && more.prompt) || text || wholePrompt(from);
  const { plain, zoom = wish.zoom, aspectRatio: shape, negativePrompt = from.negativePrompt } = readPrompt(words);
  // Who is asked for a prompt there says how far in it.
  const prompt = wish.asks === "prompt" && !/(--|—)zoom/i.test(words) ? `${words} --zoom ${zoom}` : words;
  const aspectRatio = wish.isSquare ? { width: 1, height: 1 } : act === "pan" ? undefined : (shape ?? from.aspectRatio);
  const picture = result.pictures[place ?? 0] ?? result.pictures[0];
  const input: ImageInput = {
    act,
    prompt: plain,
    ...(negativePrompt && { negativePrompt }),
    images: act === "reroll" ? from.images : picture === undefined ? [] : [{ from: "file", id: picture.image }],
    ...(more.mask && { mask: more.mask, maskPaints: "white" }),
    ...(act === "upscale" ? { count: 1, grid: false } : { count: gridCount, grid: true }),
    ...(aspectRatio && { aspectRatio }),
    ...(wish.strength !== undefined && { strength: wish.strength }),
    ...dialectWishes(more, asking, { action, prompt: plain === prompt ? undefined : prompt, modal: wish.asks && true }),
    extras: { ...(act === "zoom" && { zoom }), ...(wish.direction && { direction: wish.direction }) },
    // A prompt that was read off a picture starts afresh.
    ...(text === undefined && {
      source: { taskId: task.id, upstreamTaskId, place, button, prompt: from.prompt, seed: picture?.seed ?? from.seed ?? null },
    }),
  };
  return { draft: { kind: "image", dialect: "image-a", model: task.model, input } };
}
