import { open } from "node:fs/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { loadPackage } from "../optional-package.ts";

const deadlineMs = 15_000;
const matroskaMark = "1a45dfa3";

/**
 * Whether a file can be walked through to its end. Only WebM and Matroska files are tried: the reader of these can turn
 * round for ever in a damaged one, so a thread of its own goes ahead, which can be ended.
 */
export async function canBeWalked(path: string): Promise<boolean> {
  if ((await readMark(path)) !== matroskaMark) return true;
  const worker = new Worker(new URL(import.meta.url), { workerData: { walkPath: path } });
  const ended = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => ended.resolve(false), deadlineMs);
  worker.on("message", () => ended.resolve(true));
  worker.on("error", () => ended.resolve(false));
  worker.on("exit", () => ended.resolve(false));
  const walked = await ended.promise;
  clearTimeout(timer);
  await worker.terminate();
  return walked;
}

async function readMark(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("hex", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function walk(path: string): Promise<void> {
  const bunny = await loadPackage("mediabunny", () => import("mediabunny"));
  const input = new bunny.Input({ formats: bunny.ALL_FORMATS, source: new bunny.FilePathSource(path) });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) return;
  const packets = new bunny.EncodedPacketSink(track);
  for (let packet = await packets.getFirstPacket(); packet !== null;) packet = await packets.getNextPacket(packet, { metadataOnly: true });
}

if (!isMainThread) {
  const data: unknown = workerData;
  if (typeof data === "object" && data !== null && "walkPath" in data && typeof data.walkPath === "string") {
    await walk(data.walkPath);
    parentPort?.postMessage("walked");
  }
}
