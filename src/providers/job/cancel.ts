import type { UpstreamJob, Work } from "../../core/provider.ts";
import { fillTexts } from "./address.ts";
import { placesOf } from "./engine.ts";
import type { Engine } from "./engine.ts";
import { holds } from "./path.ts";
import { poll } from "./poll.ts";
import type { JobSpec } from "./spec.ts";

/** Stops a job; true where the upstream confirms that it did. */
export async function cancel(engine: Engine, description: NonNullable<JobSpec["cancel"]>, job: UpstreamJob, work: Work): Promise<boolean> {
  const { spec, call } = engine;
  if (!spec.poll) return false;
  // Asked first: the same call may delete a job that has finished, and that one was charged.
  const { state } = await poll(engine, spec.poll, job, work);
  // What failed has stopped, and nobody pays for it.
  if (state === "failed") return true;
  if (!description.from.some((from) => from === state)) return false;
  const values = placesOf(engine, job);
  const json = description.body === undefined ? undefined : fillTexts(description.body, values);
  if (json === null) return false;
  const reply = await call.poll({ send: description.send, values, body: { json } }, work);
  return reply.state === "answered" && reply.status >= 200 && reply.status < 300 && holds(reply.body, description.ok, reply.status);
}
