import { UsageError } from "./complaint.ts";
import { readNumber } from "./number.ts";

/** A create as it goes to the service. */
export type GenerationRequest = { path: string; body: object };

export type VideoWishes = {
  prompt?: string | undefined;
  model: string;
  duration?: string | undefined;
  aspect?: string | undefined;
  image?: string | undefined;
};

/** `image` is an address or the id of an uploaded file here. */
export function videoRequest({ prompt, model, duration, aspect, image }: VideoWishes): GenerationRequest {
  const body = {
    ...(prompt && { prompt }),
    ...(image && { image }),
    ...(duration && { duration: readNumber("--duration", duration.replace(/s$/, ""), { min: 1, max: 60, whole: true }) }),
    ...(aspect && { aspect_ratio: aspect }),
  };
  return { path: `/custom_video/model/${encodeURIComponent(model)}`, body };
}

export type MusicWishes = {
  prompt?: string | undefined;
  model?: string | undefined;
  tags?: string | undefined;
  title?: string | undefined;
  lyrics?: string | undefined;
  instrumental?: boolean | undefined;
  seed?: string | undefined;
};

/** Music goes to music B when that is the group that can do it (a seed, a model of its family), else to music A. */
export function musicRequest(wishes: MusicWishes): GenerationRequest {
  const { prompt, lyrics, tags, title, instrumental } = wishes;
  if (lyrics && instrumental) throw new UsageError("--instrumental music has no lyrics: leave out --lyrics-file.", "generate music");
  if (!prompt && !lyrics && !(instrumental && (tags || title))) {
    throw new UsageError("Say what the music is like: give a PROMPT, --lyrics-file, or --instrumental with --tags.", "generate music");
  }
  return wishes.seed !== undefined || wishes.model?.startsWith("udio") === true ? musicBRequest(wishes) : musicARequest(wishes);
}

function musicARequest({ prompt, model, tags, title, lyrics, instrumental }: MusicWishes): GenerationRequest {
  const path = "/musicA/submit/music";
  const version = model === undefined ? {} : { mv: model };
  const style = joined(tags, prompt);
  if (lyrics) return { path, body: { ...version, prompt: lyrics, ...(style && { tags: style }), ...(title && { title }) } };
  if (instrumental && (tags || title))
    return { path, body: { ...version, make_instrumental: true, ...(style && { tags: style }), ...(title && { title }) } };
  if (title)
    throw new UsageError(
      "--title goes with --lyrics-file or --instrumental: where the words are made up, the title is too.",
      "generate music",
    );
  return { path, body: { ...version, gpt_description_prompt: joined(prompt, tags), ...(instrumental && { make_instrumental: true }) } };
}

function musicBRequest({ prompt, model, tags, title, lyrics, instrumental, seed }: MusicWishes): GenerationRequest {
  if (title)
    throw new UsageError("--title is not possible with --seed or a udio model: that group makes its own titles.", "generate music");
  const style = joined(prompt, tags);
  const params = {
    ...(style && { prompt: style }),
    ...(lyrics && { lyrics }),
    lyrics_type: lyrics ? "user" : instrumental ? "instrumental" : "generate",
    ...(seed !== undefined && { seed: readNumber("--seed", seed, { min: -1, max: 4_294_967_295, whole: true }) }),
    ...(model !== undefined && { model_type: model }),
  };
  return { path: "/musicB/submit/music", body: { gen_params: params } };
}

export function lyricsRequest(prompt: string): GenerationRequest {
  return { path: "/musicA/submit/lyrics", body: { prompt } };
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}
