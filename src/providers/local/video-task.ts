import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { videoActs, type InputFile, type VideoInput, type VideoOutput } from "../../core/kinds.ts";
import type { KindLimits, Work } from "../../core/provider.ts";
import type { Engines } from "../../engines/engines.ts";

/** What can be asked of the built-in videos. */
export const localVideoLimits = { durations: { min: 1, max: 60 }, acts: videoActs } as const satisfies KindLimits;

/**
 * Makes the video of a task. What extends a video begins with that video, as clients of such upstreams expect: the seconds asked for
 * come after it, and the length told is that of both.
 */
export async function generateVideo(engines: Engines, input: VideoInput, seed: number, outDir: string, work: Work): Promise<VideoOutput> {
  const { prompt, durationSeconds, aspectRatio, resolution, loop, source } = input;
  const save = (file: InputFile | undefined, name: string) => (file === undefined ? undefined : saveFile(file, join(outDir, name), work));
  await mkdir(outDir, { recursive: true });
  const imagePath = await save(input.image, "source-image");
  const lastImagePath = await save(input.lastImage, "source-last-image");
  const sourcePath = await save(source?.video, "source-video");
  const shortSide = shortSideOf(resolution);
  const result = await engines.run(
    {
      engine: "video",
      outDir,
      prompt,
      seed: input.seed ?? seed,
      durationSeconds,
      aspectRatio,
      ...(shortSide !== undefined && { shortSide }),
      ...(imagePath !== undefined && { imagePath }),
      ...(lastImagePath !== undefined && { lastImagePath }),
      ...(loop === true && { loop }),
      ...(source !== undefined && sourcePath !== undefined && { source: { act: source.act, path: sourcePath } }),
    },
    { signal: work.signal, onProgress: work.report },
  );
  await Promise.all([imagePath, lastImagePath, sourcePath].flatMap((path) => (path === undefined ? [] : [rm(path, { force: true })])));
  return {
    kind: "video",
    video: { from: "path", path: result.videoPath },
    cover: { from: "path", path: result.coverPath },
    durationSeconds: result.durationSeconds,
  };
}

/** Lines of a resolution by its name: "720p", and "4k" for what has 2,160. */
function shortSideOf(resolution: string | undefined): number | undefined {
  const [, count, unit] = /^(\d+)\s*([pk])$/i.exec(resolution ?? "") ?? [];
  if (count === undefined) return undefined;
  return Number(count) * (unit?.toLowerCase() === "k" ? 540 : 1);
}

async function saveFile(file: InputFile, path: string, work: Work): Promise<string> {
  const { bytes } = await work.load(file);
  await writeFile(path, bytes);
  return path;
}
