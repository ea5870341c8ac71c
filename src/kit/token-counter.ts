/** The thread that counts tokens. */
import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

// Words that look like control tokens are only words here.
const options = { disallowedSpecial: new Set<string>() };

parentPort?.on("message", ({ id, texts }: { id: number; texts: string[] }) => {
  let count = 0;
  for (const text of texts) count += countTokens(text, options);
  parentPort?.postMessage({ id, count });
});
