import type { ServerResponse } from "node:http";
import type { Errand } from "./errand.ts";
import { createSplitter } from "./splitter.ts";
import type { CallReply } from "./upstream.ts";
import { createLayout, createPipe, mimeOfWire, pause } from "./wire.ts";
import type { Pipe } from "./wire.ts";
import { usualTokens } from "./words.ts";

const holdMs = 60_000;
// Time for the client to read what came before, which a reset may take from it.
const beforeResetMs = 10;

/** One write of a stream; `steps` is how far it brings the count after which a plan stops the stream. */
type Piece = { bytes: string | Uint8Array; words: number; steps: number };
type StreamedReply = Exclude<CallReply, { form: "whole" }>;

/** Sends a reply piece by piece, as fast as the client reads and the plan allows. */
export async function streamReply(errand: Errand): Promise<void> {
  const { response, reply, plan, entry } = errand;
  if (reply.form === "whole") throw new Error("A whole reply is no stream.");
  const plainPipe = createPipe(response, (words) => (entry.completionTokens += words));
  const pipe = plan.isSplit ? createSplitter(plainPipe) : plainPipe;
  const mime = reply.form === "frames" ? mimeOfWire[reply.wire] : reply.mime;
  response.writeHead(200, { "content-type": mime, "cache-control": "no-cache", ...reply.headers });
  const stopAfter = stopOf(errand);
  let steps = 0;
  for (const piece of piecesOf(reply, errand)) {
    if (steps >= stopAfter) return stop(errand, pipe, piece);
    if (!pipe.write(piece.bytes, piece.words)) await pipe.drained();
    if (plan.paceMs > 0) await pause(response, plan.paceMs);
    if (response.closed) return;
    steps += piece.steps;
  }
  await finish(response, pipe);
}

function* piecesOf(reply: StreamedReply, { plan }: Errand): Generator<Piece> {
  if (reply.form === "pieces") {
    for (const bytes of reply.pieces) yield { bytes, words: 0, steps: 1 };
    return;
  }
  const layout = createLayout(reply.wire, plan);
  for (const frame of reply.frames) yield { bytes: layout.frame(frame), words: frame.words, steps: frame.words };
  if (layout.end !== "") yield { bytes: layout.end, words: 0, steps: 0 };
}

function stopOf({ reply, plan }: Errand): number {
  if (plan.stop) return plan.stop.after;
  if (plan.fault?.name !== "truncated") return Number.POSITIVE_INFINITY;
  return reply.form === "pieces" ? 1 : Math.floor((plan.tokens ?? usualTokens) / 2);
}

async function stop(errand: Errand, pipe: Pipe, next: Piece): Promise<void> {
  const { response, reply, plan, end, error } = errand;
  response.flushHeaders();
  await pipe.flushed();
  if (response.closed) return;
  switch (plan.stop?.how) {
    case "hold":
      await pause(response, holdMs);
      break;
    case "rst":
      await pause(response, beforeResetMs);
      end("cut");
      return void response.socket?.resetAndDestroy();
    case "error":
      if (reply.form !== "frames") break;
      end("cut");
      pipe.write(createLayout(reply.wire, plan).frame(error()), 0);
      return finish(response, pipe);
    case undefined:
      end("cut");
      pipe.write(next.bytes.slice(0, Math.ceil(next.bytes.length / 2)), 0);
      return finish(response, pipe);
    case "cut":
  }
  if (response.closed) return;
  end("cut");
  // Without the last chunk, so that the body is not whole though the connection closes in order.
  response.socket?.destroySoon();
}

async function finish(response: ServerResponse, pipe: Pipe): Promise<void> {
  await pipe.flushed();
  response.end();
}
