import { createChance } from "../chance.ts";
import type { MusicJob, SongOrigin } from "../job.ts";
import { titleOf, writeLyrics } from "../lyrics/lyrics.ts";
import { topicsOf } from "../lyrics/topic.ts";
import { barSeconds, kindsFrom, kindsOf, layOut, type Section } from "./form.ts";
import { chooseStyle, siblingSeed, type Style } from "./style.ts";
import { suggestTags } from "./tag-words.ts";

/** Everything about one song that is settled before a note is written. */
export type SongBrief = {
  title: string;
  tags: string;
  lyrics: string;
  seed: number;
  style: Style;
  sections: Section[];
  /** How long the end takes to fade. */ fadeSeconds: number;
};

const usualSeconds = 40;

/** Settles what a job leaves open: words from the job's own seed, the same for all its songs, and music from each song's seed. */
export function briefSong(job: MusicJob, wordSeed: number, seed: number): SongBrief {
  if (job.continues !== undefined) return briefContinuation(job, job.continues, seed);
  const about = job.description ?? [job.title, job.tags].filter(Boolean).join(" ");
  const tags = given(job.tags) ?? suggestTags(about, createChance("tags", about, wordSeed)).join(", ");
  const { lyrics, title } = wording(job, about, wordSeed);
  const style = chooseStyle(tags, seed);
  return { title, tags, lyrics, seed, style, sections: layOut(kindsOf(lyrics), style, job.lengthSeconds ?? usualSeconds), fadeSeconds: 2 };
}

function wording(job: MusicJob, about: string, seed: number): { lyrics: string; title: string } {
  const lyrics = job.instrumental ? "[Instrumental]" : given(job.lyrics);
  if (lyrics !== undefined) {
    const source = job.instrumental ? about : lyrics.replaceAll(/\[.*?\]/g, " ");
    return { lyrics, title: given(job.title) ?? titleOf(topicsOf(source), createChance("title", source, seed)) };
  }
  const written = writeLyrics({ prompt: about, seed });
  return { lyrics: written.text, title: given(job.title) ?? written.title };
}

/** The same key, tempo, instruments and hook, from the bar at which the source is left. */
function briefContinuation(job: MusicJob, source: SongOrigin, seed: number): SongBrief {
  const sourceSeed = source.seed ?? createChance("origin", source.title, source.tags).whole(0, 0x7fffffff);
  const ownSeed = siblingSeed(sourceSeed, `${source.atSeconds} ${source.direction} ${seed}`);
  const tags = given(source.tags) ?? given(job.tags) ?? "";
  const style = chooseStyle(tags, sourceSeed);
  const sung = given(job.lyrics);
  const original = layOut(kindsOf(source.lyrics), style, source.durationSeconds);
  const next = kindsFrom(original, source.atSeconds / barSeconds(style), source.direction);
  // Markers of a new text decide; a continuation has no second introduction.
  const kinds = sung !== undefined && /^\s*\[/m.test(sung) ? kindsOf(sung).filter((kind) => kind !== "intro") : next;
  const before = source.direction === "before";
  return {
    title: given(job.title) ?? source.title,
    tags,
    lyrics: job.instrumental ? "[Instrumental]" : (sung ?? source.lyrics),
    seed: ownSeed,
    style,
    sections: layOut(before ? next : kinds, style, job.lengthSeconds ?? usualSeconds),
    fadeSeconds: before ? 0.05 : 2,
  };
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}
