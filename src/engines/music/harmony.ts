/** Scales, chords and how one chord moves to the next. */

export const scales = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  harmonic: [0, 2, 3, 5, 7, 8, 11],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  phrygian: [0, 1, 3, 5, 7, 8, 10],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
  blues: [0, 2, 4, 5, 7, 9, 10],
} as const;
export type Mode = keyof typeof scales;

/** The five safe notes of a mode, for melodies that sit well on any of its chords. */
export function melodyScale(mode: Mode): readonly number[] {
  if (mode === "blues") return [0, 3, 5, 6, 7, 10];
  if (mode === "phrygian" || mode === "harmonic") return scales[mode];
  return (scales[mode][2] ?? 4) === 4 ? [0, 2, 4, 7, 9] : [0, 3, 5, 7, 10];
}

/** Pitch classes above the key note: the root first. */
export type Chord = readonly number[];

export function chordOn(step: number, mode: Mode, sevenths: boolean): Chord {
  const scale = scales[mode];
  const note = (index: number): number => (scale[index % 7] ?? 0) + 12 * Math.floor(index / 7);
  const root = note(step);
  if (mode === "blues") return [root, root + 4, root + 7, root + 10];
  const count = sevenths ? 4 : 3;
  const tones = Array.from({ length: count }, (_, index) => note(step + index * 2));
  // The raised seventh belongs to the dominant only; elsewhere it would sound like a mistake.
  if (mode === "harmonic" && step !== 4 && step !== 6) return tones.map((tone) => (tone % 12 === 11 ? tone - 1 : tone));
  return tones;
}

/** The chord as keys to press: the arrangement of its notes that lies nearest to where the hand was. */
export function voice(chord: Chord, key: number, around: number): number[] {
  return chord.map((tone) => nearest(key + tone, around)).toSorted((a, b) => a - b);
}

/** The same note in the octave that is nearest to a pitch. */
export function nearest(pitch: number, around: number): number {
  return pitch + 12 * Math.round((around - pitch) / 12);
}
