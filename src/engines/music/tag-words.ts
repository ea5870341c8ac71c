import type { Chance } from "../chance.ts";
import { mentions, vocabulary, wordsOf } from "../words.ts";

/** The words about music that the composer understands. */

export const genres = vocabulary({
  pop: "kpop jpop indie ballad disco catchy mainstream radio 流行",
  rock: "grunge punk alternative garage band britpop rocking 摇滚",
  jazz: "bebop bossa bebop swing cafe lounge smooth bigband 爵士",
  lofi: "chill chillhop study studying relax beats downtempo cozy coffee",
  ambient: "meditation drone sleep spa atmospheric floating healing yoga newage",
  classical: "orchestra orchestral symphony baroque sonata waltz chamber opera mozart concerto 古典",
  electronic: "edm synth synthwave electro dance house trance club party dubstep dnb retrowave vaporwave disco 电子",
  techno: "rave industrial minimal acid hardstyle warehouse",
  folk: "acoustic singer-songwriter campfire celtic irish unplugged americana 民谣",
  metal: "heavy thrash hardcore doom djent deathmetal",
  hiphop: "rap trap drill boombap rapper 808 gangsta",
  blues: "bluesy delta chicago",
  country: "western bluegrass cowboy nashville honky",
  cinematic: "epic trailer film soundtrack score movie heroic adventure battle trailer game fantasy",
  reggae: "ska dub dancehall rasta jamaica island",
  funk: "funky groove groovy rnb soul motown gospel latin salsa samba",
});
export type GenreName = typeof genres extends Map<string, infer G> ? G : never;

export const moods = vocabulary({
  sad: "melancholy melancholic heartbreak sorrow lonely crying tears goodbye nostalgic nostalgia emotional blue grief loss",
  happy: "joy joyful cheerful uplifting bright fun sunny smile playful celebration birthday summer upbeat",
  dark: "sinister scary horror evil gothic haunting night mysterious tense villain shadow",
  calm: "peaceful gentle soft relaxing quiet serene dreamy lullaby soothing warm tender",
  angry: "aggressive rage intense brutal furious war",
  romantic: "love romance wedding tender passion valentine kiss",
  energetic: "energy power powerful workout running driving motivational exciting hype",
  slow: "slowly ballad downtempo largo adagio",
  fast: "quick speed uptempo rapid presto racing",
});
export type Mood = typeof moods extends Map<string, infer M> ? M : never;

export const instruments = vocabulary({
  piano: "keys keyboard pianist",
  electricpiano: "rhodes wurlitzer",
  organ: "hammond church",
  guitar: "acousticguitar strumming",
  electricguitar: "distortion riff shredding",
  violin: "fiddle viola",
  cello: "contrabass",
  strings: "orchestra orchestral symphonic",
  flute: "whistle panflute recorder",
  saxophone: "sax",
  trumpet: "brass horn trombone",
  clarinet: "oboe woodwind",
  harp: "lyre",
  choir: "vocal vocals voices chant female male singer",
  synth: "synthesizer analog arpeggio",
  bells: "glockenspiel musicbox celesta xylophone marimba vibraphone",
  banjo: "mandolin ukulele",
  harmonica: "accordion",
  sitar: "koto oriental",
});
export type Instrument = typeof instruments extends Map<string, infer I> ? I : never;

/** The words of a description of music, with the names that are written in many ways brought to one. */
function musicWords(text: string): string[] {
  return wordsOf(
    text
      .toLowerCase()
      .replaceAll(/hip[\s-]*hop/g, "hiphop")
      .replaceAll(/lo[\s-]*fi/g, "lofi")
      .replaceAll(/r\s*(&|'n'|n)\s*b\b/g, "rnb")
      .replaceAll(/drum\s*(and|&|n)\s*bass/g, "dnb")
      .replaceAll(/boom[\s-]*bap/g, "boombap")
      .replaceAll(/\b([kj])[\s-]pop/g, "$1pop")
      .replaceAll(/synth[\s-]*wave/g, "synthwave")
      .replaceAll(/(electric|acoustic)\s+guitar/g, "$1guitar")
      .replaceAll(/electric\s+piano/g, "electricpiano")
      .replaceAll(/music\s+box/g, "musicbox")
      .replaceAll(/new[\s-]age/g, "newage"),
  );
}

export type Wishes = { genre: GenreName | null; moods: Mood[]; instruments: Instrument[]; bpm: number | null; drums: boolean };

/** What a text asks of the music. */
export function readWishes(text: string): Wishes {
  const words = musicWords(text);
  const bpm = Number(/(\d{2,3})\s*bpm/i.exec(text)?.[1] ?? 0);
  return {
    genre: mentions(words, genres)[0] ?? null,
    moods: mentions(words, moods),
    instruments: mentions(words, instruments),
    bpm: bpm >= 40 && bpm <= 220 ? bpm : null,
    drums: !/\b(no|without)\s+(drums?|percussion|beat)/i.test(text),
  };
}

const likely: Record<Mood, [GenreName, ...GenreName[]]> = {
  sad: ["folk", "pop", "classical"],
  happy: ["pop", "funk", "folk"],
  dark: ["cinematic", "techno"],
  calm: ["ambient", "lofi", "folk"],
  angry: ["metal", "rock"],
  romantic: ["jazz", "pop", "classical"],
  energetic: ["electronic", "rock"],
  slow: ["ambient", "lofi"],
  fast: ["rock", "electronic"],
};
const anyGenre: [GenreName, ...GenreName[]] = ["pop", "pop", "lofi", "folk", "electronic", "rock", "cinematic", "funk", "jazz"];

/** The genre that a text names, or one that suits its mood. */
export function chooseGenre(wishes: Wishes, chance: Chance): GenreName {
  const fallback = chance.pick(anyGenre);
  const mood = wishes.moods[0];
  return wishes.genre ?? (mood === undefined ? fallback : chance.pick(likely[mood]));
}

const spelled = new Map<string, string>([
  ["lofi", "lo-fi"],
  ["hiphop", "hip hop"],
  ["electricpiano", "electric piano"],
  ["electricguitar", "electric guitar"],
]);
const companions: [Mood, ...Mood[]] = ["happy", "calm", "energetic", "romantic"];

/** Style words that fit a description: what it names, completed to a genre, a mood and an instrument. */
export function suggestTags(text: string, chance: Chance): string[] {
  const wishes = readWishes(text);
  const genre = chooseGenre(wishes, chance);
  const mood = chance.pick(companions);
  const instrument = chance.pick<Instrument>(["piano", "guitar", "strings", "synth"]);
  const named = [
    genre,
    ...(wishes.moods.length > 0 ? wishes.moods : [mood]),
    ...(wishes.instruments.length > 0 ? wishes.instruments : [instrument]),
  ];
  const tags = named.map((word) => spelled.get(word) ?? word);
  if (wishes.bpm !== null) tags.push(`${wishes.bpm} bpm`);
  return [...new Set(tags)];
}
