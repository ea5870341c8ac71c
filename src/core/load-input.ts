import { sniffMime } from "../kit/sniff.ts";
import { Failure } from "./errors.ts";
import type { InputFile } from "./kinds.ts";
import type { FetchMedia, MediaStore, Store } from "./ports.ts";

export type LoadNeeds = { store: Store; media: MediaStore; fetchMedia: FetchMedia };

const maxBytes = 20 * 1024 * 1024;
const timeoutMs = 30_000;
const images = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** Reads an image that a request names, wherever it lies; throws `input_unreachable`. */
export async function loadInput(
  needs: LoadNeeds,
  file: InputFile,
  account: string,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; mime: string }> {
  const bytes = await read(needs, file, account, signal).catch((cause: unknown) => {
    throw new Failure("input_unreachable", {
      says: cause instanceof Failure ? cause.message : `The image could not be read: ${told(cause)}`,
      cause,
    });
  });
  const mime = sniffMime(bytes);
  if (mime === null || !images.has(mime)) throw new Failure("input_unreachable", { says: "The image is not a PNG, JPEG, WebP or GIF." });
  return { bytes, mime };
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
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
