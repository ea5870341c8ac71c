import type { TranscriptionResult } from "../job.ts";

/** A stretch of a window between two timestamps, in seconds from the start of the window. */
export type Span = { start: number; end: number; tokens: number[] };

const secondsPerTick = 0.02;

/**
 * Cuts a window's tokens at their timestamps. `advanceSeconds` says how far the next window begins:
 * words that were not closed by a timestamp are left for it, unless nothing else was heard.
 */
export function cutSpans(
  tokens: readonly number[],
  firstTimestamp: number,
  windowSeconds: number,
): { spans: Span[]; advanceSeconds: number } {
  const spans: Span[] = [];
  let open: Span | null = null;
  let words = 0;
  for (const token of tokens) {
    if (token < firstTimestamp) {
      open ??= { start: spans.at(-1)?.end ?? 0, end: windowSeconds, tokens: [] };
      open.tokens.push(token);
      words += 1;
      continue;
    }
    const seconds = Math.min(windowSeconds, (token - firstTimestamp) * secondsPerTick);
    if (open === null || words === 0) open = { start: seconds, end: windowSeconds, tokens: [token] };
    else {
      spans.push({ ...open, end: Math.max(open.start, seconds), tokens: [...open.tokens, token] });
      open = null;
      words = 0;
    }
  }
  const lastIsTime = (tokens.at(-1) ?? 0) >= firstTimestamp;
  const lastWordsClosed = lastIsTime && (tokens.at(-2) ?? firstTimestamp) < firstTimestamp;
  const heardUntil = spans.at(-1)?.end ?? 0;
  if (lastWordsClosed || heardUntil === 0) {
    return { spans: open !== null && words > 0 ? [...spans, open] : spans, advanceSeconds: windowSeconds };
  }
  return { spans, advanceSeconds: heardUntil };
}

type Word = TranscriptionResult["words"][number];

/** Times of words, estimated: a segment's time is spread over its words in proportion to their characters. */
export function spreadWords(segments: TranscriptionResult["segments"]): Word[] {
  return segments.flatMap(({ start, end, text }) => {
    const words = text.split(/\s+/).filter((word) => word !== "");
    const total = words.reduce((sum, word) => sum + word.length, 0);
    let passed = 0;
    return words.map((word) => {
      const from = start + ((end - start) * passed) / total;
      passed += word.length;
      return { word, start: toHundredths(from), end: toHundredths(start + ((end - start) * passed) / total) };
    });
  });
}

export function toHundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
