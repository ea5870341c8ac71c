import { Worker } from "node:worker_threads";

type Waiting = { resolve(count: number): void; reject(error: Error): void };

let counter: { worker: Worker; waiting: Map<number, Waiting> } | null = null;
let next = 0;

/**
 * How many tokens texts have together, by the o200k vocabulary. Counting takes a while for long texts, so a thread of its own
 * does it; it starts with the first question and does not keep the process alive.
 */
export function countTokens(texts: readonly string[]): Promise<number> {
  const asked = texts.filter((text) => text !== "");
  if (asked.length === 0) return Promise.resolve(0);
  const { worker, waiting } = (counter ??= startCounter());
  const id = next++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.ref();
    worker.postMessage({ id, texts: asked });
  });
}

function startCounter(): NonNullable<typeof counter> {
  // The same extension as this file: the published package holds JavaScript.
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
  const worker = new Worker(new URL(`./token-counter${extension}`, import.meta.url), { name: "token-counter", execArgv: [] });
  const waiting = new Map<number, Waiting>();
  worker.unref();
  worker.on("message", ({ id, count }: { id: number; count: number }) => {
    waiting.get(id)?.resolve(count);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
  });
  worker.on("error", (error: Error) => {
    counter = null;
    for (const { reject } of waiting.values()) reject(error);
  });
  return { worker, waiting };
}
