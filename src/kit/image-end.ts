import { readImageHeader } from "./image-header.ts";

/** Whether the end of a PNG, JPEG or WebP is missing; where there is no sure sign of it, a picture counts as whole. */
export function isCutOff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = readImageHeader(bytes)?.format;
  if (format === "webp") return view.getUint32(4, true) + 8 > bytes.byteLength;
  if (format === "png") return !hasPngEnd(view);
  return format === "jpeg" && !hasJpegEnd(bytes);
}

const pngEnd = 0x49454e44;

function hasPngEnd(view: DataView): boolean {
  let at = 8;
  while (at + 12 <= view.byteLength) {
    if (view.getUint32(at + 4) === pngEnd) return true;
    at += 12 + view.getUint32(at);
  }
  return false;
}

// The pixels themselves never hold the mark of the end; a thumbnail that does lies before them.
function hasJpegEnd(bytes: Uint8Array): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scan = content.lastIndexOf("ffda", undefined, "hex");
  return content.includes("ffd9", Math.max(scan, 0), "hex");
}
