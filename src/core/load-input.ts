import { gather } from "../kit/gather.ts";
import { isCutOff } from "../kit/image-end.ts";
import { readImageHeader } from "../kit/image-header.ts";
import { sniffMime } from "../kit/sniff.ts";
import { Failure } from "./errors.ts";
import type { InputFile } from "./kinds.ts";
import type { FetchMedia, MediaStore, Store } from "./ports.ts";
import type { LoadedFile, PictureLimits } from "./provider.ts";

export type LoadNeeds = {
  store: Store;
  media: MediaStore;
  fetchMedia: FetchMedia;
  /** Makes a picture fit an upstream's limits; throws an Error that says what is wrong with it. */
  fitPicture: (bytes: Uint8Array, limits: PictureLimits) => Promise<{ bytes: Uint8Array; mime: string; changed: boolean; note?: string }>;
};

const maxBytes = 20 * 1024 * 1024;
const timeoutMs = 30_000;
// A file of a few kilobytes can claim any size, and whoever opens it pays for each pixel.
const mostPixels = 256_000_000;
const images = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** Reads a file that a request names, wherever it lies, and makes a picture fit; throws `input_unreachable`. */
export async function loadInput(
  needs: LoadNeeds,
  file: InputFile,
  account: string,
  signal: AbortSignal,
  limits?: PictureLimits,
): Promise<LoadedFile & { note?: string }> {
  const bytes = await read(needs, file, account, signal).catch((cause: unknown) => {
    throw new Failure("input_unreachable", {
      says: cause instanceof Failure ? cause.message : `The file could not be read: ${told(cause)}`,
      cause,
    });
  });
  const mime = sniffMime(bytes);
  // What is stored was looked at when it came: beside pictures, a sound to transcribe or a video to go on from.
  if (mime === null || !(images.has(mime) || file.from === "file"))
    throw new Failure("input_unreachable", {
      says: bytes.byteLength === 0 ? "The file is empty." : "The file is no PNG, JPEG, WebP or GIF picture.",
    });
  if (!images.has(mime)) return { bytes, mime };
  checkPicture(bytes);
  if (limits === undefined) return { bytes, mime };
  return needs.fitPicture(bytes, limits).catch((cause: unknown) => {
    throw new Failure("input_unreachable", { says: cause instanceof Error ? cause.message : "The picture cannot be read.", cause });
  });
}

/** Refuses what decoders would choke on, or would show half of. */
function checkPicture(bytes: Uint8Array): void {
  const { width, height } = readImageHeader(bytes) ?? { width: 0, height: 0 };
  const wrong =
    width === 0 || height === 0
      ? "The beginning of the picture is damaged."
      : width * height > mostPixels
        ? `The picture is too large: ${width} by ${height} pixels, and at most ${mostPixels / 1_000_000} megapixels are taken.`
        : isCutOff(bytes)
          ? "The picture is cut off: its end is missing."
          : null;
  if (wrong !== null) throw new Failure("input_unreachable", { says: wrong });
}

// The guard's own sentences are written for callers and never quote a reply.
function told(cause: unknown): string {
  return cause instanceof Error && cause.name === "UntrustedUrlError" ? cause.message : "it is not there.";
}

async function read({ store, media, fetchMedia }: LoadNeeds, file: InputFile, account: string, signal: AbortSignal): Promise<Uint8Array> {
  if (file.from === "data") return Buffer.from(file.uri.slice(file.uri.indexOf(",") + 1), "base64");
  if (file.from === "file") {
    const asset = await store.asset({ id: file.id, account });
    if (asset === null) throw new Failure("input_unreachable", { says: "The uploaded file is gone." });
    return media.read(asset.storageKey);
  }
  const { body } = await fetchMedia(file.url, { maxBytes, timeoutMs, signal, allowPrivate: false });
  return gather(body);
}
