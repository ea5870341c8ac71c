/**
 * How a named voice differs from the one the model speaks with: `pitch` times as high, with `formant` times the
 * resonances (above 1 a smaller throat, below 1 a larger), and `pace` times as fast.
 */
export type Voice = { pitch: number; formant: number; pace: number };

const alloy: Voice = { pitch: 1, formant: 1, pace: 1 };

const voices: ReadonlyMap<string, Voice> = new Map([
  ["alloy", alloy],
  ["ash", { pitch: 0.9, formant: 0.96, pace: 1.04 }],
  ["ballad", { pitch: 1.08, formant: 1.03, pace: 0.9 }],
  ["cedar", { pitch: 0.82, formant: 1, pace: 0.95 }],
  ["coral", { pitch: 1.5, formant: 1.12, pace: 1.04 }],
  ["echo", { pitch: 0.94, formant: 1.05, pace: 1 }],
  ["fable", { pitch: 1.2, formant: 1.06, pace: 0.94 }],
  ["marin", { pitch: 1.4, formant: 1.15, pace: 1 }],
  ["nova", { pitch: 1.62, formant: 1.14, pace: 1.06 }],
  ["onyx", { pitch: 0.78, formant: 0.92, pace: 0.96 }],
  ["sage", { pitch: 1.36, formant: 1.08, pace: 0.97 }],
  ["shimmer", { pitch: 1.75, formant: 1.17, pace: 0.98 }],
  ["verse", { pitch: 1.12, formant: 0.97, pace: 1.06 }],
]);

export const voiceNames: readonly string[] = [...voices.keys()];

/** The voice of that name; a name that is not known gets the plain voice. */
export function findVoice(name: string): Voice {
  return voices.get(name.toLowerCase()) ?? alloy;
}
