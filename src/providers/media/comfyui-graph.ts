import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Failure } from "../../core/errors.ts";
import type { ImageInput } from "../../core/kinds.ts";
import type { Job, ProviderSettings } from "../../core/provider.ts";

type Graph = Record<string, { class_type?: unknown; inputs?: Record<string, unknown> }>;
type Values = Readonly<Record<string, string | number | undefined>>;

/** An operator's workflow, and the places in it that a job fills: "6.inputs.text", by what goes there. */
export type Workflow = { graph: Graph; bindings: Readonly<Record<string, readonly string[]>> };

/** The folder at the upstream under which each task has one for its pictures. */
export const folder = "genway/";

const usual = 1_024;

/** Reads the workflow that the options name; null where they name none. Throws a Failure that says what is wrong with it. */
export function readWorkflow({ name, options = {} }: ProviderSettings): Workflow | null {
  const { workflow, bindings = {} } = options;
  if (workflow === undefined) return null;
  const wrong = (says: string, cause?: unknown) =>
    new Failure("invalid_request", { says: `The provider ${name}: ${says}`, param: "options", cause });
  const graph = typeof workflow === "string" ? readGraph(workflow, wrong) : workflow;
  if (!isGraph(graph)) throw wrong("its workflow is no graph in ComfyUI's API format.");
  if (typeof bindings !== "object" || bindings === null) throw wrong("its bindings must be names and places.");
  const places = Object.entries(bindings).map(([value, place]) => [value, [place].flat().map(String)] as const);
  for (const place of places.flatMap(([, list]) => list)) {
    if (inputsAt(graph, place) === null) throw wrong(`its workflow has nothing at ${place}; a place is like 6.inputs.text.`);
  }
  return { graph, bindings: Object.fromEntries(places) };
}

/** The graph of one job: the operator's, filled in, or a plain one of ours. */
export function graphOf(job: Job, prepared: Readonly<Record<string, unknown>>, workflow: Workflow | null): Graph {
  if (job.kind !== "image") throw new Failure("not_supported");
  const values = valuesOf(job, job.input, prepared);
  if (workflow === null) return plainGraph(values);
  if (values["image"] !== undefined && workflow.bindings["image"] === undefined)
    throw new Failure("not_supported", { says: "This model takes no pictures.", param: "image" });
  const graph = structuredClone(workflow.graph);
  for (const [name, places] of Object.entries(workflow.bindings)) {
    for (const place of places) {
      const found = inputsAt(graph, place);
      if (found !== null && values[name] !== undefined) found.inputs[found.field] = values[name];
    }
  }
  return graph;
}

function valuesOf({ model, taskId, idempotencyKey }: Job, input: ImageInput, prepared: Readonly<Record<string, unknown>>): Values {
  const { prompt, negativePrompt = "", size, count, strength } = input;
  const uploaded = (value: unknown) => (typeof value === "string" ? `${folder}${taskId}/${value}` : undefined);
  return {
    prompt,
    negative_prompt: negativePrompt,
    // The same for every repetition of an attempt.
    seed: input.seed ?? createHash("sha256").update(idempotencyKey).digest().readUIntBE(0, 6),
    width: size?.width ?? usual,
    height: size?.height ?? usual,
    batch: count,
    strength,
    checkpoint: model,
    image: uploaded(prepared["image"]),
    mask: uploaded(prepared["mask"]),
  };
}

function plainGraph({ prompt, negative_prompt, seed, width, height, batch, checkpoint, image, mask, strength = 0.65 }: Values): Graph {
  const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
  const sampling = { steps: 25, cfg: 7, sampler_name: "euler", scheduler: "normal", denoise: image === undefined ? 1 : strength };
  const source: Graph =
    image === undefined
      ? { latent: node("EmptyLatentImage", { width, height, batch_size: batch }) }
      : {
          picture: node("LoadImage", { image }),
          encoded: node("VAEEncode", { pixels: ["picture", 0], vae: ["checkpoint", 2] }),
          latent: node("RepeatLatentBatch", { samples: ["encoded", 0], amount: batch }),
        };
  const masked: Graph =
    image === undefined || mask === undefined
      ? {}
      : {
          // Of the channel "alpha" it takes what is transparent.
          mask: node("LoadImageMask", { image: mask, channel: "alpha" }),
          masked: node("SetLatentNoiseMask", { samples: ["latent", 0], mask: ["mask", 0] }),
        };
  const links = { model: ["checkpoint", 0], positive: ["positive", 0], negative: ["negative", 0] };
  return {
    checkpoint: node("CheckpointLoaderSimple", { ckpt_name: checkpoint }),
    positive: node("CLIPTextEncode", { text: prompt, clip: ["checkpoint", 1] }),
    negative: node("CLIPTextEncode", { text: negative_prompt, clip: ["checkpoint", 1] }),
    ...source,
    ...masked,
    sampled: node("KSampler", { ...links, ...sampling, seed, latent_image: [masked["masked"] ? "masked" : "latent", 0] }),
    decoded: node("VAEDecode", { samples: ["sampled", 0], vae: ["checkpoint", 2] }),
    saved: node("SaveImage", { images: ["decoded", 0], filename_prefix: "genway" }),
  };
}

function readGraph(path: string, wrong: (says: string, cause: unknown) => Failure): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw wrong(`its workflow could not be read from ${path}.`, cause);
  }
}

function isGraph(value: unknown): value is Graph {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const nodes: unknown[] = Object.values(value);
  return nodes.length > 0 && nodes.every((node) => typeof node === "object" && node !== null && "class_type" in node && "inputs" in node);
}

function inputsAt(graph: Graph, place: string): { inputs: Record<string, unknown>; field: string } | null {
  const [node = "", part, ...rest] = place.split(".");
  const inputs = part === "inputs" && Object.hasOwn(graph, node) ? graph[node]?.inputs : undefined;
  return inputs === undefined || rest.length === 0 ? null : { inputs, field: rest.join(".") };
}
