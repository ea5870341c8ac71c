import type { ImageInput } from "../../core/kinds.ts";
import type { JobAdapter } from "../job/job.ts";

/** The same adapter, whose jobs of pictures are put into its upstream's words before they are sent. */
export function withImageInput(adapter: JobAdapter, change: (input: ImageInput, model: string) => ImageInput): JobAdapter {
  return {
    ...adapter,
    create(settings) {
      const { tasks, ...rest } = adapter.create(settings);
      return {
        ...rest,
        tasks: {
          ...tasks,
          start: (job, work) => tasks.start(job.kind === "image" ? { ...job, input: change(job.input, job.model) } : job, work),
        },
      };
    },
  };
}

/** With the shape that follows from the size, for upstreams that know shapes alone. */
export function withShape(input: ImageInput): ImageInput {
  const { size, aspectRatio } = input;
  if (size === undefined || aspectRatio !== undefined) return input;
  const common = divisor(size.width, size.height);
  return { ...input, aspectRatio: { width: size.width / common, height: size.height / common } };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** What an upstream makes where only a shape is asked for: how many pixels in all, and what both sides are a multiple of. */
export type UsualSize = { pixels: number; step: number };

/** With the size that follows from the shape, for upstreams that know sizes alone. */
export function withSize(input: ImageInput, { pixels, step }: UsualSize): ImageInput {
  const { aspectRatio } = input;
  if (input.size !== undefined || aspectRatio === undefined) return input;
  const shape = Math.sqrt(aspectRatio.width / aspectRatio.height);
  const side = (length: number) => Math.max(step, Math.round(length / step) * step);
  return { ...input, size: { width: side(Math.sqrt(pixels) * shape), height: side(Math.sqrt(pixels) / shape) } };
}
