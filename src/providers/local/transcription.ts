import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Answer, Call, JsonObject } from "../../core/call.ts";
import { invalid, notSupported, textIn } from "../../dialects/request-fields.ts";
import { sseText } from "../../dialects/sse-events.ts";
import type { TranscriptionJob, TranscriptionResult } from "../../engines/job.ts";
import { numberWithin, oneOf } from "./fields.ts";
import { languageName } from "./language.ts";
import { srtOf, vttOf } from "./subtitles.ts";
import { eventStream, inFolder, piecesOf, wholeJson, type LocalAnswer } from "./workshop.ts";

const formats = ["json", "text", "srt", "vtt", "verbose_json"] as const;
type Format = (typeof formats)[number];
type Wish = Omit<TranscriptionJob, "engine" | "outDir" | "path">;

/** Writes down what is said, as it is or in English. */
export const answerTranscription: LocalAnswer = async (workshop, call, { signal }) => {
  const file = call.files.find(({ field }) => field === "file") ?? call.files[0];
  if (file === undefined) throw invalid("file", "'file' is required: an audio file.");
  const format = formatIn(call);
  const wish = readWish(call);
  const result = await inFolder(workshop, async (outDir) => {
    const path = join(outDir, "source-audio");
    await writeFile(path, file.bytes);
    return workshop.engines.run({ engine: "transcription", outDir, path, ...wish }, { signal });
  });
  return call.stream && format === "json" ? answerEvents(result) : answerAs(format, result, wish);
};

function formatIn({ body }: Call): Format {
  if (body.response_format === "diarized_json") throw notSupported("response_format", "The built-in model cannot tell speakers apart.");
  return oneOf(body, "response_format", formats, "json");
}

function readWish({ operation, body }: Call): Wish {
  const language = textIn(body, "language")?.trim() ?? "";
  const prompt = textIn(body, "prompt") ?? "";
  return {
    ...(language !== "" && { language }),
    ...(prompt !== "" && { prompt }),
    temperature: numberWithin(body, "temperature", [0, 1], 0),
    words: granularitiesIn(body).includes("word"),
    translate: operation === "translation",
  };
}

/** A form names a list with brackets behind its name, and may have one value or several. */
function granularitiesIn(body: JsonObject): unknown[] {
  return [body["timestamp_granularities[]"], body.timestamp_granularities].flat();
}

function answerAs(format: Format, result: TranscriptionResult, wish: Wish): Answer {
  const { text, segments } = result;
  const usage = useOf(result);
  switch (format) {
    case "json":
      return wholeJson({ text, usage });
    case "verbose_json":
      return wholeJson({ ...describe(result, wish), usage });
    case "text":
      return plain("text/plain; charset=utf-8", `${text}\n`, usage);
    case "srt":
      return plain("application/x-subrip", srtOf(segments), usage);
    case "vtt":
      return plain("text/vtt", vttOf(segments), usage);
  }
}

/** The text has no place for its use, which is told beside it. */
function plain(mime: string, text: string, usage: JsonObject): Answer {
  return { state: "whole", mime, body: Buffer.from(text), value: { usage } };
}

function answerEvents(result: TranscriptionResult): Answer {
  const { text, segments } = result;
  const deltas = segments.map(({ text: delta }, at) => ({ type: "transcript.text.delta", delta: at === 0 ? delta.trimStart() : delta }));
  const events = [...deltas, { type: "transcript.text.done", text, usage: useOf(result) }];
  return { state: "stream", mime: eventStream, pieces: piecesOf(events.map((event) => sseText(event))) };
}

function useOf({ durationSeconds }: TranscriptionResult): JsonObject {
  return { type: "duration", seconds: durationSeconds };
}

function describe({ language, durationSeconds, text, segments, words }: TranscriptionResult, wish: Wish): JsonObject {
  return {
    task: wish.translate ? "translate" : "transcribe",
    language: wish.translate ? "english" : languageName(language),
    duration: durationSeconds,
    text,
    segments: segments.map((segment, id) => ({
      id,
      // In hundredths of a second.
      seek: Math.round(segment.start * 100),
      start: segment.start,
      end: segment.end,
      text: segment.text,
      tokens: segment.tokens,
      temperature: wish.temperature,
      avg_logprob: segment.averageLogprob,
      compression_ratio: segment.compressionRatio,
      no_speech_prob: segment.noSpeechProbability,
    })),
    ...(wish.words && { words }),
  };
}
