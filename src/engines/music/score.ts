/** The voices of the band, by MIDI channel. */
export const channel = { chords: 0, bass: 1, pad: 2, lead: 3, counter: 4, drums: 9 };

/** A note: when it starts and how long it lasts are counted in quarter beats from the start of the song. */
export type Note = { channel: number; pitch: number; velocity: number; start: number; length: number };

export const beatsPerBar = 4;
