import type { ImageInput } from "../../core/kinds.ts";
import { EngineError } from "../../engines/engine-error.ts";
import type { ImageJob, ImageWay } from "../../engines/job.ts";

export type Size = { width: number; height: number };
/** How large the pictures are to be, and what is to be done with their sources. */
export type FrameWish = Pick<ImageJob, "width" | "height" | "way">;

const usualSide = 1024;
const leastSide = 64;
const mostSide = 4096;
const usualZoom = 2;
/** A view to one side is longer by this share. */
const panShare = 0.5;
const usualDetail = 0.5;

/** The frame of an act; `source` is the size of the first picture it works on. */
export function frameFor(input: ImageInput, source: Size | null): FrameWish {
  switch (input.act) {
    case "upscale":
      return enlarged(input, needed(source));
    case "zoom":
      return zoomedOut(input, needed(source));
    case "pan":
      return panned(input, needed(source));
    case "describe":
      return { ...usualFrame(input, source), way: { kind: "describe" } };
    case "blend":
      return { ...usualFrame(input, source), way: { kind: "blend" } };
    case "reroll":
      // What was blended has no prompt that it could be drawn from again.
      return { ...usualFrame(input, source), ...(input.prompt === "" && input.images.length > 1 && { way: { kind: "blend" } }) };
    default:
      return usualFrame(input, source);
  }
}

function needed(source: Size | null): Size {
  if (source === null) throw new EngineError("invalid", "The source image is not a PNG, JPEG, WebP or GIF picture.");
  return source;
}

/** What was asked for, else the shape of the source. */
function usualFrame({ size, aspectRatio }: ImageInput, source: Size | null): Size {
  if (size !== undefined) return within(size);
  if (source !== null && (aspectRatio === undefined || isAlike(aspectRatio, source)) && fits(source)) return source;
  return within(shaped(aspectRatio ?? source ?? { width: 1, height: 1 }));
}

/** Twice as large, as far as that is possible. */
function enlarged({ size, extras }: ImageInput, source: Size): FrameWish {
  const longest = Math.max(source.width, source.height);
  if (longest > mostSide)
    throw new EngineError(
      "invalid",
      `The picture is ${source.width} by ${source.height} pixels; it can be enlarged to ${mostSide} at most.`,
    );
  const wished = size === undefined ? 2 : Math.max(1, Math.max(size.width, size.height) / longest);
  const times = Math.min(mostSide / longest, Math.max(wished, leastSide / Math.min(source.width, source.height)));
  const detail = extras?.["detail"];
  const way: ImageWay = { kind: "upscale", detail: typeof detail === "number" ? detail / 100 : usualDetail };
  return { ...scaled(source, times), way };
}

/** As large as the source was, with the source smaller in the middle; of another shape where that was asked for. */
function zoomedOut({ aspectRatio, extras }: ImageInput, source: Size): FrameWish {
  const shape = aspectRatio === undefined || isAlike(aspectRatio, source) ? source : aspectRatio;
  const ratio = shape.width / shape.height;
  const bare = { width: Math.max(source.width, source.height * ratio), height: Math.max(source.height, source.width / ratio) };
  const told = extras?.["zoom"];
  // A view of another shape shows more already.
  const times = typeof told === "number" ? Math.min(4, Math.max(1, told)) : shape === source ? usualZoom : 1;
  const view = { width: bare.width * times, height: bare.height * times };
  return surrounding(view, source, { x: 0.5, y: 0.5 }, Math.max(source.width, source.height, usualSide));
}

const sides: Record<string, { x: number; y: number }> = {
  left: { x: 1, y: 0.5 },
  right: { x: 0, y: 0.5 },
  up: { x: 0.5, y: 1 },
  down: { x: 0.5, y: 0 },
};

/** Longer to one side, with the source unchanged at the other. */
function panned({ extras }: ImageInput, source: Size): FrameWish {
  const direction = String(extras?.["direction"] ?? "right");
  const side = sides[direction];
  if (side === undefined) throw new EngineError("invalid", "A view can be moved left, right, up or down.");
  const isLevel = side.y === 0.5;
  const view = {
    width: source.width * (isLevel ? 1 + panShare : 1),
    height: source.height * (isLevel ? 1 : 1 + panShare),
  };
  return surrounding(view, source, side, mostSide);
}

/** A view with the source in it, made smaller where it would be longer than `longest`; `spot` says where the free room is left. */
function surrounding(view: Size, source: Size, spot: { x: number; y: number }, longest: number): FrameWish {
  const scale = Math.min(1, longest / Math.max(view.width, view.height));
  const share = { width: Math.min(1, source.width / view.width), height: Math.min(1, source.height / view.height) };
  const place = { left: (1 - share.width) * spot.x, top: (1 - share.height) * spot.y, ...share };
  return { ...scaled(view, scale), way: { kind: "surround", place } };
}

function scaled({ width, height }: Size, times: number): Size {
  return within({ width: width * times, height: height * times });
}

function within({ width, height }: Size): Size {
  const limit = (side: number) => Math.min(Math.max(Math.round(side), leastSide), mostSide);
  return { width: limit(width), height: limit(height) };
}

function fits({ width, height }: Size): boolean {
  return Math.min(width, height) >= leastSide && Math.max(width, height) <= mostSide;
}

/** Whether two sizes have about the same shape: sides are whole pixels. */
function isAlike(one: Size, other: Size): boolean {
  return Math.abs(Math.log((one.width * other.height) / (one.height * other.width))) < 0.03;
}

/** About as many pixels as the usual square, in another shape. */
function shaped({ width, height }: Size): Size {
  const stretch = Math.sqrt(width / height);
  return { width: Math.round((usualSide * stretch) / 16) * 16, height: Math.round(usualSide / stretch / 16) * 16 };
}
