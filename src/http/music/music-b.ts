import { Type, type Static } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { MusicInput } from "../../core/kinds.ts";
import type { Account } from "../../core/records.ts";
import { songIdsOf, type Task } from "../../core/task.ts";
import type { Tasks } from "../../core/tasks.ts";
import { assetUrls, type AssetUrl } from "../asset-url.ts";
import { createTask } from "../create.ts";
import { operation } from "../operation.ts";
import { Hooks, isSaid, nullable, seconds } from "../wire.ts";

const strength = Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1, description: "0 to 1" })));
const optional = (maxLength: number, description: string) => Type.Optional(nullable(Type.String({ maxLength, description })));

export const GenerationRequest = Type.Object({
  gen_params: Type.Object({
    prompt: optional(5_000, "a description of the style"),
    lyrics: optional(20_000, "may be empty"),
    lyrics_type: Type.Optional(
      nullable(
        Type.Union([Type.Literal("generate"), Type.Literal("user"), Type.Literal("instrumental")], {
          description: "generate, user or instrumental",
        }),
      ),
    ),
    bypass_prompt_optimization: Type.Optional(nullable(Type.Boolean())),
    seed: Type.Optional(nullable(Type.Integer({ minimum: -1, maximum: 4_294_967_295, description: "-1 for a random one" }))),
    song_section_start: strength,
    prompt_strength: strength,
    clarity_strength: strength,
    lyrics_strength: strength,
    generation_quality: strength,
    negative_prompt: optional(5_000, "what to keep out"),
    model_type: optional(200, "the model; udio32-v1.5 unless given"),
    config: Type.Optional(
      nullable(
        Type.Object({
          mode: Type.Optional(
            nullable(
              Type.Union([Type.Literal("regular"), Type.Literal("continuation"), Type.Literal("precede")], {
                description: "regular, continuation or precede",
              }),
            ),
          ),
          context_length: Type.Optional(nullable(Type.Number({ minimum: 0 }))),
          source: Type.Optional(
            nullable(
              Type.Object({
                source_type: Type.Optional(nullable(Type.String())),
                song_id: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
              }),
            ),
          ),
        }),
      ),
    ),
  }),
  ...Hooks,
});

type Params = Static<typeof GenerationRequest>["gen_params"];

/** Reads the domain's input off `gen_params`. */
export async function generationInput(params: Params, caller: Caller, tasks: Tasks): Promise<MusicInput> {
  const { lyrics_type: lyricsType, seed, config } = params;
  const prompt = isSaid(params.prompt) ? params.prompt : null;
  const lyrics = isSaid(params.lyrics) ? params.lyrics : null;
  if (prompt === null && lyrics === null)
    throw new Failure("invalid_request", { says: "'gen_params.prompt' or 'gen_params.lyrics' is required.", param: "gen_params.prompt" });
  const mode = config?.mode ?? "regular";
  const input: MusicInput = {
    mode: lyrics === null ? "inspiration" : "custom",
    ...(lyrics === null ? { description: prompt ?? "" } : { lyrics }),
    ...(prompt !== null && { tags: prompt }),
    instrumental: lyricsType === "instrumental",
    ...(seed === undefined || seed === null || seed === -1 ? {} : { seed }),
    extras: extrasOf(params),
  };
  if (mode === "regular") return input;
  const songId = config?.source?.song_id;
  if (!songId)
    throw new Failure("invalid_request", {
      says: "'gen_params.config.source.song_id' is required in this mode.",
      param: "gen_params.config.source.song_id",
    });
  return {
    ...input,
    mode: "continuation",
    continues: await tasks.songSource(caller, songId, null, mode === "precede" ? "before" : "after"),
  };
}

const extraNames = [
  "bypass_prompt_optimization",
  "song_section_start",
  "prompt_strength",
  "clarity_strength",
  "lyrics_strength",
  "generation_quality",
  "negative_prompt",
] as const;

function extrasOf(params: Params): Record<string, string | number | boolean> {
  return Object.fromEntries(
    extraNames.flatMap((name) => (params[name] === undefined || params[name] === null ? [] : [[name, params[name]]])),
  );
}

