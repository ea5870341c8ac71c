import type { Static } from "typebox";
import type { Caller } from "../core/accounts.ts";
import { callOperations, type CallFile } from "../core/call.ts";
import { Failure } from "../core/errors.ts";
import { inputFiles } from "../core/input-files.ts";
import { isDeferred, workOf, type DeferredInput } from "../core/kinds.ts";
import type { Draft } from "../core/plan.ts";
import { isFinal, type Dialect, type Task } from "../core/task.ts";
import { meterOf } from "../dialects/meters/meter-of.ts";
import { assetUrls } from "./asset-url.ts";
import { createTask } from "./create.ts";
import type { Ask } from "./operation.ts";
import type { Services } from "./services.ts";
import { taskRecord, type TaskRecord } from "./task-record.ts";

type Asking = Ask<{ id: string }, unknown, unknown>;

/** Makes a finished task again as a new one: the same input and model, at the price and by the routes of now. */
export async function retryTask(ask: Asking, services: Services, caller: Caller, task: Task): Promise<Static<typeof TaskRecord>> {
  if (!isFinal(task.status)) throw new Failure("task_not_ready", { says: "The task is still running." });
  needScope(caller, task);
  await needFiles(services, task);
  const url = assetUrls(services, ask.base);
  const show = (made: Task) => taskRecord(made, url);
  return createTask({ ...ask, caller }, services, await draftOf(services, caller, task), { created: show, queried: show });
}

const scopes: Record<Dialect, string | null> = {
  video: "video",
  "video-b": "videoB",
  "openai-video": "videos",
  "music-a": "musicA",
  "music-b": "musicB",
  "image-a": "imageA",
  "image-b": "imageB",
  images: "images",
  call: null,
};

/** A key that may look at tasks may not for that reason make any. */
function needScope({ key }: Caller, { dialect, kind }: Task): void {
  const scope = scopes[dialect] ?? (kind === "chat" ? "chat" : "audio");
  if (key?.scopes && !key.scopes.includes(scope))
    throw new Failure("not_allowed", { says: `This key is limited to: ${key.scopes.join(", ")}.` });
}

async function needFiles({ store }: Services, task: Task): Promise<void> {
  for (const file of inputFiles(task))
    if (file.from === "file" && (await store.asset({ id: file.id, account: task.account })) === null)
      throw new Failure("input_unreachable", { says: "A file that this task went by is not kept any more." });
}

async function draftOf(services: Services, caller: Caller, task: Task): Promise<Draft> {
  const { dialect, model } = task;
  if (!isDeferred(task)) return { ...workOf(task), dialect, model };
  const { kind, input } = task;
  return { kind, input, dialect, model, holdNanos: await mostOf(services, caller, task, input) };
}

/** What a call may cost: that depends on what it says, and on the recording that came with it. */
async function mostOf({ store, media, calls }: Services, caller: Caller, task: Task, input: DeferredInput): Promise<number> {
  const operation = callOperations.find((name) => name === input.operation);
  if (operation === undefined) throw new Failure("not_supported");
  const files: CallFile[] = [];
  for (const { field, name, mime, file } of input.files) {
    const asset = file.from === "file" ? await store.asset({ id: file.id, account: task.account }) : null;
    if (asset !== null) files.push({ field, name, mime, bytes: await media.read(asset.storageKey) });
  }
  const asked = { operation, model: task.model, body: input.body, raw: null, extras: null, files, stream: false, headers: {} };
  return calls.quote(caller, asked, meterOf(operation)).amountNanos;
}
