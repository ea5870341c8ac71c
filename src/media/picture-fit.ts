import type { PictureLimits } from "../core/provider.ts";
import { sniffMime } from "../kit/sniff.ts";

export async function fitPicture(
  bytes: Uint8Array,
  _limits: PictureLimits,
): Promise<{ bytes: Uint8Array; mime: string; changed: boolean; note?: string }> {
  return { bytes, mime: sniffMime(bytes) ?? "", changed: false };
}
