import { Type, type Static } from "typebox";
import type { Caller } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import type { LyricsInput, MusicInput } from "../../core/kinds.ts";
import type { Task } from "../../core/task.ts";
import type { Tasks } from "../../core/tasks.ts";
import { assetUrls } from "../asset-url.ts";
import { createTask } from "../create.ts";
import { CreatedClip, createdClip, MusicTask, musicTask } from "./music-a-record.ts";
import { operation } from "../operation.ts";
import { Hooks, isSaid, nullable } from "../wire.ts";

const optional = (maxLength: number, description: string) => Type.Optional(nullable(Type.String({ maxLength, description })));

export const MusicRequest = Type.Object(
  {
    prompt: optional(20_000, "lyrics, in custom mode"),
    title: optional(500, "the title, in custom mode"),
    tags: optional(2_000, "style words, in custom mode"),
    gpt_description_prompt: optional(5_000, "what the song is about, in inspiration mode"),
    make_instrumental: Type.Optional(nullable(Type.Boolean())),
    mv: optional(200, "the model version; chirp-v3-0 unless given"),
    continue_clip_id: optional(100, "the clip to go on from"),
    continue_at: Type.Optional(
      nullable(Type.Number({ minimum: 0, maximum: 36_000, description: "seconds into that clip; its end unless given" })),
    ),
    task_id: optional(100, "the task of that clip"),
    negative_tags: optional(2_000, "styles to keep out"),
    task: optional(100, "an upstream's own word for the kind of task"),
    ...Hooks,
  },
  { description: "A song to make." },
);

type Body = Static<typeof MusicRequest>;

/** Which of the three modes a request means, in the order of the contract: continuation, inspiration, custom. */
export async function musicInput(body: Body, caller: Caller, tasks: Tasks): Promise<MusicInput> {
  const instrumental = body.make_instrumental ?? false;
  const own = {
    ...(isSaid(body.prompt) && { lyrics: body.prompt }),
    ...(isSaid(body.title) && { title: body.title }),
    ...(isSaid(body.tags) && { tags: body.tags }),
  };
  const extras = body.negative_tags ? { extras: { negative_tags: body.negative_tags } } : {};
  if (body.continue_clip_id) {
    const at = body.continue_at === 0 ? null : (body.continue_at ?? null);
    const continues = await tasks.songSource(caller, body.continue_clip_id, at, "after");
    if (body.task_id && (await tasks.find(caller, body.task_id))?.id !== continues.taskId)
      throw new Failure("invalid_request", { says: "'task_id' is not the task of 'continue_clip_id'.", param: "task_id" });
    if (continues.atSeconds > continues.song.durationSeconds + 1)
      throw new Failure("invalid_request", {
        says: `'continue_at' is after the end of the clip (${continues.song.durationSeconds} s).`,
        param: "continue_at",
      });
    return { mode: "continuation", ...own, ...extras, instrumental, continues };
  }
  if (isSaid(body.gpt_description_prompt))
    return { mode: "inspiration", description: body.gpt_description_prompt, ...extras, instrumental };
  if (isSaid(body.prompt) || (instrumental && (isSaid(body.tags) || isSaid(body.title))))
    return { mode: "custom", ...own, ...extras, instrumental };
  throw new Failure("invalid_request", {
    says: "Give 'gpt_description_prompt' (inspiration), 'prompt' (custom; 'tags' or 'title' are enough when instrumental), or 'continue_clip_id' (continuation).",
    param: "prompt",
  });
}

const group = { tag: "music A", errors: "envelope", auth: "client", scope: "musicA" } as const;
const Envelope = Type.Object({ code: Type.String(), message: Type.String(), data: MusicTask });

const createMusic = operation({
  ...group,
  method: "POST",
  url: "/musicA/submit/music",
  aliases: ["/suno/submit/music"],
  summary: "Create music: inspiration, custom or continuation mode",
  body: MusicRequest,
  reply: Type.Union([Envelope, CreatedClip]),
  async run(ask, services) {
    const { body, caller } = ask;
    const input = await musicInput(body, caller, services.tasks);
    return createTask(
      ask,
      services,
      { kind: "music", dialect: "music-a", model: body.mv || "chirp-v3-0", input },
      {
        created: (task) => createdClip(task, caller.account),
        queried: (task) => success(musicTask(task, caller.account, assetUrls(services, ask.base))),
      },
    );
  },
});

export const LyricsRequest = Type.Object({
  prompt: Type.String({ minLength: 1, maxLength: 5_000, description: "what the lyrics are about" }),
  ...Hooks,
});

/** Reads the domain's input off a request for lyrics. */
export function lyricsInput({ prompt }: Static<typeof LyricsRequest>): LyricsInput {
  if (!isSaid(prompt)) throw new Failure("invalid_request", { says: "'prompt' is required.", param: "prompt" });
  return { prompt };
}

const createLyrics = operation({
  ...group,
  method: "POST",
  url: "/musicA/submit/lyrics",
  aliases: ["/suno/submit/lyrics"],
  summary: "Create lyrics",
  body: LyricsRequest,
  reply: Type.Union([Envelope, Type.Object({ code: Type.String(), message: Type.String(), data: Type.String() })]),
  async run(ask, services) {
    const { body, caller } = ask;
    return createTask(
      ask,
      services,
      { kind: "lyrics", dialect: "music-a", model: "lyrics", input: lyricsInput(body) },
      {
        created: (task) => success(task.id),
        queried: (task) => success(musicTask(task, caller.account, assetUrls(services, ask.base))),
      },
    );
  },
});

const BatchRequest = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, description: "0 to 100 ids of tasks or clips" }),
  action: Type.Optional(nullable(Type.Union([Type.Literal("MUSIC"), Type.Literal("LYRICS"), Type.Literal("")]))),
});

const fetchMany = operation({
  ...group,
  method: "POST",
  url: "/musicA/fetch",
  aliases: ["/musicA/submit/fetch", "/suno/fetch", "/suno/submit/fetch"],
  summary: "Get several tasks",
  body: BatchRequest,
  reply: Type.Object({ code: Type.String(), message: Type.String(), data: Type.Array(MusicTask) }),
  async run({ body, caller, base }, services) {
    const tasks = await services.store.tasksByIds({ ids: body.ids, account: caller.account.id });
    const wanted = body.action ? tasks.filter(({ kind }) => kind === (body.action === "LYRICS" ? "lyrics" : "music")) : tasks;
    const url = assetUrls(services, base);
    return success(wanted.filter(isMusicA).map((task) => musicTask(task, caller.account, url)));
  },
});

const fetchOne = operation({
  ...group,
  method: "GET",
  url: "/musicA/fetch/:id",
  aliases: ["/suno/fetch/:id"],
  summary: "Get one task",
  params: Type.Object({ id: Type.String() }),
  reply: Envelope,
  async run({ params, caller, base }, services) {
    const task = await services.tasks.find(caller, params.id);
    if (task === null || !isMusicA(task)) throw new Failure("task_not_found");
    return success(musicTask(task, caller.account, assetUrls(services, base)));
  },
});

function isMusicA(task: Task): boolean {
  return task.dialect === "music-a";
}

function success<T>(data: T): { code: "success"; message: ""; data: T } {
  return { code: "success", message: "", data };
}

export const musicAOperations = [createMusic, createLyrics, fetchMany, fetchOne];
