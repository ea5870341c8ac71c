import assert from "node:assert/strict";
import { test } from "node:test";
import { request } from "node:http";
import type { Lab } from "../lab.ts";
import { ask, askRaw, chat, eventsIn, keyHeaders, labFor, pick, until, valuesIn } from "./ask.fixture.ts";
import { plainWords, unicodeWords } from "./words.ts";

/** One streamed request of each dialect, and where its words stand. */
const streams: Record<string, { place: string; body(prompt: string): object; isError: RegExp }> = {
  chat: { place: "openai/v1/chat/completions", body: (prompt) => chat(prompt, { stream: true }), isError: /^data: \{"error":\{"message"/m },
  completion: { place: "openai/v1/completions", body: (prompt) => ({ model: "m", prompt, stream: true }), isError: /^data: \{"error":/m },
  responses: { place: "openai/v1/responses", body: (input) => ({ model: "m", input, stream: true }), isError: /^event: error$/m },
  anthropic: {
    place: "anthropic/v1/messages",
    body: (prompt) => chat(prompt, { stream: true, max_tokens: 50 }),
    isError: /^event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"/m,
  },
  gemini: {
    place: "gemini/v1beta/models/m:streamGenerateContent?alt=sse",
    body: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    isError: /^data: \{"error":\{"code":503/m,
  },
  ollama: { place: "ollama/api/chat", body: (prompt) => chat(prompt), isError: /^\{"error":/m },
};

function wordsIn(text: string): number {
  return plainWords.filter((word) => text.includes(`"${word}"`)).length;
}

function lastOf(lab: Lab) {
  const { ended, completionTokens } = lab.calls().at(-1) ?? { ended: null, completionTokens: null };
  return { ended, completionTokens };
}

for (const [name, { place, body, isError }] of Object.entries(streams)) {
  test(`${name}: a stream is cut after exactly the words asked for, in order or by a reset`, async (context) => {
    const lab = await labFor(context);
    for (const [mark, end] of [
      ["cut=5", "FIN"],
      ["rst=5", "ECONNRESET"],
      ["cut=0", "FIN"],
    ] as const) {
      const words = Number(mark.slice(-1));
      const seen = await askRaw(lab, place, body(`[lab:${mark}]`));
      assert.deepEqual([wordsIn(seen.text), seen.end], [words, end], mark);
      assert.match(seen.text, /^HTTP\/1\.1 200 OK\r\n/);
      assert.ok(!seen.text.endsWith("0\r\n\r\n"), "the body ended in order");
      assert.deepEqual(lastOf(lab), { ended: "cut", completionTokens: words });
    }
  });

  test(`${name}: a stream is held after its words until the client leaves`, async (context) => {
    const lab = await labFor(context);
    const reply = await ask(lab, place, body("[lab:hold=5]"));
    const reader = reply.body?.getReader();
    assert.ok(reader);
    let text = "";
    while (wordsIn(text) < 5) text += Buffer.from((await reader.read()).value ?? []).toString();
    assert.equal(wordsIn(text), 5);
    assert.deepEqual(lastOf(lab), { ended: "open", completionTokens: 5 });
    await reader.cancel();
    await until(() => lastOf(lab).ended === "left");
    assert.equal(lastOf(lab).completionTokens, 5);
  });

  test(`${name}: an error comes in the middle in the upstream's form`, async (context) => {
    const lab = await labFor(context);
    const text = await (await ask(lab, place, body("[lab:error=5]"))).text();
    assert.match(text, isError);
    assert.match(text, /told to fail/);
    assert.equal(wordsIn(text), 5);
    assert.ok(!text.includes("[DONE]") && !text.includes("message_stop"));
    assert.deepEqual(lastOf(lab), { ended: "cut", completionTokens: 5 });
  });
}

test("a truncated stream ends in order in the middle of a frame", async (context) => {
  const lab = await labFor(context);
  const text = await (await ask(lab, "openai/v1/chat/completions", chat("[lab:truncated]", { stream: true }))).text();
  assert.equal(wordsIn(text), 6);
  assert.ok(!text.endsWith("\n\n") && !text.includes("[DONE]"));
  assert.deepEqual(lastOf(lab), { ended: "cut", completionTokens: 6 });
});

test("media are cut between their pieces", async (context) => {
  const lab = await labFor(context);
  const speech = { model: "lab-speech", input: "[lab:cut=2]", voice: "alloy" };
  const seen = await askRaw(lab, "openai/v1/audio/speech", speech);
  assert.equal(seen.end, "FIN");
  assert.equal(seen.text.split("\r\n400\r\n").length, 3);
  assert.equal(lastOf(lab).ended, "cut");
});

/** The body of a streamed chat as the chunks that the server wrote. */
function chunksOf(lab: Lab, prompt: string, more: object = {}): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", ...keyHeaders["openai"] };
    const outgoing = request(`${lab.url}/openai/v1/chat/completions`, { method: "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(chunks));
    });
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(chat(prompt, { stream: true, ...more })));
  });
}

test("frames are cut at odd places, also inside characters, and joined; the text stays whole", async (context) => {
  const lab = await labFor(context);
  const chunks = await chunksOf(lab, "[lab:split] [lab:unicode] [lab:tokens=60]");
  const isBroken = (chunk: Buffer) => chunk.toString().includes("\ufffd");
  const hasSeveral = (chunk: Buffer) => chunk.toString().split("data: ").length > 2;
  assert.ok(chunks.some(isBroken) && chunks.some(hasSeveral) && chunks.some((chunk) => chunk.length === 1));
  const values = valuesIn(Buffer.concat(chunks).toString());
  const text = values.map((value) => pick(value, "choices.0.delta.content") ?? "").join("");
  assert.equal(text, Array.from({ length: 5 }, () => unicodeWords.join("")).join(""));
  assert.deepEqual(lastOf(lab), { ended: "complete", completionTokens: 60 });
});

test("a split stream that is cut has exactly its words", async (context) => {
  const lab = await labFor(context);
  const seen = await askRaw(lab, "openai/v1/chat/completions", chat("[lab:split] [lab:cut=5]", { stream: true }));
  const text = seen.text
    .slice(seen.text.indexOf("\r\n\r\n") + 4)
    .replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, "")
    .replaceAll("\r\n", "");
  assert.equal(wordsIn(text), 5);
  assert.deepEqual(lastOf(lab), { ended: "cut", completionTokens: 5 });
});

test("events can have other line ends and comments between them", async (context) => {
  const lab = await labFor(context);
  const text = await (await ask(lab, "openai/v1/chat/completions", chat("[lab:crlf] [lab:comments]", { stream: true }))).text();
  assert.ok(text.includes("\r\n\r\n") && !/[^\r]\n/.test(text));
  assert.equal(text.split(": keep-alive\r\n\r\n").length, 16);
  assert.equal(eventsIn(text).length, 15);
});

test("frames can be paced", async (context) => {
  const lab = await labFor(context);
  const startedAt = performance.now();
  await (await ask(lab, "openai/v1/chat/completions", chat("[lab:pace=5] [lab:tokens=10]", { stream: true }))).text();
  assert.ok(performance.now() - startedAt >= 50);
});

test("a very long reply is as fast as its reader, in constant memory", async (context) => {
  const lab = await labFor(context);
  const prompt = "[lab:tokens=200000]";
  const reply = await ask(lab, "openai/v1/chat/completions", chat(prompt, { stream: true }));
  const reader = reply.body?.getReader();
  await reader?.read();
  await until(() => lastOf(lab).completionTokens !== 0);
  const before = lastOf(lab).completionTokens ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const waiting = lastOf(lab).completionTokens ?? 0;
  assert.ok(waiting < 100_000, `${waiting} words were written to nobody`);
  let [bytes, peak] = [0, 0];
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    bytes += piece.value.length;
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  assert.ok(bytes > 200_000 * 100 && before <= waiting);
  assert.ok(peak < 300 * 1024 * 1024, `the heap grew to ${peak} bytes`);
  await until(() => lastOf(lab).ended === "complete");
  assert.equal(lastOf(lab).completionTokens, 200_000);
});

test("a body without end goes on until the client leaves", async (context) => {
  const lab = await labFor(context);
  for (const stream of [false, true]) {
    const seen = await askRaw(lab, "openai/v1/chat/completions", chat("[lab:endless]", { stream }), 2_000_000);
    assert.ok(seen.text.length >= 2_000_000 && /a{100}$/.test(seen.text));
    assert.match(seen.text, stream ? /\r\ndata: \{"id":"\r\n/ : /\r\n\{"id":"\r\n/);
    await until(() => lastOf(lab).ended === "left");
  }
});

test("streams are cut at the rate of the script", async (context) => {
  const lab = await labFor(context, { script: { cutRate: 0.4 } });
  for (let count = 0; count < 60; count++) {
    await (await ask(lab, "openai/v1/chat/completions", chat(`call ${count}`, { stream: count % 3 !== 0 }))).text().catch(() => "");
  }
  const cut = lab.calls().filter(({ ended }) => ended === "cut");
  assert.ok(cut.length > 6 && cut.length < 28, `${cut.length} of 40 streams were cut`);
  assert.ok(cut.every(({ stream, completionTokens }) => stream && completionTokens < 12));
});
