import { GenwayError, readRefusal } from "./genway-error.ts";
import type { Send } from "./transport.ts";

/** Something that can be downloaded: an asset of a task, a file, or its signed address. */
export type Downloadable = string | { url: string };

/** Where it goes: a path (in Node), or a stream. */
export type Target = string | WritableStream<Uint8Array>;

/** Opens an asset. Links begin with the address that the service is known by outside; from here it is the one we already talk to. */
export async function openAsset(send: Send, baseUrl: string, asset: Downloadable, signal?: AbortSignal): Promise<Response> {
  const url = typeof asset === "string" ? asset : asset.url;
  const at = url.lastIndexOf("/assets/");
  const response = await send(new Request(at < 0 ? url : baseUrl + url.slice(at), { signal: signal ?? null }));
  if (!response.ok) throw await readRefusal(response);
  return response;
}

/** Writes an asset, to a path whole or not at all; the number of bytes. */
export async function writeAsset(response: Response, target: Target): Promise<number> {
  if (response.body === null) throw new GenwayError("The service sent an empty file.", { status: response.status, code: "unknown" });
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
  if (typeof target === "string") await writeFile(counted, target);
  else await counted.pipeTo(target);
  return bytes;
}

async function writeFile(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const { open, rename, rm } = await import("node:fs/promises");
  const temporary = `${path}.part`;
  const file = await open(temporary, "w");
  try {
    await body.pipeTo(new WritableStream({ write: (chunk) => file.writeFile(chunk) })).finally(() => file.close());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
