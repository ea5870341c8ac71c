import type { MediaSource, TaskKind, TaskOutput } from "../../core/kinds.ts";
import type { Job, Started, Work } from "../../core/provider.ts";
import type { FailureClass } from "../../core/refusal.ts";
import { isMedium } from "../upstream/reply.ts";
import type { Answered, UpstreamReply } from "../upstream/reply.ts";
import { givenOf } from "./engine.ts";
import type { Engine } from "./engine.ts";
import { classify, describe, readError, refuse } from "./failure.ts";
import { createMediaReader } from "./media.ts";
import { readOutput } from "./output.ts";
import { meetsAny, readPath } from "./path.ts";
import type { Path } from "./path.ts";
import type { JobSpec } from "./spec.ts";
import { meaningOf } from "./meaning.ts";
import { readRefused, readSilence } from "./started.ts";

/** What a reply means that is the finished result itself. */
export function readDirect(engine: Engine, answers: "record" | "bytes", job: Job, reply: UpstreamReply, work: Work): Started {
  if (reply.state !== "answered") return readSilence(reply);
  if (answers === "bytes" && isMedium(reply)) return readMedium(engine, job.kind, reply);
  const no = readRefused(engine.spec, reply);
  if (no) return no;
  if (typeof reply.body !== "object" || reply.body === null) {
    return { state: "unknown", cause: `no result in ${describe(engine.spec.errors, reply.body, reply.secrets, reply)}` };
  }
  return readResult(engine, answers, job, reply, work);
}

function readMedium(engine: Engine, kind: TaskKind, reply: Answered): Started {
  const output = outputOf(kind, { from: "bytes", bytes: reply.bytes });
  return output === null ? ended(engine, "unsupported", undefined, reply) : { state: "done", output };
}

function outputOf(kind: TaskKind, media: MediaSource): TaskOutput | null {
  if (kind === "video") return { kind, video: media };
  if (kind === "image") return { kind, pictures: [{ media }] };
  if (kind !== "music") return null;
  return { kind, songs: [{ upstreamId: null, title: "", tags: "", lyrics: "", durationSeconds: 0, audio: media }] };
}

function readResult(engine: Engine, answers: "record" | "bytes", job: Job, reply: Answered, work: Work): Started {
  const { spec } = engine;
  const given = { ...givenOf(engine, job), id: "" };
  const inner = readPath(reply.body, spec.poll?.task ?? "", given);
  const record = typeof inner === "object" && inner !== null ? inner : reply.body;
  const means = meaningOf(engine, record, reply.status);
  if (means === "failed") return ended(engine, classify(spec.errors, record) ?? "transient", record, reply);
  if (means === "missing") return ended(engine, "transient", record, reply);
  // A word for work that goes on is not believed here: nobody could be asked later.
  if (means !== undefined && means !== "queued" && means !== "running" && means !== "done") return ended(engine, means, record, reply);
  const media = createMediaReader(engine.call, given, work.credential.secret, reply);
  const output = readOutput(spec.results, job.kind, record, media);
  if (output === "withheld") return ended(engine, "content_policy", record, reply);
  if (output !== null) return { state: "done", output };
  // Only a sound reply in which there is nothing says that nothing was made.
  if (answers === "record" && isSoundlyEmpty(spec, job.kind, record)) return ended(engine, "transient", record, reply);
  return { state: "unknown", cause: `no result in ${describe(spec.errors, record, reply.secrets, reply)}` };
}

function isSoundlyEmpty({ errors, results }: JobSpec, kind: TaskKind, record: unknown): boolean {
  const { code, message } = readError(errors, record);
  return code === undefined && message === undefined && !resultPaths(results, kind).some((path) => meetsAny(record, path));
}

function resultPaths({ video, music, lyrics, image }: JobSpec["results"], kind: TaskKind): readonly Path[] {
  if (kind === "video" && video)
    return [video.video].flat().flatMap((media) => (typeof media === "string" ? media : "at" in media ? media.at : []));
  if (kind === "music" && music) return [music.songs].flat();
  if (kind === "lyrics" && lyrics) return [lyrics.text].flat();
  return kind === "image" && image ? [image.pictures].flat() : [];
}

function ended({ spec }: Engine, failure: FailureClass, record: unknown, reply: Answered): Started {
  const cause = describe(spec.errors, record, reply.secrets, reply);
  return { state: "refused", refusal: refuse(failure, `no result: ${cause}`) };
}
