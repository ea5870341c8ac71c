import type { BeatName } from "./beats.ts";
import type { Mode } from "./harmony.ts";
import type { GenreName } from "./tag-words.ts";

export type BassLine = "held" | "roots" | "eighths" | "octaves" | "walking" | "twobeat" | "syncopated" | "sub";
export type Comping = "held" | "beats" | "arpeggio" | "strum" | "offbeats" | "charleston" | "power" | "broken";

/** Chords of some bars, as steps of the scale from 0. */
export type Turns = readonly [number[], ...number[][]];

/** How a genre is played. */
export type Genre = {
  bpm: [number, number];
  modes: [Mode, ...Mode[]];
  /** How late the second half of a beat comes: 0 straight, 1/3 full triplet. */
  swing: number;
  beat: BeatName | null;
  bassLine: BassLine;
  comping: Comping;
  /** Four-note chords. */
  sevenths: boolean;
  /** Notes of the melody per bar, about. */
  density: number;
  verses: Turns;
  choruses: Turns;
};

const popTurns: Turns = [
  [0, 4, 5, 3],
  [5, 3, 0, 4],
  [0, 5, 3, 4],
  [3, 4, 0, 5],
];
const darkTurns: Turns = [
  [0, 5, 2, 6],
  [0, 3, 5, 6],
  [0, 6, 5, 6],
  [0, 5, 3, 4],
];
const softTurns: Turns = [
  [0, 3, 5, 4],
  [0, 2, 3, 4],
  [0, 4, 3, 3],
  [5, 4, 3, 0],
];
const jazzTurns: Turns = [
  [1, 4, 0, 5],
  [0, 5, 1, 4],
  [2, 5, 1, 4],
  [3, 2, 1, 4],
];
const bluesTurns: Turns = [[0, 3, 0, 0, 3, 3, 0, 0, 4, 3, 0, 4]];
const classicalChoruses: Turns = [
  [0, 3, 4, 0],
  [5, 1, 4, 0],
  [0, 5, 1, 4],
];
const technoVerses: Turns = [
  [0, 0, 0, 0],
  [0, 0, 5, 6],
];
const technoChoruses: Turns = [
  [0, 0, 5, 6],
  [0, 5, 0, 6],
];
const metalVerses: Turns = [
  [0, 0, 1, 0],
  [0, 5, 0, 6],
  [0, 0, 3, 4],
];
const hiphopVerses: Turns = [
  [0, 0, 5, 4],
  [0, 5, 0, 5],
  [0, 3, 5, 4],
];
const countryVerses: Turns = [
  [0, 3, 0, 4],
  [0, 0, 3, 4],
  [0, 4, 3, 0],
];
const countryChoruses: Turns = [
  [3, 0, 4, 0],
  [0, 3, 4, 0],
];
const reggaeVerses: Turns = [
  [0, 3, 0, 4],
  [0, 5, 3, 4],
];
const funkVerses: Turns = [
  [0, 0, 3, 3],
  [0, 3, 0, 4],
  [1, 4, 0, 0],
];
const funkChoruses: Turns = [
  [3, 4, 0, 0],
  [0, 5, 1, 4],
];

