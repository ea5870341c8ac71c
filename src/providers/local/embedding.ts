import type { Call } from "../../core/call.ts";
import { embeddingReply, textsIn } from "../call/embedding-reply.ts";
import { wholeWithin } from "./fields.ts";
import { inFolder, wholeJson, type LocalAnswer } from "./workshop.ts";

const mostDimensions = 384;

export const answerEmbedding: LocalAnswer = async (workshop, call, { signal }) => {
  const texts = textsIn(call);
  const dimensions = dimensionsIn(call);
  const { vectors, tokens } = await inFolder(workshop, (outDir) =>
    workshop.engines.run({ engine: "embedding", outDir, texts }, { signal }),
  );
  const cut = dimensions === mostDimensions ? vectors : vectors.map((vector) => shorten(vector, dimensions));
  return wholeJson(embeddingReply(call, cut, tokens));
};

function dimensionsIn({ body }: Call): number {
  return wholeWithin(body, "dimensions", [1, mostDimensions], mostDimensions);
}

/** The first numbers of a vector, made to have length 1 again. */
function shorten(vector: readonly number[], dimensions: number): number[] {
  const kept = vector.slice(0, dimensions);
  const length = Math.hypot(...kept);
  return length === 0 ? kept : kept.map((value) => value / length);
}
