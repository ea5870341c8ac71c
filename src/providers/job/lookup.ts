import type { Job, TaskProvider, Work } from "../../core/provider.ts";
import { givenOf } from "./engine.ts";
import type { Engine } from "./engine.ts";
import { classify, describe } from "./failure.ts";
import { holds } from "./path.ts";
import { wayOf } from "./start.ts";
import { readAccess } from "./started.ts";
import type { JobSpec } from "./spec.ts";

type Found = Awaited<ReturnType<NonNullable<TaskProvider["lookup"]>>>;

/** Finds by our own reference a job whose start was not answered; null only where the upstream says that there is none. */
export async function lookup(engine: Engine, description: NonNullable<JobSpec["lookup"]>, job: Job, work: Work): Promise<Found> {
  const { send, ok } = description;
  const reply = await engine.call.poll({ send, values: { ...givenOf(engine, job), keep: wayOf(engine, job)?.keep ?? {} } }, work);
  if (reply.state !== "answered") return { state: "unknown", cause: reply.cause };
  const { status, body, secrets } = reply;
  if (status === 404 || status === 410) return null;
  const { errors } = engine.spec;
  const isYes = status >= 200 && status < 300 && typeof body === "object" && body !== null && holds(body, ok, status);
  if (isYes) return readAccess(body, description, wayOf(engine, job)?.keep);
  // A question that was refused says nothing of the job, unless it is refused because there is none.
  return classify(errors, body) === "not_found" ? null : { state: "unknown", cause: describe(errors, body, secrets, reply) };
}
