import { request as open, type IncomingMessage } from "node:http";
import type { Order } from "./orders.ts";

/** What became of a call, as its client saw it. */
export type Outcome = {
  n: number;
  /** `lost`: the connection broke without a word of ours; `down`: nobody listened. */
  is: "complete" | "left" | "broken" | "refused" | "lost" | "down";
  words: number;
  detail: string;
};

/** Makes one call as its plan has it. Never throws. */
export function placeOrder(url: string, key: string, order: Order): Promise<Outcome> {
  return new Promise((resolve) => {
    const { n, plan, stream } = order;
    let isOver = false;
    const over = (is: Outcome["is"], words: number, detail = "") => {
      if (!isOver) resolve({ n, is, words, detail });
      isOver = true;
    };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "anthropic-version": "2023-06-01" };
    const sent = open(url + order.path, { method: "POST", headers, agent: false });
    const leave = (words: number) => {
      over("left", words);
      sent.destroy();
    };
    sent.on("error", (error: NodeJS.ErrnoException) => over(error.code === "ECONNREFUSED" ? "down" : "lost", 0, error.message));
    sent.once("response", (reply) => {
      if (stream && reply.statusCode === 200) follow(reply, plan.is === "leave" ? plan.words : Infinity, leave, over);
      else readWhole(reply, over);
    });
    sent.end(JSON.stringify(order.body));
    if (plan.is === "leave early") setTimeout(() => leave(0), plan.afterMs);
  });
}

type Over = (is: Outcome["is"], words: number, detail?: string) => void;

function readWhole(reply: IncomingMessage, over: Over): void {
  const pieces: Buffer[] = [];
  reply.on("data", (piece: Buffer) => pieces.push(piece));
  reply.on("error", () => over("lost", 0));
  reply.once("close", () => over("lost", 0));
  reply.once("end", () => {
    const text = Buffer.concat(pieces).toString();
    if (reply.statusCode === 200 && text.endsWith("}")) over("complete", 0);
    else over("refused", 0, `${reply.statusCode} ${text.slice(0, 200)}`);
  });
}

// Every word of the lab begins with a space, and nothing else in a stream does.
const word = /"(?:content|text)":" /g;

/** Reads a stream, and leaves it after so many words. */
function follow(reply: IncomingMessage, most: number, leave: (words: number) => void, over: Over): void {
  let rest = "";
  let words = 0;
  let isWhole = false;
  let error = "";
  reply.setEncoding("utf8");
  reply.on("data", (piece: string) => {
    const text = rest + piece;
    const end = text.lastIndexOf("\n\n") + 2;
    if (end < 2) return void (rest = text);
    const events = text.slice(0, end);
    rest = text.slice(end);
    words += [...events.matchAll(word)].length;
    if (/data: \[DONE\]|"type":"message_stop"/.test(events)) isWhole = true;
    error ||= /^.*"error":\{.*$/m.exec(events)?.[0] ?? "";
    if (words >= most) leave(words);
  });
  reply.on("error", () => over("lost", words));
  reply.once("end", () => {
    if (error !== "") over("broken", words, error.slice(0, 200));
    else over(isWhole ? "complete" : "lost", words);
  });
  reply.once("close", () => over("lost", words));
}