export const genreTable: Record<GenreName, Genre> = {
  pop: {
    bpm: [100, 122],
    modes: ["major", "major", "minor"],
    swing: 0,
    beat: "pop",
    bassLine: "eighths",
    comping: "beats",
    sevenths: false,
    density: 6,
    verses: popTurns,
    choruses: popTurns,
  },
  rock: {
    bpm: [112, 142],
    modes: ["minor", "mixolydian", "major"],
    swing: 0,
    beat: "rock",
    bassLine: "eighths",
    comping: "power",
    sevenths: false,
    density: 6,
    verses: darkTurns,
    choruses: popTurns,
  },
  jazz: {
    bpm: [104, 148],
    modes: ["major", "dorian"],
    swing: 0.3,
    beat: "jazz",
    bassLine: "walking",
    comping: "charleston",
    sevenths: true,
    density: 7,
    verses: jazzTurns,
    choruses: jazzTurns,
  },
  lofi: {
    bpm: [70, 86],
    modes: ["dorian", "major", "minor"],
    swing: 0.2,
    beat: "lofi",
    bassLine: "roots",
    comping: "held",
    sevenths: true,
    density: 4,
    verses: jazzTurns,
    choruses: jazzTurns,
  },
  ambient: {
    bpm: [60, 74],
    modes: ["major", "dorian"],
    swing: 0,
    beat: null,
    bassLine: "held",
    comping: "arpeggio",
    sevenths: true,
    density: 2.5,
    verses: softTurns,
    choruses: softTurns,
  },
  classical: {
    bpm: [84, 126],
    modes: ["major", "harmonic"],
    swing: 0,
    beat: null,
    bassLine: "roots",
    comping: "broken",
    sevenths: false,
    density: 7,
    verses: softTurns,
    choruses: classicalChoruses,
  },
  electronic: {
    bpm: [120, 130],
    modes: ["minor", "minor", "major"],
    swing: 0,
    beat: "house",
    bassLine: "syncopated",
    comping: "offbeats",
    sevenths: false,
    density: 7,
    verses: darkTurns,
    choruses: popTurns,
  },
  techno: {
    bpm: [126, 138],
    modes: ["phrygian", "minor"],
    swing: 0,
    beat: "techno",
    bassLine: "octaves",
    comping: "offbeats",
    sevenths: false,
    density: 8,
    verses: technoVerses,
    choruses: technoChoruses,
  },
  folk: {
    bpm: [88, 116],
    modes: ["major", "mixolydian", "dorian"],
    swing: 0.05,
    beat: "folk",
    bassLine: "twobeat",
    comping: "strum",
    sevenths: false,
    density: 5,
    verses: softTurns,
    choruses: popTurns,
  },
  metal: {
    bpm: [150, 184],
    modes: ["phrygian", "minor", "harmonic"],
    swing: 0,
    beat: "metal",
    bassLine: "eighths",
    comping: "power",
    sevenths: false,
    density: 8,
    verses: metalVerses,
    choruses: darkTurns,
  },
  hiphop: {
    bpm: [78, 96],
    modes: ["minor", "dorian"],
    swing: 0.12,
    beat: "hiphop",
    bassLine: "sub",
    comping: "arpeggio",
    sevenths: true,
    density: 5,
    verses: hiphopVerses,
    choruses: darkTurns,
  },
  blues: {
    bpm: [76, 108],
    modes: ["blues"],
    swing: 0.33,
    beat: "shuffle",
    bassLine: "walking",
    comping: "strum",
    sevenths: true,
    density: 6,
    verses: bluesTurns,
    choruses: bluesTurns,
  },
  country: {
    bpm: [96, 132],
    modes: ["major", "mixolydian"],
    swing: 0.08,
    beat: "country",
    bassLine: "twobeat",
    comping: "strum",
    sevenths: false,
    density: 6,
    verses: countryVerses,
    choruses: countryChoruses,
  },
  cinematic: {
    bpm: [78, 108],
    modes: ["minor", "harmonic", "dorian"],
    swing: 0,
    beat: "cinematic",
    bassLine: "held",
    comping: "broken",
    sevenths: false,
    density: 4,
    verses: darkTurns,
    choruses: darkTurns,
  },
  reggae: {
    bpm: [74, 92],
    modes: ["major", "minor", "mixolydian"],
    swing: 0.08,
    beat: "reggae",
    bassLine: "syncopated",
    comping: "offbeats",
    sevenths: false,
    density: 5,
    verses: reggaeVerses,
    choruses: popTurns,
  },
  funk: {
    bpm: [98, 114],
    modes: ["dorian", "mixolydian"],
    swing: 0.1,
    beat: "funk",
    bassLine: "syncopated",
    comping: "offbeats",
    sevenths: true,
    density: 7,
    verses: funkVerses,
    choruses: funkChoruses,
  },
};
