import type { MediaKind } from "../../core/kinds.ts";
import { mediaKinds } from "../../core/kinds.ts";
import type { Job, KindLimits, TaskProvider } from "../../core/provider.ts";
import type { JobSpec } from "./spec.ts";

/** The limits of each kind, by the name of a model. */
export function servesOf(models: JobSpec["models"]): TaskProvider["serves"] {
  const serves: { [K in MediaKind]?: (model: string) => KindLimits } = {};
  for (const kind of mediaKinds) {
    const table = models[kind];
    if (table) serves[kind] = (model) => limitsOf(table, model);
  }
  return serves;
}

/** Whether what is asked of the model is among what it can do. */
export function canAct(models: JobSpec["models"], job: Job): boolean {
  const table = job.kind === "video" || job.kind === "image" ? models[job.kind] : undefined;
  if (table === undefined) return true;
  const { acts = ["generate"] } = limitsOf(table, job.model);
  return acts.some((act) => act === actOf(job));
}

function actOf(job: Job): string {
  if (job.kind === "image") return job.input.act;
  return job.kind === "video" ? (job.input.source?.act ?? "generate") : "generate";
}

function limitsOf(table: Record<string, KindLimits>, model: string): KindLimits {
  return Object.entries(table).find(([name]) => (name.endsWith("*") ? model.startsWith(name.slice(0, -1)) : model === name))?.[1] ?? {};
}
