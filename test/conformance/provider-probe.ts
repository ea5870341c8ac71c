import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { Sample } from "../../lab/dialect.ts";
import { mediaBytes } from "../../lab/media.ts";
import type { MediaSource, TaskOutput } from "../../src/core/kinds.ts";
import type { Job, Polled, Started, TaskProvider, UpstreamJob, Work } from "../../src/core/provider.ts";

/** The key that the lab takes in these tests. */
export const secret = "lab-key-0123456789";

export function workOf({ signal = new AbortController().signal, secret: key = secret } = {}): Work {
  return {
    signal,
    credential: { id: "1", secret: key },
    report: () => {},
    load: async () => ({ bytes: mediaBytes("cover.png"), mime: "image/png" }),
  };
}

export function jobOf(sample: Sample, mark: string): Job {
  const common = { taskId: "task", attempt: 1, idempotencyKey: "task-1", model: sample.model };
  if (sample.kind === "video") return { ...common, kind: "video", input: { ...sample.input, prompt: `${sample.input.prompt} ${mark}` } };
  if (sample.kind === "lyrics") return { ...common, kind: "lyrics", input: { prompt: `${sample.input.prompt} ${mark}` } };
  const { description, lyrics } = sample.input;
  const words = description === undefined ? { lyrics: `${lyrics ?? ""} ${mark}` } : { description: `${description} ${mark}` };
  return { ...common, kind: "music", input: { ...sample.input, ...words } };
}

export function accepted(started: Started, { kind, model }: Sample): UpstreamJob {
  if (started.state !== "accepted") assert.fail(`not accepted: ${JSON.stringify(started)}`);
  return { upstreamId: started.upstreamId, keep: started.keep ?? {}, kind, model };
}

export async function poll(provider: TaskProvider, job: UpstreamJob, work = workOf()): Promise<Polled> {
  assert.ok(provider.poll, "a provider whose jobs are accepted can be asked about them");
  return provider.poll(job, work);
}

export function refusedClass(started: Started): string {
  return started.state === "refused" ? started.refusal.class : started.state;
}

export function assertDiscreet(outcome: Started | Polled): void {
  const refusal = "refusal" in outcome ? outcome.refusal : null;
  assert.ok(refusal?.says, "a client is told something");
  assert.doesNotMatch(refusal.says, /told to|moderation|SAFETY|\blab\b/i);
  assert.ok(refusal.cause, "the log is told what the upstream said");
}

export function mediaOf(polled: Polled): string {
  if (polled.state !== "done" || polled.output.kind === "lyrics") return assert.fail(`no media: ${JSON.stringify(polled)}`);
  const source = polled.output.kind === "video" ? polled.output.video : polled.output.songs[0]?.audio;
  return source?.from === "url" ? source.url : assert.fail("no address");
}

export async function checkOutput(output: TaskOutput, { kind }: Sample): Promise<void> {
  assert.equal(output.kind, kind);
  if (output.kind === "lyrics") return assert.ok(output.text.length > 10 && output.tags.length > 0 && output.title !== "");
  if (output.kind === "video") return checkMedia(output.video, "video/mp4");
  assert.equal(output.songs.length, 2);
  assert.equal(new Set(output.songs.map((song) => song.upstreamId)).size, 2);
  for (const song of output.songs) {
    assert.ok(song.title !== "" && song.tags !== "" && song.lyrics !== "" && song.durationSeconds > 0);
    await checkMedia(song.audio, "audio/mpeg");
    if (song.image) await checkMedia(song.image, "image/png");
    if (song.video) await checkMedia(song.video, "video/mp4");
  }
}

async function checkMedia(source: MediaSource, mime: string): Promise<void> {
  if (source.from !== "url") return;
  const reply = await fetch(source.url, source.headers ? { headers: source.headers } : {});
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get("content-type"), mime);
  assert.ok((await reply.bytes()).byteLength > 1_000);
}

export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 1;
}
