/** The voice loses its breath on more than this at once. */
const longest = 240;

/** Cuts text that is ready to be spoken into sentences, and sentences that are too long at commas or between words. */
export function cutSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+/)
    .flatMap(cutLong)
    .filter((sentence) => /[A-Za-z]/.test(sentence));
}

function cutLong(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence.trim();
  while (rest.length > longest) {
    const comma = rest.lastIndexOf(", ", longest);
    const space = rest.lastIndexOf(" ", longest);
    const at = comma > longest / 4 ? comma + 1 : space > 0 ? space : longest;
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest];
}