const Song = Type.Object({}, { additionalProperties: true, description: "a song" });
const GenerationTask = Type.Object({
  task_id: Type.String(),
  action: Type.String(),
  status: Type.String(),
  fail_reason: Type.String(),
  submit_time: Type.Integer(),
  start_time: Type.Integer(),
  finish_time: Type.Integer(),
  progress: Type.String(),
  songs: Type.Array(Song),
  data: Type.Object({ songs: Type.Array(Song) }),
});

/** A task as the music B group shows it; clients look for the songs in two places. */
export function generationTask(task: Task, account: Account, url: AssetUrl): Static<typeof GenerationTask> {
  const songs = songIdsOf(task).map((_id, index) => songOf(task, index, account, url));
  return {
    task_id: task.id,
    action: "udio-generate",
    status: task.status,
    fail_reason: task.failReason ?? "",
    submit_time: seconds(task.createdAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    progress: `${task.progress}%`,
    songs,
    data: { songs },
  };
}

function songOf(task: Task, index: number, account: Account, url: AssetUrl): Record<string, unknown> {
  const song = task.result?.kind === "music" ? task.result.songs[index] : undefined;
  const input = task.kind === "music" ? task.input : null;
  const tags = (song?.tags ?? input?.tags ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
  const audio = url(song?.audio ?? null);
  const created = new Date(task.createdAt).toISOString();
  return {
    id: task.songIds[index] ?? task.id,
    tags,
    user_tags: [],
    replaced_tags: {},
    title: song?.title ?? "",
    artist: account.name,
    artist_image: "",
    lyrics: song?.lyrics ?? input?.lyrics ?? "",
    prompt: input?.tags ?? input?.description ?? "",
    description: null,
    attribution: null,
    user_id: account.id,
    generation_id: task.id,
    duration: song?.durationSeconds ?? 0,
    finished: song !== undefined,
    song_path: audio,
    original_song_path: audio,
    image_path: url(song?.image ?? null),
    video_path: url(song?.video ?? null) || null,
    created_at: created,
    published_at: null,
    publishable: false,
    liked: false,
    likes: 0,
    plays: 0,
    disliked: false,
    error_id: null,
    error_code: null,
    error_type: task.failCode,
    error_detail: task.failReason,
    audio_conditioning_type: input?.continues?.direction === "before" ? "precede" : input?.continues ? "continuation" : null,
  };
}

const group = { tag: "music B", errors: "envelope", auth: "client", scope: "musicB" } as const;
const Query = Type.Object({ code: Type.String(), message: Type.String(), data: GenerationTask });

const createMusic = operation({
  ...group,
  method: "POST",
  url: "/musicB/submit/music",
  aliases: ["/udio/submit/music"],
  summary: "Create music",
  body: GenerationRequest,
  reply: Type.Union([Query, Type.Object({ code: Type.String(), message: Type.String(), data: Type.String() })]),
  async run(ask, services) {
    const { body, caller } = ask;
    const input = await generationInput(body.gen_params, caller, services.tasks);
    return createTask(
      ask,
      services,
      { kind: "music", dialect: "music-b", model: body.gen_params.model_type || "udio32-v1.5", input },
      {
        created: (task) => ({ code: "success", message: "", data: task.id }),
        queried: (task) => ({ code: "success", message: "", data: generationTask(task, caller.account, assetUrls(services, ask.base)) }),
      },
    );
  },
});

const fetchOne = operation({
  ...group,
  method: "GET",
  url: "/musicB/fetch/:id",
  aliases: ["/udio/fetch/:id"],
  summary: "Get a task",
  params: Type.Object({ id: Type.String() }),
  reply: Query,
  async run({ params, caller, base }, services) {
    const task = await services.tasks.get(caller, params.id);
    if (task.dialect !== "music-b") throw new Failure("task_not_found");
    return { code: "success", message: "", data: generationTask(task, caller.account, assetUrls(services, base)) };
  },
});

export const musicBOperations = [createMusic, fetchOne];
