import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../core/accounts.ts";
import type { CallOperation } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import type { Extras, ImageInput, InputFile } from "../../core/kinds.ts";
import type { Asked } from "../../core/meter.ts";
import type { Draft } from "../../core/plan.ts";
import type { Catalog } from "../../core/routing.ts";
import type { Task } from "../../core/task.ts";
import { assetUrls } from "../asset-url.ts";
import { awaitTask } from "../await-task.ts";
import { createTask, hookFields } from "../create.ts";
import { contentOf } from "./deferred.ts";
import { showNotes } from "../routes.ts";
import type { Services } from "../services.ts";
import { taskRecord } from "../task-record.ts";
import { withUploads } from "../uploads.ts";
import { whileThere } from "../while-there.ts";

export type ImageAsk = { caller: Caller; request: FastifyRequest; reply: FastifyReply; base: string; asked: Asked };

/** Whether pictures of this model are made as tasks: some of its providers do not answer such calls at once. */
export function isTaskOnly(catalog: Catalog, { operation, model }: Asked): boolean {
  const routes = catalog.find("image", model)?.routes ?? [];
  return routes.some(({ provider: name }) => {
    const provider = catalog.provider(name)?.provider;
    return provider?.tasks?.serves.image !== undefined && provider.calls?.[operation] === undefined;
  });
}

/** Accepts pictures as a task, and answers its record. */
export async function deferImages(ask: ImageAsk, services: Services): Promise<unknown> {
  const url = assetUrls(services, ask.base);
  return submitImages(ask, services, { created: (task) => taskRecord(task, url), queried: (task) => taskRecord(task, url) });
}

/** Makes pictures as a task and waits for it; the reply is OpenAI's images object. */
export async function awaitImages(ask: ImageAsk, services: Services, format: unknown): Promise<unknown> {
  const task = await submitImages(ask, services, { created: (made) => made, queried: (made) => made });
  const mostMs = services.settings().callDeadlineMs;
  const done = await whileThere(ask.request, (left) => awaitTask(services, task, { mostMs, left }));
  if (done.result?.kind !== "image") throw new Failure("upstream_error");
  const { result } = taskRecord(done, assetUrls(services, ask.base));
  if (format !== "b64_json") return result;
  const data = await Promise.all(done.result.pictures.map(({ image, prompt }) => inlined(services, done, image, prompt)));
  return { created: Math.floor(done.createdAt / 1000), data, ...(done.result.usage && { usage: done.result.usage }) };
}

async function inlined({ store, media }: Services, { account }: Task, id: string, prompt: string | null): Promise<object> {
  const asset = await store.asset({ id, account });
  const bytes = asset === null ? new Uint8Array() : await media.read(asset.storageKey);
  return { b64_json: Buffer.from(bytes).toString("base64"), ...(prompt !== null && { revised_prompt: prompt }) };
}

type Views<C> = { created: (task: Task) => C; queried: (task: Task) => C };

function submitImages<C>({ caller, request, reply, asked }: ImageAsk, services: Services, views: Views<C>): Promise<C> {
  if (asked.stream) throw new Failure("not_supported", { says: "This model does not stream its pictures.", param: "stream" });
  showNotes(request, reply);
  return withUploads(services, caller, asked.files, (uploads) => {
    const draft: Draft = { kind: "image", dialect: "images", model: asked.model, input: imageInput(asked, uploads) };
    return createTask({ caller, request, reply, params: {}, body: asked.body, content: contentOf(asked) }, services, draft, views);
  });
}

const acts: Partial<Record<CallOperation, ImageInput["act"]>> = { image: "generate", "image-edit": "edit", "image-variation": "vary" };
const known = new Set([
  ...hookFields,
  "model",
  "prompt",
  "n",
  "size",
  "response_format",
  "stream",
  "async",
  "user",
  "image",
  "mask",
  "seed",
  "negative_prompt",
]);

/** What a request of OpenAI's images dialect asks for, in our own words. */
export function imageInput({ operation, body }: Asked, uploads: readonly { field: string; file: InputFile }[]): ImageInput {
  const { prompt, n, size, seed, negative_prompt: negative } = body;
  const [, width, height] = typeof size === "string" ? (/^(\d+)x(\d+)$/.exec(size) ?? []) : [];
  const mask = uploads.find(({ field }) => field === "mask")?.file;
  const extras: Extras = {};
  for (const [name, value] of Object.entries(body))
    if (!known.has(name) && (typeof value === "string" || typeof value === "number" || typeof value === "boolean")) extras[name] = value;
  return {
    act: acts[operation] ?? "generate",
    prompt: typeof prompt === "string" ? prompt : "",
    ...(typeof negative === "string" && negative !== "" && { negativePrompt: negative }),
    images: uploads.filter(({ field }) => field !== "mask").map(({ file }) => file),
    ...(mask && { mask }),
    count: typeof n === "number" ? n : 1,
    grid: false,
    ...(width !== undefined && { size: { width: Number(width), height: Number(height) } }),
    ...(width !== undefined && { aspectRatio: { width: Number(width), height: Number(height) } }),
    ...(typeof seed === "number" && { seed }),
    extras,
  };
}
