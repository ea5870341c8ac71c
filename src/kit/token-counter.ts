/** The thread that counts tokens. */
import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

// Words that look like control tokens are only words here.
const options = { disallowedSpecial: new Set<string>() };

const longWord = /\S{1000}/;
const cuts = /(\S{200})/;

// The time for one word grows with the square of its length, so that very long ones are counted in parts.
function partsOf(text: string): string[] {
  return longWord.test(text) ? text.split(cuts) : [text];
}

parentPort?.on("message", ({ id, texts }: { id: number; texts: string[] }) => {
  let count = 0;
  for (const text of texts) for (const part of partsOf(text)) count += countTokens(part, options);
  parentPort?.postMessage({ id, count });
});
