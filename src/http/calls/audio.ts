import { Type } from "typebox";
import type { CallOperation } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import { speechMeter, transcriptionMeter } from "../../dialects/meters/plain-meters.ts";
import { answerOrDefer } from "./deferred.ts";
import { formAsked } from "./form-call.ts";
import { jsonAsked } from "./json-call.ts";
import { mebibyte, operation, type Ask } from "../operation.ts";
import type { Services } from "../services.ts";
import { foreignReply, maybe, modelName, passing } from "./text-fields.ts";
import { nullable } from "../wire.ts";

const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;

export const SpeechRequest = Type.Object(
  {
    input: Type.String({ minLength: 1, maxLength: 4096, description: "what to say" }),
    model: Type.Optional(nullable(modelName)),
    voice: Type.Optional(nullable(Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Object({ id: Type.String() })]))),
    response_format: Type.Optional(nullable(Type.Enum(speechFormats, { description: speechFormats.join(", ") }))),
    speed: Type.Optional(nullable(Type.Number({ minimum: 0.25, maximum: 4 }))),
    instructions: maybe.text,
    stream_format: Type.Optional(nullable(Type.Union([Type.Literal("audio"), Type.Literal("sse")]))),
    async: maybe.deferred,
  },
  { ...passing, description: "Something to say." },
);

const group = { method: "POST", tag: "audio", errors: "plain", auth: "client", scope: "audio", passesUnknown: true, isCall: true } as const;

const createSpeech = operation({
  ...group,
  url: "/v1/audio/speech",
  summary: "Say something",
  body: SpeechRequest,
  bodyLimit: mebibyte,
  run: (ask, services) => answerOrDefer({ ...ask, asked: jsonAsked("speech", ask, "tts-1"), meter: speechMeter }, services),
});

const heard = /^(audio\/|video\/(mp4|webm|quicktime|x-matroska)|application\/ogg)/;
const textFormats = new Set(["json", "text", "srt", "verbose_json", "vtt", "diarized_json"]);

const TranscriptionFields = Type.Object(
  {
    file: Type.Optional(Type.Unknown({ description: "a flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm file" })),
    model: maybe.text,
    language: maybe.text,
    prompt: maybe.text,
    response_format: Type.Optional(nullable(Type.Enum([...textFormats]))),
    temperature: Type.Optional(Type.Unknown()),
    async: Type.Optional(Type.Unknown({ description: "true: answer a task at once, whose result becomes the reply" })),
  },
  passing,
);

async function transcribe(name: CallOperation, ask: Ask<unknown, unknown, unknown>, services: Services): Promise<unknown> {
  const asked = await formAsked(name, ask, "whisper-1");
  const [file] = asked.files;
  if (file === undefined || file.field !== "file")
    throw new Failure("invalid_request", { says: "'file' is required: an audio file.", param: "file" });
  if (!heard.test(file.mime) || file.bytes.byteLength === 0)
    throw new Failure("invalid_request", {
      says: "'file' must be a flac, mp3, mp4, mpeg, mpga, m4a, ogg, wav or webm file.",
      param: "file",
    });
  const { response_format: format } = asked.body;
  if (format !== undefined && !(typeof format === "string" && textFormats.has(format)))
    throw new Failure("invalid_request", {
      says: `'response_format' must be one of ${[...textFormats].join(", ")}.`,
      param: "response_format",
    });
  return answerOrDefer({ ...ask, asked, meter: transcriptionMeter }, services);
}

const transcription = {
  ...group,
  body: TranscriptionFields,
  multipart: "only",
  bodyLimit: 32 * mebibyte,
  reply: foreignReply("OpenAI's transcription; text, srt and vtt are plain text"),
} as const;

const createTranscription = operation({
  ...transcription,
  url: "/v1/audio/transcriptions",
  summary: "Write down what is said",
  run: (ask, services) => transcribe("transcription", ask, services),
});

const createTranslation = operation({
  ...transcription,
  url: "/v1/audio/translations",
  summary: "Write down in English what is said",
  run: (ask, services) => transcribe("translation", ask, services),
});

export const audioOperations = [createSpeech, createTranscription, createTranslation];
