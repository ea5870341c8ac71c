import type { Polled, UpstreamJob, Work } from "../../core/provider.ts";
import type { Answered } from "../upstream/reply.ts";
import { placesOf } from "./engine.ts";
import type { Engine } from "./engine.ts";
import { classify, describe, refuse } from "./failure.ts";
import { meaningOf } from "./meaning.ts";
import { createMediaReader } from "./media.ts";
import { readOutput } from "./output.ts";
import { readNumber, readText } from "./path.ts";
import { resolve } from "./resolve.ts";
import type { JobSpec, Meaning } from "./spec.ts";
import { trouble } from "./trouble.ts";

/** What a job's record means, and what the job left if it is done. */
export async function readRecord(engine: Engine, job: UpstreamJob, record: unknown, reply: Answered, work: Work): Promise<Polled> {
  const means = meaningOf(engine, record, reply.status);
  return means === undefined ? trouble("the record has no status") : readMeaning(engine, job, means, record, reply, work);
}

/** The same where it is known already what the record means. */
export async function readMeaning(
  engine: Engine,
  job: UpstreamJob,
  means: Meaning,
  record: unknown,
  reply: Answered,
  work: Work,
): Promise<Polled> {
  const { spec, call } = engine;
  if (means === "queued" || means === "running") return going(spec, means, record);
  if (means === "missing") return { state: "missing" };
  if (means !== "done") {
    const failure = means === "failed" ? (classify(spec.errors, record) ?? "transient") : means;
    return { state: "failed", refusal: refuse(failure, describe(spec.errors, record, reply.secrets)) };
  }
  const places = placesOf(engine, job);
  const resolved = await resolve(engine, places, record, work);
  if ("state" in resolved) return resolved;
  const media = createMediaReader(call, places, work.credential.secret, reply);
  const output = readOutput(spec.results, job.kind, resolved.record, media);
  if (output === "withheld") return { state: "failed", refusal: refuse("content_policy", "the upstream withholds every picture") };
  // Some upstreams say that a job is done a little before its links are there.
  return output === null ? going(spec, "running", record) : { state: "done", output };
}

function going({ progress }: JobSpec, state: "queued" | "running", record: unknown): Polled {
  const value = progress && (progress.last ? lastPercent(readText(record, progress.at)) : readNumber(record, progress.at));
  if (value === undefined || progress === undefined) return { state };
  return { state, progress: Math.round(Math.min(Math.max(value / progress.of, 0), 1) * 100) };
}

// Logs grow: the newest line is at the end.
function lastPercent(text: string | undefined): number | undefined {
  const found = text && Array.from(text.slice(-20_000).matchAll(/(\d{1,3}(?:\.\d{1,6})?)\s?%/g)).at(-1)?.[1];
  return found ? Number(found) : undefined;
}
