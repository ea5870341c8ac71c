import type { Job, ProviderSettings, UpstreamJob } from "../../core/provider.ts";
import { createJobCall } from "./call.ts";
import type { JobCall } from "./call.ts";
import type { JobSpec, Meaning } from "./spec.ts";

/** One configured upstream: its description, its client and what the operator said of it. */
export type Engine = {
  spec: JobSpec;
  call: JobCall;
  options: Readonly<Record<string, unknown>>;
  /** The words of its statuses in small letters. */
  words: ReadonlyMap<string, Meaning>;
  /** The kinds of work whose records may hold whole media. */
  largeKinds: ReadonlySet<string>;
};

export function createEngine(spec: JobSpec, settings: ProviderSettings): Engine {
  return {
    spec,
    call: createJobCall(spec, settings),
    options: settings.options ?? {},
    words: new Map(Object.entries(spec.status.words).map(([word, meaning]) => [word.toLowerCase(), meaning])),
    largeKinds: new Set(Object.entries(spec.results).flatMap(([kind, result]) => (holdsMedia(result) ? [kind] : []))),
  };
}

function holdsMedia(result: object): boolean {
  return /"as":"(?:base64|hex)"|"body":true/.test(JSON.stringify(result));
}

/** What fills the places in the addresses of a job that runs. */
export type Places = {
  id: string;
  model: string;
  keep: Readonly<Record<string, string>>;
  options: Readonly<Record<string, unknown>>;
};

export function placesOf({ options }: Engine, { upstreamId, keep, model }: UpstreamJob): Places {
  return { id: upstreamId, model, keep, options };
}

/** What the paths and places of a start are read from. */
export type Given = Job & {
  reference: string;
  prepared: Readonly<Record<string, unknown>>;
  options: Readonly<Record<string, unknown>>;
  keep: Readonly<Record<string, string>>;
};

export function givenOf({ options }: Engine, job: Job): Given {
  return { ...job, reference: job.idempotencyKey, prepared: {}, options, keep: {} };
}
