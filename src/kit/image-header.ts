/** What the first bytes of a picture tell about it. */
export type ImageHeader = { format: "png" | "jpeg" | "webp" | "gif"; width: number; height: number };

/** Reads the kind and size of a PNG, JPEG, WebP or GIF without decoding it; null for anything else or for a broken start. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
    return header !== null && header.width > 0 && header.height > 0 ? header : null;
  } catch (error) {
    // Reading past the end: the file is cut off inside its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readPng(view: DataView): ImageHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return null;
  return { format: "png", width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageHeader | null {
  if (view.getUint32(0) !== 0x47494638) return null;
  return { format: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function readWebp(view: DataView): ImageHeader | null {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const kind = view.getUint32(12);
  if (kind === 0x56503858) return { format: "webp", width: 1 + getUint24(view, 24), height: 1 + getUint24(view, 27) };
  if (kind === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { format: "webp", width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return { format: "webp", width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function getUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function readJpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at < view.byteLength) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return null;
    // Markers C0 to CF describe the frame, except the three that carry tables.
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return { format: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += marker === 0xff ? 1 : standsAlone ? 2 : 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}
