import type { ServerResponse } from "node:http";
import type { Errand } from "./errand.ts";
import { streamReply } from "./stream.ts";
import type { CallReply } from "./upstream.ts";
import { pause, untilDrained } from "./wire.ts";

const page = "<!doctype html><title>Please wait</title><p>We are checking your browser.";
const endlessBytes = 2 * 1024 ** 3;
const endlessBlock = Buffer.alloc(64 * 1024, "a");

/** Delivers a reply, whole or spoiled as the plan has it. */
export async function deliverCall(errand: Errand): Promise<void> {
  const { response, reply, plan, entry, end } = errand;
  response.once("close", () => settle(errand));
  if (plan.delayMs > 0) await pause(response, plan.delayMs);
  if (response.closed) return settle(errand);
  entry.status = 200;
  switch (plan.fault?.name) {
    case "reset":
      entry.status = 0;
      end("cut");
      return void response.socket?.resetAndDestroy();
    case "html":
      end("refused");
      return void response.writeHead(200, { "content-type": "text/html" }).end(page);
    case "endless":
      return sendEndless(errand);
    case "truncated":
      if (reply.form !== "whole") return streamReply(errand);
      end("cut");
      return sendWhole(response, { ...reply, body: half(reply.body) });
    default:
      if (reply.form !== "whole") return streamReply(errand);
      return sendWhole(response, reply);
  }
}

function settle({ response, reply, entry, end }: Errand): void {
  if (!response.writableFinished) return end("left");
  if (entry.ended === "open" && reply.form === "whole") entry.completionTokens = reply.words;
  end("complete");
}

function sendWhole(response: ServerResponse, { mime, body, headers }: Extract<CallReply, { form: "whole" }>): void {
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  response.writeHead(200, { "content-type": mime, "content-length": length, ...headers }).end(body);
}

function half(body: string | Uint8Array): string | Uint8Array {
  const middle = Math.ceil(body.length / 2);
  return typeof body === "string" ? body.slice(0, middle) : body.subarray(0, middle);
}

async function sendEndless({ response, reply, end }: Errand): Promise<void> {
  const isStream = reply.form !== "whole";
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  response.write(isStream ? 'data: {"id":"' : '{"id":"');
  for (let sent = 0; sent < endlessBytes && !response.closed; sent += endlessBlock.length) {
    if (!response.write(endlessBlock)) await untilDrained(response);
  }
  if (response.closed) return;
  end("cut");
  response.destroy();
}
