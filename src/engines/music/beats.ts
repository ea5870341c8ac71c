/** Drum patterns of one bar in sixteenths: X loud, x usual, o soft. */
export type Beat = { lines: { drum: number; steps: string; from?: number }[]; crash: number };

export const drum = {
  kick: 36,
  rim: 37,
  snare: 38,
  clap: 39,
  lowTom: 43,
  closedHat: 42,
  midTom: 47,
  openHat: 46,
  highTom: 50,
  crash: 49,
  ride: 51,
  tambourine: 54,
  shaker: 70,
  deepTom: 41,
};

export type BeatName =
  | "pop"
  | "rock"
  | "jazz"
  | "lofi"
  | "house"
  | "techno"
  | "folk"
  | "metal"
  | "hiphop"
  | "shuffle"
  | "country"
  | "cinematic"
  | "reggae"
  | "funk";

/** `from` is the intensity at which a line joins in: a verse plays fewer of them than a chorus. */
export const beats: Record<BeatName, Beat> = {
  pop: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X.....x.X.......", from: 0.45 },
      { drum: drum.snare, steps: "....X.......X...", from: 0.5 },
      { drum: drum.closedHat, steps: "x.o.x.o.x.o.x.o." },
      { drum: drum.tambourine, steps: "....x.......x...", from: 0.85 },
    ],
  },
  rock: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X.....x.X.x.....", from: 0.4 },
      { drum: drum.snare, steps: "....X.......X...", from: 0.4 },
      { drum: drum.closedHat, steps: "X.x.X.x.X.x.X.x." },
      { drum: drum.openHat, steps: "..............x.", from: 0.85 },
    ],
  },
  jazz: {
    crash: drum.ride,
    lines: [
      { drum: drum.ride, steps: "x...x.o.x...x.o." },
      { drum: drum.closedHat, steps: "....x.......x..." },
      { drum: drum.kick, steps: "o.......o.......", from: 0.5 },
      { drum: drum.snare, steps: "......o.......o.", from: 0.6 },
    ],
  },
  lofi: {
    crash: drum.ride,
    lines: [
      { drum: drum.kick, steps: "X......x..x.....", from: 0.4 },
      { drum: drum.snare, steps: "....x.......x...", from: 0.4 },
      { drum: drum.closedHat, steps: "o.x.o.x.o.x.o.xo" },
    ],
  },
  house: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X...X...X...X...", from: 0.4 },
      { drum: drum.clap, steps: "....X.......X...", from: 0.55 },
      { drum: drum.openHat, steps: "..x...x...x...x." },
      { drum: drum.closedHat, steps: "o.oxo.oxo.oxo.ox", from: 0.7 },
    ],
  },
  techno: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X...X...X...X...", from: 0.3 },
      { drum: drum.closedHat, steps: "..x...x...x...x." },
      { drum: drum.shaker, steps: "oxoxoxoxoxoxoxox", from: 0.6 },
      { drum: drum.clap, steps: "....x.......x..x", from: 0.7 },
    ],
  },
  folk: {
    crash: drum.tambourine,
    lines: [
      { drum: drum.shaker, steps: "x.o.x.o.x.o.x.o." },
      { drum: drum.kick, steps: "x.......x.......", from: 0.55 },
      { drum: drum.tambourine, steps: "....x.......x...", from: 0.7 },
    ],
  },
  metal: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "XxxxXxxxXxxxXxxx", from: 0.55 },
      { drum: drum.snare, steps: "....X.......X...", from: 0.4 },
      { drum: drum.ride, steps: "X...X...X...X...", from: 0.8 },
      { drum: drum.closedHat, steps: "x.x.x.x.x.x.x.x." },
    ],
  },
  hiphop: {
    crash: drum.openHat,
    lines: [
      { drum: drum.kick, steps: "X..x..x...x.....", from: 0.4 },
      { drum: drum.snare, steps: "....X.......X...", from: 0.4 },
      { drum: drum.closedHat, steps: "x.x.x.xxx.x.xoxo" },
      { drum: drum.clap, steps: "....x.......x...", from: 0.8 },
    ],
  },
  shuffle: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X.......X.......", from: 0.4 },
      { drum: drum.snare, steps: "....X.......X...", from: 0.4 },
      { drum: drum.ride, steps: "x.o.x.o.x.o.x.o." },
    ],
  },
  country: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X.......X.......", from: 0.4 },
      { drum: drum.snare, steps: "o.o.X.o.o.o.X.oo", from: 0.5 },
      { drum: drum.closedHat, steps: "x.x.x.x.x.x.x.x." },
    ],
  },
  cinematic: {
    crash: drum.crash,
    lines: [
      { drum: drum.deepTom, steps: "X.....x.X..x....", from: 0.5 },
      { drum: drum.lowTom, steps: "....x.......x.xx", from: 0.7 },
      { drum: drum.kick, steps: "X...............", from: 0.4 },
    ],
  },
  reggae: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "........X.......", from: 0.4 },
      { drum: drum.rim, steps: "........X.......", from: 0.4 },
      { drum: drum.closedHat, steps: "x.x.x.x.x.x.x.xo" },
    ],
  },
  funk: {
    crash: drum.crash,
    lines: [
      { drum: drum.kick, steps: "X.x...x...X..x..", from: 0.4 },
      { drum: drum.snare, steps: "....X..o.o..X..o", from: 0.4 },
      { drum: drum.closedHat, steps: "xoxoxoxoxoxoxoxo" },
    ],
  },
};
