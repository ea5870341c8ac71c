import { connect } from "node:net";
import type { TestContext } from "node:test";
import { fieldOf } from "../dialect.ts";
import { createLab } from "../lab.ts";
import type { Lab, LabOptions } from "../lab.ts";

export async function labFor(context: TestContext, options: LabOptions = {}): Promise<Lab> {
  const lab = await createLab(options);
  context.after(() => lab.close());
  return lab;
}

/** The headers that each upstream wants. */
export const keyHeaders: Record<string, Record<string, string>> = {
  openai: { authorization: "Bearer lab-key" },
  azure: { "api-key": "lab-key" },
  anthropic: { "x-api-key": "lab-key", "anthropic-version": "2023-06-01" },
  gemini: { "x-goog-api-key": "lab-key" },
  ollama: {},
  elevenlabs: { "xi-api-key": "lab-key" },
};

/** Posts JSON to an address such as `openai/v1/chat/completions`, with the right key. */
export function ask(lab: Lab, place: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const all = { "content-type": "application/json", ...keyHeaders[place.split("/")[0] ?? ""], ...headers };
  return fetch(`${lab.url}/${place}`, { method: "POST", headers: all, body: JSON.stringify(body) });
}

export async function askJson(lab: Lab, place: string, body: object): Promise<unknown> {
  const reply = await ask(lab, place, body);
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
  return reply.json();
}

/** Posts a form, as uploads want it. */
export function askForm(lab: Lab, place: string, fields: Record<string, string | Uint8Array>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), "upload.bin");
  }
  return fetch(`${lab.url}/${place}`, { method: "POST", headers: keyHeaders[place.split("/")[0] ?? ""], body: form });
}

/** The value at a path such as `choices.0.message.content`. */
export function pick(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner: unknown, name) => fieldOf(inner, name), value);
}

export type ReadEvent = { event: string | null; data: string };

/** The events of a stream as one who knows nothing of its dialect reads them; comments are left out. */
export function eventsIn(text: string): ReadEvent[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/);
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = field("data");
    return data === undefined ? [] : { event: field("event") ?? null, data };
  });
}

/** The JSON of every event but `[DONE]`. */
export function valuesIn(text: string): unknown[] {
  return eventsIn(text).flatMap(({ data }) => (data === "[DONE]" ? [] : JSON.parse(data)));
}

export function chat(prompt: string, more: object = {}): object {
  return { model: "lab-chat", messages: [{ role: "user", content: prompt }], ...more };
}

/** One POST over a socket of its own, to see how the connection ends. */
export function askRaw(lab: Lab, place: string, body: object, leaveAfter = Infinity): Promise<{ text: string; end: string }> {
  const content = JSON.stringify(body);
  const fields = { host: "lab", "content-type": "application/json", ...keyHeaders[place.split("/")[0] ?? ""] };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(new URL(lab.url).port), "127.0.0.1");
  socket.write(`POST /${place} HTTP/1.1\r\n${head.join("")}content-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`);
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.length < leaveAfter) return;
      socket.destroy();
      resolve({ text, end: "left" });
    });
    socket.on("end", () => resolve({ text, end: "FIN" }));
    socket.on("error", (error) => resolve({ text, end: String(Reflect.get(error, "code")) }));
  });
}

/** Waits until something is so, for what happens on the other side of a connection. */
export async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error("It never was so.");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
