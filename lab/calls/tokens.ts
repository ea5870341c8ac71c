type Encoding = { encode(text: string, options: object): number[]; decode(tokens: Iterable<number>): string };

// Loading costs a fifth of a second and 80 MB, so that a lab without calls does without.
let encoding: Encoding | null = null;
const asText = { disallowedSpecial: new Set<string>() };

const counts = new Map<string, number>();
const maxCounts = 2_000;
const maxCountedLength = 16_384;

/** Makes the other functions here usable. */
export async function loadTokens(): Promise<void> {
  encoding ??= await import("gpt-tokenizer/encoding/o200k_base");
}

export function areTokensLoaded(): boolean {
  return encoding !== null;
}

/** How many tokens of o200k_base a text is; the texts asked for lately are remembered. */
export function countTokens(text: string): number {
  const known = counts.get(text);
  if (known !== undefined) {
    counts.delete(text);
    counts.set(text, known);
    return known;
  }
  const count = encode(text).length;
  if (text.length > maxCountedLength) return count;
  counts.set(text, count);
  if (counts.size > maxCounts) for (const [oldest] of counts) return forget(oldest, count);
  return count;
}

export function encode(text: string): number[] {
  return loaded().encode(text, asText);
}

export function decode(tokens: Iterable<number>): string {
  return loaded().decode(tokens);
}

/** A text in pieces of one token each. */
export function tokenTexts(text: string): string[] {
  return encode(text).map((token) => decode([token]));
}

/** The tokens of a conversation by OpenAI's published rule: three and the role for a message, one more with a name, three for the reply. */
export function countMessages(messages: readonly { texts: readonly string[]; name?: string }[]): number {
  let sum = 3;
  for (const { texts, name } of messages) {
    sum += 4;
    for (const text of texts) sum += countTokens(text);
    if (name !== undefined) sum += 1 + countTokens(name);
  }
  return sum;
}

function forget(text: string, count: number): number {
  counts.delete(text);
  return count;
}

function loaded(): Encoding {
  if (!encoding) throw new Error("The tokens are not loaded yet.");
  return encoding;
}
