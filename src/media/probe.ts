import type { MediaFacts, MediaStore } from "../core/ports.ts";
import { gather } from "../kit/gather.ts";

/** What a stored video or recording says of itself; null where it cannot be read here. */
export async function probeMedia(media: MediaStore, key: string): Promise<MediaFacts | null> {
  const bunny = await openMediabunny();
  if (bunny === null) return null;
  const { Input, CustomSource, ALL_FORMATS } = bunny;
  const source = new CustomSource({
    getSize: async () => sizeOf(media, key),
    read: (start, end) => readRange(media, key, { start, end: end - 1 }),
    prefetchProfile: "fileSystem",
  });
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    const video = await input.getPrimaryVideoTrack();
    const durationSeconds = await input.computeDuration();
    return { durationSeconds: Math.round(durationSeconds * 100) / 100, width: video?.displayWidth ?? 0, height: video?.displayHeight ?? 0 };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

async function sizeOf(media: MediaStore, key: string): Promise<number> {
  const { stream, bytes } = await media.open(key, { start: 0, end: 0 });
  stream.destroy();
  return bytes;
}

async function readRange(media: MediaStore, key: string, range: { start: number; end: number }): Promise<Uint8Array> {
  const { stream } = await media.open(key, range);
  return gather(stream);
}

type Mediabunny = typeof import("mediabunny");

// An optional package: without it lengths are those that were asked for.
async function openMediabunny(): Promise<Mediabunny | null> {
  return import("mediabunny").catch(() => null);
}
