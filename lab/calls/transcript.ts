import { encode } from "./tokens.ts";

type Heard = { operation: "transcription" | "translation"; seconds: number };

/** A transcript with its one segment and every word's time. */
export function verboseOf({ operation, seconds }: Heard, text: string) {
  const words = text.split(" ");
  const step = seconds / Math.max(words.length, 1);
  return {
    task: operation === "translation" ? "translate" : "transcribe",
    language: "english",
    duration: seconds,
    text,
    words: words.map((word, index) => ({ word, start: index * step, end: (index + 1) * step })),
    segments: [
      {
        id: 0,
        seek: 0,
        start: 0,
        end: seconds,
        text,
        tokens: encode(text),
        temperature: 0,
        avg_logprob: -0.2,
        compression_ratio: 1,
        no_speech_prob: 0.01,
      },
    ],
  };
}

/** The transcript as one caption of SRT or WebVTT. */
export function captionsOf(format: string, seconds: number, text: string): string {
  const comma = format === "srt" ? "," : ".";
  const line = `${stamp(0, comma)} --> ${stamp(seconds, comma)}\n${text}\n\n`;
  return format === "srt" ? `1\n${line}` : `WEBVTT\n\n${line}`;
}

function stamp(seconds: number, comma: string): string {
  return new Date(Math.round(seconds * 1_000)).toISOString().slice(11, 23).replace(".", comma);
}
