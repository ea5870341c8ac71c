/** Turns RGBA pixels into the planes a video encoder takes (BT.709, limited range); sides must be even. The result is reused by the next call. */
export function createI420(width: number, height: number): (rgba: Uint8Array) => Uint8Array {
  const size = width * height;
  const out = new Uint8Array((size * 3) / 2);
  return (rgba) => {
    const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, size);
    let u = size;
    let v = size + (size >> 2);
    for (let y = 0; y < height; y += 2) {
      let top = y * width;
      let low = top + width;
      for (let x = 0; x < width; x += 2, top += 2, low += 2) {
        // Four pixels share one colour sample; whole-number arithmetic keeps this at a few milliseconds a frame.
        const a = pixels[top] ?? 0;
        const b = pixels[top + 1] ?? 0;
        const c = pixels[low] ?? 0;
        const d = pixels[low + 1] ?? 0;
        out[top] = luma(a);
        out[top + 1] = luma(b);
        out[low] = luma(c);
        out[low + 1] = luma(d);
        const red = (a & 255) + (b & 255) + (c & 255) + (d & 255);
        const green = ((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255);
        const blue = ((a >>> 16) & 255) + ((b >>> 16) & 255) + ((c >>> 16) & 255) + ((d >>> 16) & 255);
        out[u++] = 128 + ((-6596 * red - 22189 * green + 28785 * blue + 131072) >> 18);
        out[v++] = 128 + ((28785 * red - 26145 * green - 2640 * blue + 131072) >> 18);
      }
    }
    return out;
  };
}

function luma(pixel: number): number {
  return 16 + ((11966 * (pixel & 255) + 40254 * ((pixel >>> 8) & 255) + 4064 * ((pixel >>> 16) & 255) + 32768) >> 16);
}

/** How a film's colours are meant: which matrix, and whether black is 0 or 16. */
export type ColourMeaning = { matrix: "bt709" | "bt601"; fullRange: boolean };
export type Plane = { offset: number; stride: number };

/** Turns the planes of a decoded frame (luma and two of colour at half the size) back into RGBA pixels. */
export function writeRgba(
  planes: Uint8Array,
  layout: readonly [Plane, Plane, Plane],
  { width, height }: { width: number; height: number },
  { matrix, fullRange }: ColourMeaning,
  into: Uint8ClampedArray,
): void {
  const [red, blue] = matrix === "bt709" ? [0.2126, 0.0722] : [0.299, 0.114];
  const [black, lumaScale, colourScale] = fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224];
  const [y, u, v] = layout;
  const fromV = 2 * (1 - red) * colourScale;
  const fromU = 2 * (1 - blue) * colourScale;
  const green = 1 - red - blue;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const colourAt = (row >> 1) * u.stride + (column >> 1);
      const bluish = ((planes[u.offset + colourAt] ?? 128) - 128) * fromU;
      const reddish = ((planes[v.offset + (row >> 1) * v.stride + (column >> 1)] ?? 128) - 128) * fromV;
      const light = ((planes[y.offset + row * y.stride + column] ?? 0) - black) * lumaScale;
      const at = (row * width + column) * 4;
      into[at] = light + reddish;
      into[at + 1] = light - (reddish * red + bluish * blue) / green;
      into[at + 2] = light + bluish;
      into[at + 3] = 255;
    }
  }
}
