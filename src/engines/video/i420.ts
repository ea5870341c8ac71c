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
