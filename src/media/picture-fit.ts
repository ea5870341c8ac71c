import type { MaskWish, PictureLimits } from "../core/provider.ts";
import { isAnimated } from "../kit/animation.ts";
import { readImageHeader, type ImageHeader } from "../kit/image-header.ts";
import { maxPixels, PictureError, type PictureReply, type Sides } from "./picture-job.ts";
import { runPictureJob } from "./picture-process.ts";
import { isSameShape } from "./picture-scale.ts";

export type FittedPicture = {
  bytes: Uint8Array;
  mime: string;
  changed: boolean;
  /** What was done to it, for its sender. */ note?: string;
};

type Format = ImageHeader["format"];

/** Makes a picture or a mask fit what an upstream takes, and leaves one that fits as it is; throws an Error that says what is wrong with it. */
export async function fitPicture(bytes: Uint8Array, limits: PictureLimits, run = runPictureJob): Promise<FittedPicture> {
  const header = readImageHeader(bytes);
  if (header === null) throw new PictureError("The picture is no PNG, JPEG, WebP or GIF, or its beginning is damaged.");
  const { width, height } = header;
  if (width === 0 || height === 0) throw new PictureError("The picture has no pixels.");
  const asItIs = { bytes, mime: `image/${header.format}`, changed: false };
  const { mask } = limits;
  const wrong = wrongOf(bytes, header, limits);
  if (wrong === null && (mask === undefined || isAsWanted(mask, header))) return asItIs;
  if (width * height > maxPixels) {
    const most = maxPixels / 1_000_000;
    throw new PictureError(`The picture is too large: ${width} by ${height} pixels, and at most ${most} megapixels can be made smaller.`);
  }
  const format = mask ? maskFormat(mask, limits.formats) : formatFor(header.format, limits.formats);
  if (format === null) throw new PictureError(`${wrong ?? untaken} ${allowed(limits)}`);
  const { maxBytes, maxSide, minSide } = limits;
  const sides = { ...(maxBytes && { maxBytes }), ...(maxSide && { maxSide }), ...(minSide && { minSide }) };
  const reply = await run(mask ? { do: "mask", bytes, limits: sides, format, mask } : { do: "fit", bytes, limits: sides, format });
  if (reply.state === "unable" && wrong === null && mask?.wanted === (mask?.given ?? "transparent")) return asItIs;
  if (reply.state !== "done")
    throw new PictureError(`${reply.state === "failed" ? reply.says : (wrong ?? undrawn)} ${allowed(limits)}`.trim());
  const made = { bytes: reply.bytes, mime: `image/${format}`, changed: true };
  // Whoever sent a mask is told of its picture.
  return mask ? made : { ...made, note: `${noteOf(reply, header.format, format)}${isAnimated(bytes) ? onlyFirst : ""}` };
}

const onlyFirst = " Only the first frame of the animation was used.";
const untaken = "The mask must be drawn anew for this model, in a format that it does not take.";
const undrawn = "The mask must be drawn anew for this model, and the package @napi-rs/canvas, which could, is not installed.";

function isAsWanted({ given, wanted, size }: MaskWish, header: ImageHeader): boolean {
  const isSized = size === undefined || (size.width === header.width && size.height === header.height) || !isSameShape(header, size);
  return given === wanted && isSized;
}

function wrongOf(bytes: Uint8Array, { format, width, height }: ImageHeader, limits: PictureLimits): string | null {
  const { maxBytes = Number.POSITIVE_INFINITY, maxSide = Number.POSITIVE_INFINITY, minSide = 0, formats } = limits;
  if (formats && !formats.includes(format)) return `The picture is a ${names[format]}.`;
  if (Math.max(width, height) > maxSide) return `The picture is too large: ${width} by ${height} pixels.`;
  if (Math.min(width, height) < minSide) return `The picture is too small: ${width} by ${height} pixels.`;
  return bytes.byteLength > maxBytes ? `The picture is too large: ${bytes.byteLength} bytes.` : null;
}

const names: Record<Format, string> = { png: "PNG", jpeg: "JPEG", webp: "WebP", gif: "GIF" };

/** The format to write: the same, else one that loses nothing, else any that is taken. */
function formatFor(from: Format, formats: PictureLimits["formats"]): "png" | "jpeg" | "webp" | null {
  const wishes =
    from === "jpeg"
      ? (["jpeg", "png", "webp"] as const)
      : from === "webp"
        ? (["webp", "png", "jpeg"] as const)
        : (["png", "webp", "jpeg"] as const);
  return wishes.find((format) => formats === undefined || formats.includes(format)) ?? null;
}

function maskFormat({ wanted }: MaskWish, formats: PictureLimits["formats"]): ReturnType<typeof formatFor> {
  const format = formatFor("png", formats);
  return format === "jpeg" && wanted === "transparent" ? null : format;
}

function allowed({ formats, maxSide, minSide, maxBytes }: PictureLimits): string {
  const parts = [
    minSide && `at least ${minSide} pixels a side`,
    maxSide && `at most ${maxSide} pixels a side`,
    maxBytes && `at most ${maxBytes} bytes`,
  ];
  const kinds = formats ? formats.map((format) => names[format]).join(", ") : "pictures";
  const bounds = parts.filter(Boolean).join(", ");
  if (formats === undefined && bounds === "") return "";
  return `The model takes ${kinds}${bounds && ` of ${bounds}`}.`;
}

function noteOf({ from, to }: Extract<PictureReply, { state: "done" }>, was: Format, is: Format): string {
  const written = ({ width, height }: Sides) => `${width}x${height}`;
  if (to.width === from.width && to.height === from.height)
    return was === is ? "The picture was written anew, in fewer bytes." : `The picture was written anew as ${names[is]}.`;
  const verb = to.width < from.width ? "reduced" : "enlarged";
  return `The picture was ${verb} from ${written(from)} to ${written(to)} pixels.`;
}
