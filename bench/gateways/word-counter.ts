/** Counts how often a word comes by in bytes that may be cut anywhere, inside the word too; gives the number so far. */
export function createWordCounter(word: string): (bytes: Buffer) => number {
  let count = 0;
  let rest = "";
  return (bytes) => {
    const text = rest + bytes.toString("latin1");
    let from = 0;
    for (let found = text.indexOf(word); found >= 0; found = text.indexOf(word, from)) {
      count++;
      from = found + word.length;
    }
    rest = text.slice(Math.max(from, text.length - word.length + 1));
    return count;
  };
}
