import type { GenreName } from "./tag-words.ts";

/** Who plays in a genre, by numbers of General MIDI programs; where several could, chance decides. */
export type Lineup = {
  chords: readonly [number, ...number[]];
  pad: number | null;
  bass: number;
  leads: readonly [number, ...number[]];
  counter: number | null;
  /** The drum kit. */
  kit: number;
  /** How much room is around them, 0 to 127. */
  reverb: number;
};

export const lineups: Record<GenreName, Lineup> = {
  pop: { chords: [0, 4, 27], pad: 89, bass: 33, leads: [80, 73, 53, 11], counter: 48, kit: 0, reverb: 45 },
  rock: { chords: [29, 30], pad: 16, bass: 34, leads: [29, 27, 81], counter: null, kit: 16, reverb: 35 },
  jazz: { chords: [0, 26], pad: null, bass: 32, leads: [66, 56, 11, 65], counter: null, kit: 32, reverb: 40 },
  lofi: { chords: [4, 5], pad: 89, bass: 35, leads: [11, 26, 4], counter: 12, kit: 25, reverb: 55 },
  ambient: { chords: [88, 46, 11], pad: 95, bass: 89, leads: [91, 73, 98], counter: 49, kit: 0, reverb: 110 },
  classical: { chords: [0, 6, 46], pad: 48, bass: 43, leads: [40, 68, 73, 71], counter: 42, kit: 48, reverb: 75 },
  electronic: { chords: [90, 81], pad: 89, bass: 38, leads: [81, 80, 87], counter: 88, kit: 24, reverb: 50 },
  techno: { chords: [90, 62], pad: 95, bass: 39, leads: [80, 81], counter: null, kit: 25, reverb: 45 },
  folk: { chords: [25, 24], pad: null, bass: 32, leads: [40, 73, 22, 53], counter: 48, kit: 0, reverb: 45 },
  metal: { chords: [30], pad: 52, bass: 34, leads: [30, 29], counter: null, kit: 16, reverb: 30 },
  hiphop: { chords: [4, 0, 45], pad: 49, bass: 38, leads: [73, 11, 80], counter: 48, kit: 25, reverb: 35 },
  blues: { chords: [26, 16, 0], pad: 16, bass: 33, leads: [27, 22, 66], counter: null, kit: 0, reverb: 35 },
  country: { chords: [25, 105], pad: null, bass: 33, leads: [110, 27, 22], counter: 105, kit: 0, reverb: 35 },
  cinematic: { chords: [48, 45], pad: 52, bass: 43, leads: [60, 40, 61], counter: 42, kit: 48, reverb: 90 },
  reggae: { chords: [27, 16], pad: 16, bass: 33, leads: [61, 66, 22], counter: null, kit: 0, reverb: 50 },
  funk: { chords: [28, 4, 16], pad: 61, bass: 36, leads: [65, 56, 61], counter: 61, kit: 8, reverb: 30 },
};
