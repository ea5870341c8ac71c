import type { Job, ProviderPage } from "../../core/provider.ts";
import { kie as kieSigned } from "../callbacks/kie.ts";
import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
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

type House = { type: string; baseUrl: string; about: ProviderPage; codes: NonNullable<Errors["codes"]>; hears: Verifier };

function specOf({ codes, ...house }: House): JobSpec {
  return {
    ...house,
    pollEveryMs: 5_000,
    usualLimits: { perMinute: 120 },
    models: { music: { "*": {} }, lyrics: { "*": {} } },
    start: [
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
    ],
    accepted: { ok: [{ at: "code", is: 200 }], id: "data.taskId" },
    poll: {
      send: { music: "GET /api/v1/generate/record-info?taskId={id}", lyrics: "GET /api/v1/lyrics/record-info?taskId={id}" },
      ok: [{ at: "code", is: 200 }],
      task: "data",
      missing: [{ at: "code", is: 404 }],
    },
    status: { at: "status", words },
    results: {
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
    },
    errors: { ...errors, codes: { ...codes, ...errors.codes } },
  };
}

function extension({ kind, input, model, callback }: Job): unknown {
  if (kind !== "music" || input.continues === undefined) return undefined;
  const { upstreamSongId, atSeconds, song } = input.continues;
  const common = { audioId: upstreamSongId, model, callBackUrl: callback?.url ?? nowhere };
  const lyrics = input.lyrics ?? input.description;
  if (lyrics === undefined) return { ...common, defaultParamFlag: false };
  return {
    ...common,
    defaultParamFlag: true,
    prompt: lyrics,
    style: input.tags || song.tags || "song",
    title: (input.title || song.title || "Untitled").slice(0, 80),
    // The end itself is not taken.
    continueAt: Math.max(1, Math.min(atSeconds, Math.floor(song.durationSeconds) - 1)),
  };
}

const unconfirmed = [
  "What other codes mean than those listed: a no under HTTP 200 whose code is unknown counts as trouble of the upstream's own.",
  "Whether a song that is not yet there may be shown without its address: songs are taken once every one of them has one.",
];
const examples = [
  { kind: "music", model: "V4_5", price: "per_call: 0.10" },
  { kind: "lyrics", model: "lyrics", price: "per_call: 0.01" },
] as const;

/** Songs of sunoapi.org. */
export const sunoApi = createJob(
  specOf({
    type: "sunoapi",
    baseUrl: "https://api.sunoapi.org",
    about: {
      title: "sunoapi.org",
      summary:
        "Songs and lyrics of Suno through sunoapi.org: two songs a task. An empty account is told with code 429, too many requests with 430.",
      unconfirmed,
      examples,
    },
    codes: { "405": "rate_limit", "429": "quota", "430": "rate_limit" },
    hears: unsigned,
  }),
);

/** Songs of kie.ai, which speaks the same wire with codes of its own. */
export const kie = createJob(
  specOf({
    type: "kie",
    baseUrl: "https://api.kie.ai",
    about: {
      title: "kie.ai (Suno)",
      summary:
        "Songs and lyrics of Suno through kie.ai: two songs a task. Its settings have a key for signing messages: give it as webhook_secret.",
      unconfirmed,
      examples,
    },
    codes: { "402": "quota", "409": "invalid", "422": "invalid", "429": "rate_limit", "430": "rate_limit", "451": "invalid" },
    hears: kieSigned,
  }),
);
