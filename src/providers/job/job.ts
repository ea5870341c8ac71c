import type { Adapter, Heard, Provider, ProviderPage, ProviderSettings, TaskProvider } from "../../core/provider.ts";
import { mediaKinds, type MediaKind } from "../../core/kinds.ts";
import { cancel } from "./cancel.ts";
import { createEngine, type Engine } from "./engine.ts";
import { servesOf } from "./limits.ts";
import { lookup } from "./lookup.ts";
import { pollMany } from "./poll-many.ts";
import { poll } from "./poll.ts";
import { probeJobs } from "./probe.ts";
import type { JobSpec, Verifier } from "./spec.ts";
import { start } from "./start.ts";

export type JobAdapter = Omit<Adapter, "create" | "about"> & {
  about: ProviderPage;
  /** What it was made of, for the pages of the documentation. */
  spec: JobSpec;
  create(settings: ProviderSettings): { tasks: TaskProvider } & Pick<Provider, "probe">;
};

/** Makes an adapter of a description: one engine sends, asks for, reads and stops the jobs of every such upstream. */
export function createJob(spec: JobSpec): JobAdapter {
  return {
    type: spec.type,
    about: spec.about,
    spec,
    ...(spec.baseUrl !== undefined && { defaultBaseUrl: spec.baseUrl }),
    needsKey: spec.auth !== "none" && spec.keyOptional !== true,
    create(settings) {
      const engine = createEngine(spec, settings);
      return { tasks: createProvider(spec, engine, settings), probe: (work) => probeJobs(engine, work) };
    },
  };
}

function createProvider(spec: JobSpec, engine: Engine, settings: ProviderSettings): TaskProvider {
  const { poll: asked, lookup: sought, cancel: stopped, hears, usualLimits } = spec;
  const many = asked?.many;
  return {
    serves: servesOf(spec.models),
    recovery: sought ? "lookup" : "none",
    lanes: "shared",
    ...(asked && { instant: instantKinds(spec) }),
    pollEveryMs: spec.pollEveryMs,
    start: (job, work) => start(engine, job, work),
    ...(sought && { lookup: (job, work) => lookup(engine, sought, job, work) }),
    ...(asked && { poll: (job, work) => poll(engine, asked, job, work) }),
    ...(asked && many && { pollMany: { max: many.max, run: (jobs, work) => pollMany(engine, asked, many, jobs, work) } }),
    ...(stopped && { cancel: (job, work) => cancel(engine, stopped, job, work) }),
    ...(hears && { hear: hearWith(hears, settings) }),
    ...(usualLimits && { usualLimits }),
  };
}

function instantKinds({ start: ways }: JobSpec): MediaKind[] {
  return mediaKinds.filter((kind) => {
    const own = ways.filter((way) => way.kind === kind);
    return own.length > 0 && own.every(({ answers = "job" }) => answers !== "job");
  });
}

function hearWith(hears: Verifier, { webhookSecret, options = {} }: ProviderSettings): NonNullable<TaskProvider["hear"]> {
  return async (message, keys): Promise<Heard> => {
    try {
      return await hears(message, { ...keys, options, ...(webhookSecret !== undefined && { webhook: webhookSecret }) });
    } catch (error) {
      return { state: "forged", cause: `the message could not be judged: ${String(error)}` };
    }
  };
}
