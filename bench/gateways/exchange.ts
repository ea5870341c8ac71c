/** What is asked and answered in the benchmark, known to the mock and to those who load it. */

/** The model's name tells the mock how long to wait before it answers. */
export const models = { 0: "bench-model", 60: "bench-model-60ms" } as const;
export type DelayMs = keyof typeof models;

export const sizes = { small: { request: 200, reply: 330 }, large: { request: 10_240, reply: 10_240 } } as const;
export type Size = keyof typeof sizes;

/** Each frame of a stream has this word once; the mock sends as many frames as the request allows tokens. */
export const streamWord = "word-";
export const streamEnd = "[DONE]";
export const frameEveryMs = 20;

/** A request of exactly the size's number of bytes. */
export function plainBody(size: Size, delayMs: DelayMs, modelPrefix = ""): string {
  const model = modelPrefix + models[delayMs];
  const body = (content: string) => JSON.stringify({ model, messages: [{ role: "user", content }], max_tokens: 64 });
  return body(filler(sizes[size].request - body("").length));
}

export function streamBody(frames: number, modelPrefix = ""): string {
  return JSON.stringify({
    model: modelPrefix + models[0],
    messages: [{ role: "user", content: filler(60) }],
    max_tokens: frames,
    stream: true,
    stream_options: { include_usage: true },
  });
}

/** The bytes of a whole request, so that sending it again costs nothing but the write. */
export function requestBytes(port: number, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    "content-type": "application/json",
    accept: "*/*",
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Plain words of that many bytes. */
export function filler(length: number): string {
  return "a quiet lake under the first light of the morning ".repeat(Math.ceil(length / 50)).slice(0, length);
}
