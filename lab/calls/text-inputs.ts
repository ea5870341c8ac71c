import { countTokens, decode } from "./tokens.ts";

/** A text that came as such or as tokens. */
export type TextInput = { text: string; tokens: number };

/** One or several texts, each also as tokens; null where the value is something else. */
export function textInputs(value: unknown): TextInput[] | null {
  if (typeof value === "string") return [{ text: value, tokens: countTokens(value) }];
  if (!Array.isArray(value) || value.length === 0) return null;
  const numbers = numbersOf(value);
  if (numbers) return [fromTokens(numbers)];
  const inputs = value.map((item: unknown) => {
    if (typeof item === "string") return { text: item, tokens: countTokens(item) };
    const tokens = numbersOf(item);
    return tokens && fromTokens(tokens);
  });
  const known = inputs.filter((input) => input !== null);
  return known.length === inputs.length ? known : null;
}

function fromTokens(tokens: number[]): TextInput {
  return { text: decode(tokens), tokens: tokens.length };
}

function numbersOf(value: unknown): number[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.every((item) => typeof item === "number" && Number.isInteger(item) && item >= 0) ? value.map(Number) : null;
}
