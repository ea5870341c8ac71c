import { spelledWords } from "../words.ts";

const fillers = new Set(
  (
    "a about above after again all also am an and any are around as at be been before being below between both but by can could create did do does " +
    "doing down during each few find for from get give go goes going had has have having he her here hers him his how i if in into is it its just kind like " +
    "little lyrics lots lyric make makes making many me more most much must my myself new no nor not of off on once one only or other our out over own please " +
    "rather really same she should so some something song songs such than that the their them then there these they this those through to too track tune under until up upon " +
    "us very verse chorus was we were what when where which while who whom why will with without would write you your music style genre sound vibe mood title theme want need feel feeling feels " +
    "und der die das den dem ein eine einen im mit von zu über auf ist le la les des du un une dans et sur est pour el los las una con por en y de que il lo gli per del della 的 了 在 是 下 上 和 与 一 の に は を が で と も"
  ).split(" "),
);

/** Words about how a song sounds, which are not what it sings of. */
const soundWords = new Set(
  (
    "pop rock jazz lofi lo-fi fi ambient classical electronic techno folk metal hiphop hip hop blues country cinematic reggae funk kpop jpop indie ballad disco grunge punk " +
    "alternative bebop bossa nova swing chillhop beats beat downtempo drone orchestra orchestral symphony synth synthwave electro house trance edm dubstep dnb acoustic celtic " +
    "trap drill boombap rap bluegrass soundtrack trailer ska dub funky groove groovy rnb soul gospel upbeat uptempo bpm piano guitar violin cello strings flute saxophone sax " +
    "trumpet clarinet harp choir bells banjo harmonica sitar organ drums drum bass vocal vocals female male instrumental melody catchy sad happy dark calm energetic romantic slow fast epic chill"
  ).split(" "),
);

const articles = new Set("a an the my our your his her their its".split(" "));
/** Words after which an action follows rather than a thing. */
const actors = new Set("who that which i you he she we they it to not never always and can will".split(" "));

type Phrase = { words: string[]; article: string; action: boolean };

/** What a prompt is about, as short phrases that fit into a line ("the old lighthouse"), first come first, each once. */
export function topicsOf(prompt: string, most = 8): string[] {
  const phrases = phrasesOf(prompt);
  const things = phrases.filter((phrase) => !phrase.action);
  const texts = (things.length > 0 ? things : phrases).map(({ words, article }) => [article, ...words].filter(Boolean).join(" "));
  return [...new Set(texts)].slice(0, most);
}

function phrasesOf(prompt: string): Phrase[] {
  const phrases: Phrase[] = [];
  let open: Phrase | null = null;
  let before = "";
  spelledWords(prompt).forEach((spelled, index) => {
    const word = spelled.toLowerCase();
    // A capital at the very start says nothing about the word.
    const kept = (index === 0 ? word : spelled).slice(0, 40);
    if (!carriesMeaning(word)) open = null;
    else if (open !== null && open.words.length < 3) open.words.push(kept);
    else {
      const article = articles.has(before) ? (/^an?$/.test(before) ? "the" : before) : "";
      open = { words: [kept], article, action: actors.has(before) };
      phrases.push(open);
    }
    before = word;
  });
  return phrases;
}

function carriesMeaning(word: string): boolean {
  if (fillers.has(word) || soundWords.has(word) || /^\d+$/.test(word)) return false;
  return word.length > 2 || /[^\p{Script=Latin}]/u.test(word);
}

/** The phrase without its article, each word with a capital, in any script that has capitals. */
export function headline(topic: string): string {
  const words = topic.split(" ");
  const bare = words.length > 1 && articles.has(words[0] ?? "") ? words.slice(1) : words;
  return bare.map(capital).join(" ");
}

/** The text with a capital first letter. */
export function capital(text: string): string {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("");
}
