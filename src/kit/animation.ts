/** Whether a GIF or a WebP has more than one frame; what is broken counts as one. */
export function isAnimated(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0) === 0x47494638) return hasTwoFrames(view);
    const isExtendedWebp = view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250 && view.getUint32(12) === 0x56503858;
    return isExtendedWebp && (view.getUint8(20) & 2) !== 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const extension = 0x21;
const frame = 0x2c;

function hasTwoFrames(view: DataView): boolean {
  let at = 13 + colours(view.getUint8(10));
  for (let frames = 0; ;) {
    const block = view.getUint8(at);
    if (block === extension) at = behind(view, at + 2);
    else if (block !== frame) return false;
    else if (++frames === 2) return true;
    else at = behind(view, at + 11 + colours(view.getUint8(at + 9)));
  }
}

/** How many bytes a table of colours has, by the flags before it. */
function colours(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Where a chain of parts ends: each begins with its length, and the last has none. */
function behind(view: DataView, start: number): number {
  let at = start;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += length + 1;
  return at + 1;
}
