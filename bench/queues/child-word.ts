/** What a process of the comparison says to the one that started it. */
export type Word = { says: string; id?: string };
export type Say = (word: Word) => void;
