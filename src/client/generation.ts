import type { Body } from "../../generated/openapi.d.ts";
import type { TaskHandle } from "./task-handle.ts";

/** A create as it goes to the service. */
export type Create = { path: string; body: object };

export type CreateOptions = { signal?: AbortSignal; idempotencyKey?: string };

/** Accepts a wish; resolves once the task is on disk. */
type Making<W> = (wish: W, options?: CreateOptions) => Promise<TaskHandle>;

export type Generate = {
  video: Making<VideoWish>;
  music: Making<MusicWish>;
  lyrics: Making<LyricsWish>;
  image: Making<ImageWish>;
  speech: Making<SpeechWish>;
};

/** The creates, each through `create`. */
export function createGenerate(
  create: (path: string, body: object, options?: CreateOptions) => Promise<TaskHandle>,
  usualModel: (kind: string) => Promise<string>,
): Generate {
  const submit = ({ path, body }: Create, options?: CreateOptions) => create(path, body, options);
  return {
    video: async (wish, options) => submit(creates.video({ ...wish, model: wish.model ?? (await usualModel("video")) }), options),
    music: (wish, options) => submit(creates.music(wish), options),
    lyrics: (wish, options) => submit(creates.lyrics(wish), options),
    image: (wish, options) => submit(creates.image(wish), options),
    speech: (wish, options) => submit(creates.speech(wish), options),
  };
}

/** What each wish is as a request. */
export const creates = {
  video: (wish: VideoWish): Create => ({ path: "/v1/video/generations", body: wish }),
  music: musicCreate,
  lyrics: (wish: LyricsWish): Create => ({ path: "/musicA/submit/lyrics", body: wish }),
  image: (wish: ImageWish): Create => ({ path: "/v1/images/generations", body: { ...wish, async: true } }),
  speech: (wish: SpeechWish): Create => ({ path: "/v1/audio/speech", body: { ...wish, async: true } }),
};

/** Whom to tell at the end. */
type Further = { webhook_url?: string };

export type VideoWish = Further &
  Pick<Body<"postVideoGenerations">, "negative_prompt" | "resolution" | "seed" | "metadata"> & {
    prompt?: string;
    /** The first model for video unless given. */
    model?: string;
    /** Seconds. */
    duration?: number;
    aspect_ratio?: string;
    /** A picture to begin with: an address, a `data:` URI or the id of an uploaded file. */
    image?: string;
  };

export type MusicWish = Further & {
  /** What the song is about; with `lyrics`, its style. */
  prompt?: string;
  /** The words to sing. */
  lyrics?: string;
  /** Style words, separated by commas. */
  tags?: string;
  title?: string;
  instrumental?: boolean;
  model?: string;
  /** A clip to go on from, and the second of it. */
  continue_clip_id?: string;
  continue_at?: number;
};

export type LyricsWish = Further & { prompt: string };

export type ImageWish = Omit<Body<"postImagesGenerations">, "async" | "stream" | "response_format">;

export type SpeechWish = Omit<Body<"postAudioSpeech">, "async" | "stream_format">;

/** Lyrics make it a custom song, a description alone leaves the words to the model. */
function musicCreate({ prompt, lyrics, tags, instrumental, model, ...rest }: MusicWish): Create {
  const path = "/musicA/submit/music";
  const shared = { ...rest, ...(model !== undefined && { mv: model }), ...(instrumental === true && { make_instrumental: true }) };
  const isCustom = lyrics !== undefined || rest.title !== undefined || rest.continue_clip_id !== undefined;
  if (!isCustom && prompt !== undefined) return { path, body: { ...shared, gpt_description_prompt: joined(prompt, tags) } };
  const style = joined(tags, prompt);
  return { path, body: { ...shared, ...(lyrics !== undefined && { prompt: lyrics }), ...(style !== "" && { tags: style }) } };
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}
