/** The create that makes what a stored task made, in the words of the group it came in through. */
import type { CallOperation } from "../core/call.ts";
import { isDeferred, type DeferredInput, type LyricsInput, type MusicInput, type TaskInput } from "../core/kinds.ts";
import type { Dialect } from "../core/task.ts";
import { imageRequest } from "./image-request.ts";
import { said, type TaskRequest } from "./request-words.ts";
import { videoRequest } from "./video/video-request.ts";

type Asked = TaskInput & { dialect: Dialect; model: string };

/** That create; null where none can say it, as where files came in a form. What was sent inside the request itself is left out. */
export function taskRequest(task: Asked): TaskRequest | null {
  if (isDeferred(task)) return callRequest(task.model, task.input);
  switch (task.kind) {
    case "lyrics":
      return lyricsRequest(task.input);
    case "music":
      return task.dialect === "music-b" ? musicBRequest(task.model, task.input) : musicARequest(task.model, task.input);
    case "video":
      return videoRequest(task.dialect, task.model, task.input);
    case "image":
      return imageRequest(task.dialect, task.model, task.input);
  }
}

function lyricsRequest({ prompt }: LyricsInput): TaskRequest {
  return { path: "/musicA/submit/lyrics", body: { prompt } };
}

function musicARequest(model: string, input: MusicInput): TaskRequest {
  const { description, lyrics, title, tags, instrumental, continues, extras } = input;
  const at = continues?.atSeconds === continues?.song.durationSeconds ? undefined : continues?.atSeconds;
  return {
    path: "/musicA/submit/music",
    body: said({
      gpt_description_prompt: description,
      prompt: lyrics,
      title,
      tags,
      make_instrumental: instrumental || undefined,
      mv: model,
      continue_clip_id: continues?.songId,
      continue_at: at,
      task_id: continues?.taskId,
      negative_tags: extras?.["negative_tags"],
    }),
  };
}

function musicBRequest(model: string, input: MusicInput): TaskRequest {
  const { description, lyrics, tags, instrumental, seed, continues, extras } = input;
  const mode = continues?.direction === "before" ? "precede" : "continuation";
  const params = said({
    prompt: tags ?? description,
    lyrics,
    lyrics_type: instrumental ? "instrumental" : undefined,
    seed,
    ...extras,
    model_type: model,
    config: continues && { mode, source: { source_type: "song", song_id: continues.songId } },
  });
  return { path: "/musicB/submit/music", body: { gen_params: params } };
}

const callPaths: Partial<Record<CallOperation, string>> = { chat: "/v1/chat/completions", speech: "/v1/audio/speech" };

function callRequest(model: string, { operation, body, files }: DeferredInput): TaskRequest | null {
  const path = Object.entries(callPaths).find(([name]) => name === operation)?.[1];
  return path === undefined || files.length > 0 ? null : { path, body: { ...body, model, async: true } };
}
