import assert from "node:assert/strict";
import type { Sample } from "../../lab/dialect.ts";
import type { MediaSource, TaskOutput } from "../../src/core/kinds.ts";
import { sniffMime } from "../../src/kit/sniff.ts";

/** Checks that an output is of the sample's kind and that all its media can be had. */
export async function checkOutput(output: TaskOutput, sample: Sample): Promise<void> {
  if (output.kind !== sample.kind) assert.fail(`${output.kind} is not ${sample.kind}`);
  switch (output.kind) {
    case "lyrics":
      return assert.ok(output.text.length > 10);
    case "video":
      await checkMedia(output.video, "video");
      if (output.cover) await checkMedia(output.cover, "image");
      return;
    case "music":
      checkCount(output.songs.length, sample);
      checkIds(output.songs.map(({ upstreamId }) => upstreamId));
      for (const song of output.songs) {
        assert.ok(song.durationSeconds >= 0);
        await checkMedia(song.audio, "audio");
        if (song.image) await checkMedia(song.image, "image");
        if (song.video) await checkMedia(song.video, "video");
      }
      return;
    case "image":
      if (output.texts && output.pictures.length === 0) return assert.ok(output.texts.every((text) => text !== ""));
      checkCount(output.pictures.length, sample);
      for (const { media } of output.pictures) await checkMedia(media, "image");
      if (output.grid) await checkMedia(output.grid, "image");
      return;
    default:
      assert.fail("this is no kind of upstream task");
  }
}

/** Every medium of an output. */
export function mediaOf(output: TaskOutput): MediaSource[] {
  const present = (sources: (MediaSource | undefined)[]) => sources.filter((source) => source !== undefined);
  switch (output.kind) {
    case "video":
      return present([output.video, output.cover]);
    case "music":
      return output.songs.flatMap(({ audio, image, video }) => present([audio, image, video]));
    case "image":
      return present([...output.pictures.map(({ media }) => media), output.grid]);
    default:
      return [];
  }
}

function checkCount(length: number, { results }: Sample): void {
  if (results === undefined) assert.ok(length > 0, "there is a result");
  else assert.equal(length, results);
}

function checkIds(ids: (string | null)[]): void {
  const known = ids.filter((id) => id !== null);
  assert.equal(new Set(known).size, known.length, "each song has its own id");
}

async function checkMedia(source: MediaSource, family: string): Promise<void> {
  assert.notEqual(source.from, "path");
  const bytes = await bytesOf(source);
  assert.ok(bytes.byteLength > 500);
  assert.equal(sniffMime(bytes)?.split("/")[0], family);
}

async function bytesOf(source: MediaSource): Promise<Uint8Array> {
  if (source.from === "bytes") return source.bytes;
  if (source.from === "path") return assert.fail("an upstream has no files of ours");
  const reply = await fetch(source.url, source.headers ? { headers: source.headers } : {});
  assert.equal(reply.status, 200, `${source.url}: ${reply.status}`);
  return reply.bytes();
}
