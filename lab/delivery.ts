import type { ServerResponse } from "node:http";
import type { LabReply } from "./dialect.ts";
import type { Fault } from "./script.ts";

const padding = " ".repeat(9 * 1024 * 1024);

/** Sends a reply, whole or spoiled as the script wants it. */
export function deliver(response: ServerResponse, reply: LabReply, fault: Fault | null): void {
  const isBytes = reply.body instanceof Uint8Array;
  const content = Buffer.from(reply.body instanceof Uint8Array ? reply.body : reply.body === undefined ? "" : JSON.stringify(reply.body));
  const type = { "content-type": isBytes ? "application/octet-stream" : "application/json", ...reply.headers };
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
      response.writeHead(reply.status, { ...type, "content-length": content.byteLength + 1 });
      response.write(content.subarray(0, -2), () => response.socket?.destroy());
      return;
    case "truncated":
      response.writeHead(reply.status, type).end(content.subarray(0, Math.ceil(content.byteLength / 2)));
      return;
    case "types":
      response.writeHead(reply.status, asJson(type)).end(JSON.stringify(isBytes ? [] : wrongTypes(reply.body)));
      return;
    case "huge":
      response.writeHead(reply.status, asJson(type)).end(JSON.stringify({ padding, ...(isBytes ? {} : Object(reply.body)) }));
      return;
    case "drip":
      drip(response, reply.status, type, content, Number(fault.value) || 50);
      return;
    default:
      response.writeHead(reply.status, reply.body === undefined ? reply.headers : type).end(content);
  }
}

function asJson(headers: Record<string, string>): Record<string, string> {
  return { ...headers, "content-type": "application/json" };
}

// One byte at a time, with a timer only while such a reply lasts.
function drip(response: ServerResponse, status: number, headers: Record<string, string>, content: Buffer, everyMs: number): void {
  response.writeHead(status, headers);
  let at = 0;
  const timer = setInterval(() => {
    if (at < content.byteLength) response.write(content.subarray(at, ++at));
    else response.end();
  }, everyMs);
  response.on("close", () => clearInterval(timer));
}

function wrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrongTypes(inner)]));
  if (typeof value === "string") return { text: value };
  return [value];
}
