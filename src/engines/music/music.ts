import { createChance } from "../chance.ts";
import type { MusicJob, MusicResult, Report, SongResult } from "../job.ts";
import { saveFile } from "../saved-file.ts";
import { openBand, sampleRate, type Band } from "./band.ts";
import { compose } from "./composition.ts";
import { drawCover } from "./cover.ts";
import { master, rms } from "./master.ts";
import { encodeSong } from "./mp3.ts";
import { briefSong, type SongBrief } from "./song-brief.ts";

/** Composes, plays, encodes and saves the songs of a job, each with its cover. */
export async function renderMusic(job: MusicJob, report: Report): Promise<MusicResult> {
  const band = await warmBand();
  const count = Math.max(1, Math.min(4, job.variations ?? 2));
  const seed = tidySeed(job.seed);
  const songs: SongResult[] = [];
  for (let index = 0; index < count; index++) {
    const own = index === 0 ? seed : createChance("variation", seed, index).whole(0, 0x7fffffff);
    songs.push(await renderSong(briefSong(job, seed, own), index, job.outDir, band, (share) => report(((index + share) / count) * 100)));
  }
  return { engine: "music", songs };
}

let opened: Promise<Band> | null = null;

/** The sound bank is large: it is read once and kept for the next job, unless reading failed. */
function warmBand(): Promise<Band> {
  opened ??= openBand().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function renderSong(brief: SongBrief, index: number, outDir: string, band: Band, report: Report): Promise<SongResult> {
  const composition = compose(brief.sections, brief.style, brief.seed);
  const seconds = composition.bodySeconds + (brief.fadeSeconds >= 1 ? 1.5 : 0);
  const sound = await band.perform(composition, brief.style, seconds, (share) => report(share * 0.85));
  if (rms(sound) < 0.001) throw new Error("the band played only silence");
  master(sound, brief.fadeSeconds);
  const bytes = await encodeSong(sound, brief.title);
  report(0.97);
  const audioPath = await saveFile(outDir, `song-${index + 1}.mp3`, bytes);
  const coverPath = await saveFile(outDir, `cover-${index + 1}.jpg`, await drawCover(brief.title, brief.tags, brief.seed));
  report(1);
  const { title, tags, lyrics, seed } = brief;
  return { audioPath, coverPath, title, tags, lyrics, durationSeconds: Math.round((sound.left.length / sampleRate) * 100) / 100, seed };
}

/** Any number becomes a seed of 31 bits; those that already are one stay themselves. */
function tidySeed(seed: number | undefined): number {
  if (seed !== undefined && Number.isInteger(seed) && seed >= 0 && seed <= 0x7fffffff) return seed;
  return createChance("seed", seed ?? 0).whole(0, 0x7fffffff);
}
