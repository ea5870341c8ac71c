import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeAudio } from "../audio/decoded-audio.ts";
import { EngineError } from "../engine-error.ts";
import type { Report, TranscriptionJob, TranscriptionResult } from "../job.ts";
import { detectLanguage, dictate, isLoop, isSilence, type DictationPlan } from "./dictation.ts";
import { listenRate, melSpectrogram, windowSeconds } from "./mel.ts";
import { openRecogniser, type Listening, type Recogniser } from "./recogniser.ts";
import { cutSpans, spreadWords, toHundredths } from "./segments.ts";

type Segment = TranscriptionResult["segments"][number];

/** What is left at the end and shorter than this holds no word. */
const shortestSeconds = 0.2;
/** Below this nothing is heard, and the recogniser would dream. */
const silentLevel = 0.002;
const mostPromptTokens = 223;
const defaultLanguage = "en";

/** Writes down what is said in a recording, window by window. */
export async function transcribe(job: TranscriptionJob, report: Report): Promise<TranscriptionResult> {
  const samples = await decodeAudio(job.path, listenRate);
  report(5);
  const recogniser = await warmRecogniser();
  const durationSeconds = samples.length / listenRate;
  const segments: Segment[] = [];
  let language = readLanguage(job, recogniser);
  let at = 0;
  while (durationSeconds - at >= shortestSeconds) {
    const window = samples.subarray(Math.round(at * listenRate), Math.round((at + windowSeconds) * listenRate));
    const seconds = window.length / listenRate;
    if (!window.some((sample) => Math.abs(sample) > silentLevel)) at += seconds;
    else {
      const heard = await recogniser.listen(melSpectrogram(window));
      language ??= await detectLanguage(heard, recogniser.vocabulary);
      const written = await writeWindow(heard, planDictation(job, language, recogniser), recogniser, at, seconds);
      segments.push(...written.segments);
      at += Math.max(shortestSeconds, written.advanceSeconds);
    }
    report(5 + (94 * Math.min(at, durationSeconds)) / durationSeconds);
    await nextTurn();
  }
  return {
    engine: "transcription",
    language: language ?? defaultLanguage,
    durationSeconds: toHundredths(durationSeconds),
    text: segments
      .map((segment) => segment.text)
      .join("")
      .trim(),
    segments,
    words: job.words ? spreadWords(segments) : [],
  };
}

let opened: Promise<Recogniser> | null = null;

/** The recogniser is read once and kept for the next job, unless reading failed. */
function warmRecogniser(): Promise<Recogniser> {
  opened ??= openRecogniser().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

function readLanguage(job: TranscriptionJob, { vocabulary }: Recogniser): string | undefined {
  if (job.language === undefined) return undefined;
  const code = job.language.toLowerCase().split(/[-_]/)[0] ?? "";
  if (!vocabulary.languages.has(code)) throw new EngineError("invalid", `The language '${job.language}' is not one the recogniser knows.`);
  return code;
}

function planDictation(job: TranscriptionJob, language: string, { vocabulary }: Recogniser): DictationPlan {
  const prompt = job.prompt?.trim() ?? "";
  return {
    language: vocabulary.languages.get(language) ?? vocabulary.startOfTranscript + 1,
    task: job.translate ? vocabulary.translate : vocabulary.transcribe,
    prompt: prompt === "" ? [] : vocabulary.encode(` ${prompt}`).slice(-mostPromptTokens),
    temperature: job.temperature,
  };
}

type Written = { segments: Segment[]; advanceSeconds: number };

async function writeWindow(
  heard: Listening,
  plan: DictationPlan,
  { vocabulary }: Recogniser,
  at: number,
  seconds: number,
): Promise<Written> {
  const transcript = await dictate(heard, plan, vocabulary);
  if (isSilence(transcript)) return { segments: [], advanceSeconds: seconds };
  const { tokens, ...measures } = transcript;
  const { spans, advanceSeconds } = cutSpans(tokens, vocabulary.firstTimestamp, seconds);
  const segments = spans.map((span): Segment => ({
    start: toHundredths(at + span.start),
    end: toHundredths(at + span.end),
    text: vocabulary.decode(span.tokens),
    tokens: span.tokens,
    ...measures,
  }));
  const repeats = (text: string, index: number): boolean => isLoop(transcript) && text === segments[index - 1]?.text;
  return { segments: segments.filter(({ text }, index) => text.trim() !== "" && !repeats(text, index)), advanceSeconds };
}
