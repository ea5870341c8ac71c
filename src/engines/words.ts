const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const longest = 5000;

/** The words of a text in any script, lower case and in order. */
export function wordsOf(text: string): string[] {
  return spelledWords(text).map((word) => word.toLowerCase());
}

/** The same words as they were written. */
export function spelledWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.slice(0, longest).normalize("NFC"))) {
    if (isWordLike === true) words.push(segment);
  }
  return words;
}

/** The word as it is, and its likely singular: enough to find "waves", "cities" and "foxes" in a vocabulary. */
function formsOf(word: string): string[] {
  const forms = [word];
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  if (word.endsWith("s")) forms.push(word.slice(0, -1));
  if (word.endsWith("y")) forms.push(word.slice(0, -1));
  return forms;
}

/** Turns `{ sea: "ocean beach" }` into a look-up from each word to its key. */
export function vocabulary<K extends string>(lists: Record<K, string>): Map<string, K> {
  const found = new Map<string, K>();
  for (const key in lists) for (const word of [key, ...lists[key].split(" ")]) found.set(word, key);
  return found;
}

/** The keys that the words speak of, in the order in which they come, each once. */
export function mentions<K extends string>(words: readonly string[], known: Map<string, K>): K[] {
  const keys = new Set<K>();
  for (const word of words) {
    for (const form of formsOf(word)) {
      const key = known.get(form);
      if (key === undefined) continue;
      keys.add(key);
      break;
    }
  }
  return [...keys];
}
