/** What is left of a reply once its body has passed by. */
export type ReplyEnd = { status: number; /** The other side will not take another request on this connection. */ closes: boolean };

export type ReplyReader = {
  /** Takes the next piece off the connection; the end of a reply when the piece has it. Throws on what is not HTTP. */
  push(piece: Buffer): ReplyEnd | null;
  /** The connection has ended; the reply that only this could end, if there is one. */
  close(): ReplyEnd | null;
};

type Place = "head" | "length" | "size" | "chunk" | "after-chunk" | "trailer" | "until-close";

/** Reads HTTP/1.1 replies one after another, wherever their pieces are cut; a piece may be overwritten once `push` has returned. */
export function createReplyReader(onBody: (bytes: Buffer) => void = () => {}): ReplyReader {
  let place: Place = "head";
  let held = Buffer.alloc(0);
  let line = "";
  let remaining = 0;
  let at = 0;
  let reply: ReplyEnd = { status: 0, closes: false };

  const push = (arrived: Buffer): ReplyEnd | null => {
    let piece = arrived;
    at = 0;
    if (place === "head" && held.length > 0) piece = Buffer.concat([held, arrived]);
    while (at < piece.length) {
      if (!step(piece)) continue;
      if (at < piece.length) throw new Error("bytes after the end of the reply");
      return reply;
    }
    return null;
  };

  /** Goes on by one part of the reply; true at its end. */
  const step = (piece: Buffer): boolean => {
    switch (place) {
      case "head":
        return readHead(piece);
      case "length":
      case "chunk":
        return readBody(piece);
      case "until-close":
        onBody(piece.subarray(at));
        at = piece.length;
        return false;
      case "size":
      case "after-chunk":
      case "trailer":
        return readLine(piece);
    }
  };

  const readHead = (piece: Buffer): boolean => {
    const end = piece.indexOf("\r\n\r\n", at);
    if (end < 0) {
      held = Buffer.from(piece.subarray(at));
      at = piece.length;
      return false;
    }
    const head = piece.toString("latin1", at, end + 2);
    held = Buffer.alloc(0);
    at = end + 4;
    if (!head.startsWith("HTTP/1.1 ")) throw new Error(`not a reply: ${head.slice(0, 20)}`);
    const status = Number(head.slice(9, 12));
    // An interim reply: the real one follows.
    if (status < 200) return false;
    reply = { status, closes: /\r\nconnection: *close\r\n/i.test(head) };
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    remaining = Number(length ?? 0);
    if (length === undefined && status !== 204) place = /\r\ntransfer-encoding: *chunked\r\n/i.test(head) ? "size" : "until-close";
    else if (remaining > 0) place = "length";
    else return true;
    return false;
  };

  const readBody = (piece: Buffer): boolean => {
    const end = Math.min(piece.length, at + remaining);
    if (end > at) onBody(piece.subarray(at, end));
    remaining -= end - at;
    at = end;
    if (remaining > 0) return false;
    if (place === "chunk") {
      place = "after-chunk";
      return false;
    }
    place = "head";
    return true;
  };

  const readLine = (piece: Buffer): boolean => {
    const end = piece.indexOf(10, at);
    line += piece.toString("latin1", at, end < 0 ? piece.length : end);
    at = end < 0 ? piece.length : end + 1;
    if (end < 0) return false;
    const text = line.trimEnd();
    line = "";
    if (place === "after-chunk") {
      if (text !== "") throw new Error("a chunk is longer than it said");
      place = "size";
    } else if (place === "size") {
      remaining = Number.parseInt(text, 16);
      if (Number.isNaN(remaining)) throw new Error(`not the size of a chunk: ${text.slice(0, 20)}`);
      place = remaining === 0 ? "trailer" : "chunk";
    } else if (text === "") {
      place = "head";
      return true;
    }
    return false;
  };

  const close = (): ReplyEnd | null => {
    if (place !== "until-close") return null;
    place = "head";
    return { ...reply, closes: true };
  };

  return { push, close };
}
