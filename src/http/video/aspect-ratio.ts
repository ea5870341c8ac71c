import { Failure } from "../../core/errors.ts";
import type { Ratio } from "../../core/kinds.ts";

/** The shape that a request asks for, reduced: width and height as two whole numbers with anything between them. */
export function aspectRatio(text: string, param = "aspect_ratio"): Ratio {
  const [width = 0, height = 0] = (text.match(/\d+/g) ?? []).map(Number);
  const wrong = width < 1 || height < 1 || width > 10_000 || height > 10_000 || width > 8 * height || height > 8 * width;
  if (wrong)
    throw new Failure("invalid_request", {
      says: `'${param}' must be ${param === "aspect_ratio" ? "width:height" : "width and height"}, whole numbers from 1 to 10000, between 1:8 and 8:1.`,
      param,
    });
  const common = divisor(width, height);
  return { width: width / common, height: height / common };
}

/** A shape as the wire shows it. */
export function ratioText({ width, height }: Ratio): string {
  return `${width}:${height}`;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
