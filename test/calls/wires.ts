import assert from "node:assert/strict";
import { eventsOf } from "./teller.ts";

/** One way to ask for text: a dialect of the client's, and an upstream that speaks the same or another. */
export type Wire = {
  name: string;
  path: string;
  request(prompt: string, more?: object): object;
  shape: "plain" | "messages" | "responses";
};

const messages = (prompt: string) => ({ messages: [{ role: "user", content: prompt }] });

export const chat: Wire = {
  name: "chat",
  path: "/v1/chat/completions",
  request: (prompt, more) => ({ model: "lab-chat", ...messages(prompt), ...more }),
  shape: "plain",
};
export const completion: Wire = {
  name: "completion",
  path: "/v1/completions",
  request: (prompt, more) => ({ model: "lab-chat", prompt, max_tokens: 100, ...more }),
  shape: "plain",
};
export const message: Wire = {
  name: "messages",
  path: "/v1/messages",
  request: (prompt, more) => ({ model: "claude-lab", max_tokens: 1_000, ...messages(prompt), ...more }),
  shape: "messages",
};
export const responses: Wire = {
  name: "responses over chat",
  path: "/v1/responses",
  request: (prompt, more) => ({ model: "lab-chat", input: prompt, ...more }),
  shape: "responses",
};
const chatOverMessages: Wire = {
  ...chat,
  name: "chat over messages",
  request: (prompt, more) => ({ model: "claude-lab", ...messages(prompt), ...more }),
};
const messagesOverChat: Wire = {
  ...message,
  name: "messages over chat",
  request: (prompt, more) => ({ model: "lab-chat", max_tokens: 1_000, ...messages(prompt), ...more }),
};

/** Where the upstream speaks as the client does, and where it does not. */
export const sameWires = [chat, completion, message];
export const wires = [...sameWires, responses, chatOverMessages, messagesOverChat];

/** The code of a whole reply's error, which must have the shape of its dialect. */
export function codeOf({ shape }: Wire, body: Record<string, unknown>): string {
  const error = body["error"] as Record<string, unknown>;
  assert.equal(typeof error?.["message"], "string", JSON.stringify(body));
  if (shape === "messages") assert.equal(body["type"], "error");
  else assert.deepEqual(Object.keys(error).toSorted(), ["code", "message", "param", "type"]);
  assert.equal(typeof error["type"], "string");
  return String(error["code"]);
}

/** The code of the error that a stream ended with, which must be its only one and its very last event. */
export function streamCodeOf(wire: Wire, text: string): string {
  const events = eventsOf(text);
  const last = events.at(-1);
  assert.ok(last?.data, `no event at the end of: ${text.slice(-300)}`);
  assert.ok(!text.includes("[DONE]") && !text.includes("message_stop"), "a broken reply must not look whole");
  assert.equal(events.filter(({ raw }) => /"error":\{|"type":"error"/.test(raw)).length, 1, `one error: ${text.slice(-800)}`);
  if (wire.shape === "plain") return codeOf(wire, last.data);
  assert.equal(last.event, "error");
  assert.equal(last.data["type"], "error");
  if (wire.shape === "messages") return codeOf(wire, last.data);
  assert.equal(typeof last.data["message"], "string");
  return String(last.data["code"]);
}
