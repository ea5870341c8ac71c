import type { Job, ProviderPage } from "../../core/provider.ts";
import type { Errors, Fields, JobSpec, Verifier } from "../job/spec.ts";

// The wire insists on an address; this one can never be reached, and polls find the songs without it.
const nowhere = "https://callback.invalid/";

const callBackUrl = { from: "callback.url", or: nowhere } as const;
const common = { model: "model", instrumental: "input.instrumental", callBackUrl } satisfies Fields<"music">;
const without = { merge: [{ negativeTags: "input.extras.negative_prompt" }, { negativeTags: "input.extras.negative_tags" }] } as const;

const errors: Errors = {
  code: ["errorCode", "code"],
  message: ["errorMessage", "msg", "message"],
  codes: { "400": "invalid", "401": "auth", "404": "not_found", "413": "invalid", "455": "transient", "5*": "transient" },
  texts: [["sensitive|copyright|moderat|policy|artist name|prohibited|inappropriate|violat", "content_policy"]],
  definite: ["455"],
};

const words = {
  PENDING: "queued",
  TEXT_SUCCESS: "running",
  FIRST_SUCCESS: "running",
  SUCCESS: "done",
  // Their message to us was lost, not the songs: done as soon as these are there.
  CALLBACK_EXCEPTION: "done",
  CREATE_TASK_FAILED: "failed",
  GENERATE_AUDIO_FAILED: "failed",
  GENERATE_LYRICS_FAILED: "failed",
  SENSITIVE_WORD_ERROR: "content_policy",
} as const;

const start: JobSpec["start"] = [
  {
    kind: "music",
    when: [{ at: "input.mode", is: "inspiration" }],
    send: "POST /api/v1/generate",
    body: { merge: [{ ...common, customMode: { const: false }, prompt: { from: "input.description", as: { cut: 500 } } }, without] },
  },
  {
    kind: "music",
    when: [{ at: "input.mode", is: "custom" }],
    send: "POST /api/v1/generate",
    body: {
      merge: [
        { ...common, customMode: { const: true }, prompt: "input.lyrics" },
        { style: { from: "input.tags", or: "song" }, title: { from: "input.title", as: { cut: 80 }, or: "Untitled" } },
        without,
      ],
    },
  },
  {
    kind: "music",
    when: [
      { at: "input.continues.direction", is: "after" },
      { at: "input.continues.upstreamSongId", exists: true },
    ],
    send: "POST /api/v1/generate/extend",
    build: extension,
  },
  { kind: "lyrics", send: "POST /api/v1/lyrics", body: { prompt: "input.prompt", callBackUrl } },
];

const results: JobSpec["results"] = {
  music: {
    songs: "response.sunoData",
    ready: [{ at: "audioUrl", exists: true }],
    id: "id",
    title: "title",
    tags: "tags",
    lyrics: "prompt",
    durationSeconds: "duration",
    audio: "audioUrl",
    image: "imageUrl",
  },
  lyrics: { title: "response.data[0].title", text: "response.data[0].text" },
};

/** One who offers this wire, with the codes that are its own. */
type SunoHouse = { type: string; baseUrl: string; about: ProviderPage; codes: NonNullable<Errors["codes"]>; hears: Verifier };

/** The wire that sunoapi.org and kie.ai share. */
export function sunoSpec({ codes, ...house }: SunoHouse): JobSpec {
  return {
    ...house,
    pollEveryMs: 5_000,
    usualLimits: { perMinute: 120 },
    models: { music: { "*": {} }, lyrics: { "*": {} } },
    start,
    accepted: { ok: [{ at: "code", is: 200 }], id: "data.taskId" },
    poll: {
      send: { music: "GET /api/v1/generate/record-info?taskId={id}", lyrics: "GET /api/v1/lyrics/record-info?taskId={id}" },
      ok: [{ at: "code", is: 200 }],
      task: "data",
      missing: [{ at: "code", is: 404 }],
    },
    status: { at: "status", words },
    results,
    errors: { ...errors, codes: { ...codes, ...errors.codes } },
  };
}

function extension({ kind, input, model, callback }: Job): unknown {
  if (kind !== "music" || input.continues === undefined) return undefined;
  const { upstreamSongId, atSeconds, song } = input.continues;
  const own = { audioId: upstreamSongId, model, callBackUrl: callback?.url ?? nowhere };
  const lyrics = input.lyrics ?? input.description;
  if (lyrics === undefined) return { ...own, defaultParamFlag: false };
  return {
    ...own,
    defaultParamFlag: true,
    prompt: lyrics,
    style: input.tags || song.tags || "song",
    title: (input.title || song.title || "Untitled").slice(0, 80),
    // The end itself is not taken.
    continueAt: Math.max(1, Math.min(atSeconds, Math.floor(song.durationSeconds) - 1)),
  };
}
