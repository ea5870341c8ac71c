import type { ServerResponse } from "node:http";
import type { LabReply } from "./dialect.ts";
import type { Fault } from "./script.ts";

/** Sends a reply, whole or spoiled as the script wants it. */
export function deliver(response: ServerResponse, reply: LabReply, fault: Fault | null): void {
  const text = reply.body === undefined ? "" : JSON.stringify(reply.body);
  const type = { "content-type": "application/json", ...reply.headers };
  switch (fault?.name) {
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "html":
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Please wait</title><p>We are checking your browser.");
      return;
    case "broken":
      response.writeHead(reply.status, { ...type, "content-length": Buffer.byteLength(text) + 1 });
      response.write(text.slice(0, -2), () => response.socket?.destroy());
      return;
    case "truncated":
      response.writeHead(reply.status, type).end(text.slice(0, Math.ceil(text.length / 2)));
      return;
    case "types":
      response.writeHead(reply.status, type).end(JSON.stringify(wrongTypes(reply.body)));
      return;
    case "huge":
      response.writeHead(reply.status, type).end(JSON.stringify({ padding: " ".repeat(9 * 1024 * 1024), ...Object(reply.body) }));
      return;
    case "drip":
      drip(response, reply.status, type, text, Number(fault.value) || 50);
      return;
    default:
      response.writeHead(reply.status, reply.body === undefined ? reply.headers : type).end(text);
  }
}

// One byte at a time: the only timers of the lab, and only while such a reply lasts.
function drip(response: ServerResponse, status: number, headers: Record<string, string>, text: string, everyMs: number): void {
  response.writeHead(status, headers);
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length) response.write(text.charAt(at++));
    else response.end();
  }, everyMs);
  response.on("close", () => clearInterval(timer));
}

function wrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrongTypes(inner)]));
  if (typeof value === "string") return { text: value };
  return [value];
}
