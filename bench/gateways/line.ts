import { connect } from "node:net";
import { createReplyReader, type ReplyEnd } from "./reply-reader.ts";

export type Line = { write(request: Uint8Array): void; /** Nothing is told any more. */ drop(): void };

export type LineEvents = {
  onBody?: ((bytes: Buffer) => void) | undefined;
  onReply(reply: ReplyEnd): void;
  /** The last thing that is told. */
  onFailure(reason: string): void;
};

/** A connection to a port of this machine. All lines may share one buffer: a piece is read to its end before the next one comes. */
export function dial(port: number, shared: Buffer, { onBody, onReply, onFailure }: LineEvents): Line {
  let isOpen = true;
  const reader = createReplyReader(onBody);
  const drop = (): void => {
    isOpen = false;
    socket.destroy();
  };
  const fail = (reason: string): void => {
    if (!isOpen) return;
    drop();
    onFailure(reason);
  };
  const hear = (read: () => ReplyEnd | null): void => {
    if (!isOpen) return;
    let reply: ReplyEnd | null;
    try {
      reply = read();
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
    if (reply !== null) onReply(reply);
  };
  const onPiece = (length: number): boolean => {
    hear(() => reader.push(shared.subarray(0, length)));
    return true;
  };
  const socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer: shared, callback: onPiece } });
  socket.once("end", () => hear(() => reader.close()));
  socket.on("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  socket.once("close", () => fail("closed without a whole reply"));
  return { write: (request) => void socket.write(request), drop };
}
