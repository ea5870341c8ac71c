import type { AnswerCall, Call, CallFile, CallOperation, JsonObject } from "../core/call.ts";
import type { ImageAct, ImageInput, ImageOutput, InputFile, Picture } from "../core/kinds.ts";
import type { Calls, Job, KindLimits, PictureLimits, Provider, Started, TaskProvider, Work } from "../core/provider.ts";
import type { FailureClass } from "../core/refusal.ts";
import { isObject, objectsOf, present } from "./json-reading.ts";

// What each act is in OpenAI's images dialect.
const operations = [
  ["generate", "image"],
  ["reroll", "image"],
  ["edit", "image-edit"],
  ["blend", "image-edit"],
  ["vary", "image-variation"],
] as const satisfies readonly (readonly [ImageAct, CallOperation])[];

const patienceMs = 300_000;

/** The same provider, making pictures also as tasks where it makes them at once. */
export function withImageTasks(provider: Provider): Provider {
  const { calls, tasks } = provider;
  if (calls?.image === undefined || tasks?.serves.image !== undefined) return provider;
  const start: TaskProvider["start"] = (job, work) => {
    if (job.kind === "image") return startImage(calls, job, job.input, work);
    return tasks === undefined ? Promise.resolve(refused("unsupported", "only pictures are made here")) : tasks.start(job, work);
  };
  const image = limitsOf(calls);
  if (tasks === undefined)
    return { ...provider, tasks: { serves: { image }, recovery: "none", lanes: "shared", pollEveryMs: 1_000, start } };
  return { ...provider, tasks: { ...tasks, serves: { ...tasks.serves, image }, instant: [...(tasks.instant ?? []), "image"], start } };
}

function limitsOf(calls: Calls): () => KindLimits {
  const acts = operations.flatMap(([act, operation]) => (calls[operation] === undefined ? [] : [act]));
  return () => ({ acts, count: 10 });
}

async function startImage(calls: Calls, job: Job, input: ImageInput, work: Work): Promise<Started> {
  // Pictures to go by make of a wish for a new one an edit.
  const act = input.act === "generate" && input.images.length > 0 && calls["image-edit"] !== undefined ? "edit" : input.act;
  const operation = operations.find(([name]) => name === act)?.[1];
  const answer = operation === undefined ? undefined : calls[operation];
  if (operation === undefined || answer === undefined) return refused("unsupported", `there is no operation for ${act}`);
  return read(await answer(await callOf(operation, job, input, work), { signal: work.signal, credential: work.credential, patienceMs }));
}

async function callOf(operation: CallOperation, { model }: Job, input: ImageInput, work: Work): Promise<Call> {
  const { prompt, count, size, extras = {}, images, mask, maskPaints: given } = input;
  const body: JsonObject = present({
    ...extras,
    model,
    prompt: operation === "image-variation" ? undefined : prompt,
    n: count,
    size: size === undefined ? undefined : `${size.width}x${size.height}`,
  });
  const files: CallFile[] = [];
  if (operation !== "image") {
    for (const file of images) files.push(await fileOf(images.length > 1 ? "image[]" : "image", file, work));
    if (mask !== undefined) files.push(await fileOf("mask", mask, work, { mask: { ...(given && { given }), wanted: "transparent" } }));
  }
  return { operation, model, body, json: Buffer.from(JSON.stringify(body)), files, stream: false, headers: {} };
}

async function fileOf(field: string, file: InputFile, work: Work, limits?: PictureLimits): Promise<CallFile> {
  const { bytes, mime } = await work.load(file, limits);
  return { field, name: `picture.${mime.split("/")[1] ?? "png"}`, mime, bytes };
}

function read(answer: Awaited<ReturnType<AnswerCall>>): Started {
  if (answer.state === "refused") {
    const { refusal } = answer;
    // Nobody knows whether the upstream had begun when its answer was lost.
    return refusal.isUnsure ? { state: "unknown", cause: refusal.cause ?? "no answer" } : { state: "refused", refusal };
  }
  if (answer.state === "stream" || !isObject(answer.value)) return { state: "unknown", cause: "the answer is not a JSON object" };
  const { data, usage } = answer.value;
  const pictures = objectsOf(data).flatMap((picture) => pictureOf(picture) ?? []);
  if (pictures.length === 0) return refused("transient", "the answer holds no picture");
  const output: ImageOutput = { kind: "image", pictures, ...(isObject(usage) && { usage }) };
  return { state: "done", output };
}

function pictureOf({ b64_json: inside, url, revised_prompt: revised }: JsonObject): Picture | null {
  const prompt = typeof revised === "string" ? { prompt: revised } : {};
  if (typeof inside === "string") return { media: { from: "bytes", bytes: Buffer.from(inside, "base64") }, ...prompt };
  return typeof url === "string" ? { media: { from: "url", url }, ...prompt } : null;
}

function refused(why: FailureClass, cause: string): Started {
  return { state: "refused", refusal: { class: why, cause } };
}
