/** An upstream in a process of its own that answers at once, or as late as the model's name says; its parent is told the port. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { filler, frameEveryMs, sizes, streamEnd, streamWord, type Size } from "./exchange.ts";

type Asked = { model: string; stream?: boolean; max_tokens?: number; stream_options?: { include_usage?: boolean } };
type Dialect = "chat" | "completion";

const usage = { prompt_tokens: 40, completion_tokens: 20, total_tokens: 60 };
const replies = {
  chat: { small: wholeReply("chat", "small"), large: wholeReply("chat", "large") },
  completion: { small: wholeReply("completion", "small"), large: wholeReply("completion", "large") },
};

const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    const dialect = request.url?.endsWith("/chat/completions") === true ? "chat" : "completion";
    const asked = readAsked(bytes);
    if (asked === null) response.writeHead(404).end();
    else answer(response, dialect, asked, bytes.length > 5_000 ? "large" : "small");
  });
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());

/** Null for what is none of the benchmark's own requests: some gateways look around in their upstream. */
function readAsked(bytes: Buffer): Asked | null {
  try {
    return JSON.parse(bytes.toString()) as Asked;
  } catch {
    return null;
  }
}

function answer(response: ServerResponse, dialect: Dialect, asked: Asked, size: Size): void {
  const delayMs = Number(/-(\d+)ms$/.exec(asked.model)?.[1] ?? 0);
  const reply = () => (asked.stream === true ? sendStream(response, dialect, asked) : sendWhole(response, replies[dialect][size]));
  if (delayMs === 0) reply();
  else setTimeout(reply, delayMs);
}

function sendWhole(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}

/** The first frame at once, the others evenly spaced, then the end, the use if it was asked for, and the mark. */
function sendStream(response: ServerResponse, dialect: Dialect, asked: Asked): void {
  const frames = asked.max_tokens ?? 64;
  let sent = 0;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const next = (): void => {
    response.write(frame(dialect, `${streamWord}${sent++} `, null));
    if (sent < frames) return;
    clearInterval(timer);
    const last = asked.stream_options?.include_usage === true ? event({ ...head(dialect, true), choices: [], usage }) : "";
    response.end(`${frame(dialect, null, "stop")}${last}data: ${streamEnd}\n\n`);
  };
  const timer = setInterval(next, frameEveryMs);
  response.once("close", () => clearInterval(timer));
  next();
}

function frame(dialect: Dialect, text: string | null, finish: string | null): string {
  const part = dialect === "chat" ? { delta: text === null ? {} : { role: "assistant", content: text } } : { text: text ?? "" };
  return event({ ...head(dialect, true), choices: [{ index: 0, ...part, finish_reason: finish }] });
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function wholeReply(dialect: Dialect, size: Size): Buffer {
  const body = (text: string) => {
    const part = dialect === "chat" ? { message: { role: "assistant", content: text } } : { text };
    return JSON.stringify({ ...head(dialect, false), choices: [{ index: 0, ...part, finish_reason: "stop" }], usage });
  };
  return Buffer.from(body(filler(sizes[size].reply - body("").length)));
}

function head(dialect: Dialect, isPart: boolean): object {
  const object = dialect === "chat" ? `chat.completion${isPart ? ".chunk" : ""}` : "text_completion";
  return { id: "chatcmpl-0123456789", object, created: 1_700_000_000, model: "bench-model" };
}
