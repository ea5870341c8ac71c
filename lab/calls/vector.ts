import { createHash } from "node:crypto";
import { createRandom } from "../script.ts";

/** A vector of length one that is the same for the same text, in numbers of four bytes. */
export function vectorOf(text: string, dimensions: number): Float32Array {
  const random = createRandom(createHash("sha256").update(text).digest().readUInt32LE());
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** The same as OpenAI packs it: little-endian, in base64. */
export function packedVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}

/** How many numbers a vector has when nobody says. */
export const usualDimensions = 384;
