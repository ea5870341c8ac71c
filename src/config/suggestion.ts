/** The end of a sentence about an unknown word: the known word that was probably meant, else all of them. */
export function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== null) return `did you mean "${near}"?`;
  return known.length === 0 ? "there is none" : `known: ${known.join(", ")}`;
}

function nearest(word: string, known: readonly string[]): string | null {
  const plain = simplify(word);
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(plain, simplify(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}
