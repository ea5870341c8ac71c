import type { Polled, UpstreamJob, Work } from "../../core/provider.ts";
import type { TaskKind } from "../../core/kinds.ts";
import { isMedium } from "../upstream/reply.ts";
import type { Answered, UpstreamReply } from "../upstream/reply.ts";
import { readRetryAfter } from "../upstream/retry-after.ts";
import { fillTexts } from "./address.ts";
import { placesOf } from "./engine.ts";
import type { Engine, Places } from "./engine.ts";
import { describe } from "./failure.ts";
import { meaningOfStatus } from "./meaning.ts";
import { holds, isPresent, readPath } from "./path.ts";
import { readMeaning, readRecord } from "./record.ts";
import type { Poll, Send } from "./spec.ts";
import { trouble } from "./trouble.ts";

/** Asks about one job. */
export async function poll(engine: Engine, description: Poll, job: UpstreamJob, work: Work): Promise<Polled> {
  const places = placesOf(engine, job);
  const reply = await askFor(engine, description, job.kind, places, work);
  if (reply.state !== "answered") return trouble(reply.cause);
  const opened = openReply(engine, description, reply, (body) => recordOf(description, body, reply, places));
  if ("found" in opened) return readRecord(engine, job, opened.found, reply, work);
  if (isYes(reply) && opened.state === "trouble") return opened;
  // Some say with the status of the reply what others say with a word.
  const means = meaningOfStatus(engine, reply.body, reply.status);
  return means === undefined || (means === "done" && !isYes(reply)) ? opened : readMeaning(engine, job, means, reply.body, reply, work);
}

async function askFor(engine: Engine, { send, body }: Poll, kind: TaskKind, places: Places, work: Work): Promise<UpstreamReply> {
  const address = sendFor(send, kind);
  const json = body === undefined ? undefined : fillTexts(body, places);
  if (address === undefined || json === null) return { state: "not-sent", cause: "the job lacks what its question needs" };
  return engine.call.poll({ send: address, values: places, body: { json }, isLarge: engine.largeKinds.has(kind) }, work);
}

function sendFor(send: Poll["send"], kind: TaskKind): Send | undefined {
  if (typeof send === "string") return send;
  return Object.entries(send).find(([name]) => name === kind)?.[1];
}

// A medium, or a yes without any words, is a record in which nothing stands.
function recordOf({ task = "" }: Poll, body: unknown, reply: Answered, places: Places): unknown {
  if (body === undefined && (isMedium(reply) || reply.bytes.byteLength === 0)) return {};
  const found = readPath(body, task, places);
  // Where a list should be and a number or text is, the reply is garbled and says nothing of the job.
  const list = task.endsWith("]") ? readPath(body, task.slice(0, task.lastIndexOf("[")), places) : undefined;
  return found ?? (typeof list === "object" ? undefined : list);
}

/** The part of a reply that holds the record or records, or what it means that there is none. */
export function openReply(
  { spec: { errors } }: Engine,
  { ok, missing, absent = "missing" }: Poll,
  reply: Answered,
  read: (body: unknown) => unknown,
): { found: object } | Polled {
  const { status, headers, body, secrets } = reply;
  if (status === 404 || status === 410) return { state: "missing" };
  if (missing && holds(body, missing, status)) return { state: "missing" };
  if (!isYes(reply)) return trouble(describe(errors, body, secrets, reply), readRetryAfter(headers, body));
  const found = read(body);
  if (holds(body, ok, status)) {
    if (typeof found === "object" && found !== null && isPresent(found)) return { found };
    if (!isPresent(found) && typeof body === "object" && body !== null) return { state: absent };
  }
  return trouble(describe(errors, body, secrets, reply));
}

const isYes = ({ status }: Answered): boolean => status >= 200 && status < 300;
