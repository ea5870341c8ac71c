import type { LetterModel } from "./letter-model.ts";

/** The sounds of a sentence with the stress of each: 0 none, 1 unstressed vowel, 2 main stress, 3 second stress. */
export type Sounds = { phones: string[]; tones: number[] };
export type Dictionary = ReadonlyMap<string, readonly string[]>;

/** A word is guessed in pieces of this many letters: nothing that long is a word. */
const longestGuess = 28;

/** Turns a sentence into sounds: from the dictionary where a word is in it, else letter by letter or guessed. */
export function pronounce(sentence: string, dictionary: Dictionary, guess: LetterModel): Sounds {
  const sounds: Sounds = { phones: ["_"], tones: [0] };
  const shouting = !/[a-z]/.test(sentence) && /[A-Z]{2,}\W+[A-Z]{2,}/.test(sentence);
  for (const part of sentence.match(/[A-Za-z]+(?:['-][A-Za-z]+)*|[,.!?…]/g) ?? []) {
    if (!/[A-Za-z]/.test(part)) add(sounds, [part]);
    else for (const spoken of sayWord(shouting ? part.toLowerCase() : part, dictionary, guess)) add(sounds, spoken);
  }
  add(sounds, ["_"]);
  return sounds;
}

function sayWord(word: string, dictionary: Dictionary, guess: LetterModel): (readonly string[])[] {
  const known = dictionary.get(word.toUpperCase());
  const initials = /^[A-Z]{2,}s?$/.test(word) && (word.length <= 3 || known === undefined);
  if (initials) return spell(word, dictionary);
  if (known !== undefined) return [known];
  if (/['-]/.test(word)) return word.split(/['-]/).flatMap((part) => sayWord(part, dictionary, guess));
  const letters = word.toLowerCase();
  if (!/[aeiouy]/.test(letters)) return spell(letters.slice(0, longestGuess), dictionary);
  return (letters.match(new RegExp(`.{1,${longestGuess}}`, "g")) ?? []).map((piece) => guess.pronounce(piece));
}

function spell(letters: string, dictionary: Dictionary): (readonly string[])[] {
  const plural = /^[A-Z]{2,}s$/.test(letters);
  const names = Array.from(letters.slice(0, plural ? -1 : undefined).toUpperCase(), (letter) => letterName(letter, dictionary));
  return plural ? [...names, ["Z"]] : names;
}

/** The dictionary has the letter A only as the article. */
function letterName(letter: string, dictionary: Dictionary): readonly string[] {
  return letter === "A" ? ["EY1"] : (dictionary.get(letter) ?? []);
}

function add(sounds: Sounds, spoken: readonly string[]): void {
  for (const sound of spoken) {
    const stress = /\d$/.exec(sound)?.[0];
    const name = sound.replace(/\d$/, "").toLowerCase();
    // The voice knows "v" as a vowel of another language.
    sounds.phones.push(name === "v" ? "V" : name);
    sounds.tones.push(stress === undefined ? 0 : Number(stress) + 1);
  }
}
