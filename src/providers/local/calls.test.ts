/** The calls with the real generators behind them. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { JsonObject } from "../../core/call.ts";
import { createEngines, type Engines } from "../../engines/engines.ts";
import { readImageHeader } from "../../kit/image-header.ts";
import { callOf, eventsIn, textOfStream, workOf } from "../call/call.fixture.ts";
import { fileOf, openShop, readOnePiece, refusalIn, valueOf, type Shop } from "./local.fixture.ts";

let root: string;
let engines: Engines;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "local-calls-test-"));
  engines = createEngines({ workDir: join(root, "work") });
});
after(async () => {
  await engines.close();
  await rm(root, { recursive: true, force: true });
});

function open(context: Parameters<typeof openShop>[0]): Promise<Shop> {
  return openShop(context, engines, { cacheDir: join(root, "models") });
}

test("a completion streamed and a completion whole are the same text, and its likelihoods fit it", async (t) => {
  const shop = await open(t);
  const body = { prompt: "Once upon a time", max_tokens: 12, seed: 5, temperature: 0, logprobs: 2, echo: true };
  const whole = valueOf(await shop.ask(callOf("completion", body)));
  const [choice] = whole.choices as [{ text: string; finish_reason: string; logprobs: Record<string, unknown[]> }];
  assert.ok(choice.text.startsWith("Once upon a time,") && choice.finish_reason === "length", choice.text);
  const { tokens = [], text_offset: offsets = [], token_logprobs: logprobs = [] } = choice.logprobs;
  assert.equal(tokens.join(""), choice.text);
  assert.deepEqual(
    tokens.map((_, at) => tokens.slice(0, at).join("").length),
    offsets,
  );
  assert.ok(logprobs[0] === null && logprobs.slice(1).every((logprob) => typeof logprob === "number" && logprob <= 0));
  assert.equal((whole.usage as JsonObject).completion_tokens, 12);

  const events = eventsIn(await textOfStream(await shop.ask(callOf("completion", { ...body, stream: true })))) as JsonObject[];
  assert.equal(events.pop(), "[DONE]");
  const parts = events.flatMap(({ choices }) => choices as { text: string; logprobs: Record<string, unknown[]> | null }[]);
  assert.ok(parts.length > 8, `it came in ${parts.length} parts`);
  assert.equal(parts.map(({ text }) => text).join(""), choice.text);
  assert.deepEqual(
    parts.flatMap(({ logprobs: told }) => told?.text_offset ?? []),
    offsets,
  );
  assert.deepEqual(events.at(-1)?.usage, whole.usage);
  assert.equal(events[0]?.system_fingerprint, whole.system_fingerprint);
  assert.deepEqual(await shop.left(), []);
});

test("the best of several texts is kept, and all of them are counted", async (t) => {
  const shop = await open(t);
  const value = valueOf(await shop.ask(callOf("completion", { prompt: ["The dog", "The cat"], max_tokens: 4, n: 1, best_of: 3, seed: 1 })));
  assert.deepEqual(
    (value.choices as JsonObject[]).map(({ index }) => index),
    [0, 1],
  );
  assert.equal((value.usage as JsonObject).completion_tokens, 24);
});

test("a chat is answered, and leaving its stream stops the model at once", { timeout: 90_000 }, async (t) => {
  const shop = await open(t);
  const messages = [{ role: "user", content: "Tell me about a dog." }];
  const { choices } = valueOf(await shop.ask(callOf("chat", { messages, max_tokens: 8 })));
  const [{ message }] = choices as [{ message: JsonObject }];
  assert.ok(typeof message.content === "string" && message.content.length > 8);
  await readOnePiece(await shop.ask(callOf("chat", { messages, n: 100, max_tokens: 200, stream: true })));
  const next = await shop.ask(callOf("chat", { messages, max_tokens: 1 }));
  assert.equal(next.state, "whole");
  assert.deepEqual(await shop.left(), []);
});

test("what the model cannot take is refused in its own words", async (t) => {
  const shop = await open(t);
  const refusal = refusalIn(await shop.ask(callOf("completion", { prompt: [99_999_999], stream: true })));
  assert.equal(refusal.class, "invalid");
  assert.match(refusal.says ?? "", /^Token 99999999 is not one/);
  const long = refusalIn(await shop.ask(callOf("completion", { prompt: "word ".repeat(10_000) })));
  assert.deepEqual([long.class, /context/.test(long.says ?? "")], ["invalid", true]);
});

test("texts of like meaning have like vectors, also when cut", async (t) => {
  const shop = await open(t);
  const input = ["a cat sleeps", "a kitten naps", "the stock market fell"];
  const { data } = valueOf(await shop.ask(callOf("embedding", { input, dimensions: 128 })));
  const [cat = [], kitten = [], market = []] = (data as { embedding: number[] }[]).map(({ embedding }) => embedding);
  const likeness = (a: number[], b: number[]): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  assert.ok(Math.abs(likeness(cat, cat) - 1) < 1e-6);
  assert.ok(likeness(cat, kitten) > likeness(cat, market) + 0.2);
});

test("a ranking puts the document first that says the same in other words", async (t) => {
  const shop = await open(t);
  const documents = ["the stock market fell", { text: "a kitten naps in the sun" }, "a ship at sea"];
  const { results, usage } = valueOf(await shop.ask(callOf("rerank", { query: "a sleeping cat", documents, top_n: 2 })));
  const [best, next] = results as [JsonObject, JsonObject];
  assert.equal(best.index, 1);
  assert.ok(Number(best.relevance_score) > Number(next.relevance_score) + 0.1 && Number(best.relevance_score) < 1);
  assert.ok(Number((usage as JsonObject).total_tokens) > 15);
  assert.deepEqual(await shop.left(), []);
});

test("a picture is drawn, edited and varied in the size and format asked for", async (t) => {
  const shop = await open(t);
  const drawn = pictureIn(valueOf(await shop.ask(callOf("image", { prompt: "a red boat", size: "128x96" }))));
  assert.deepEqual(readImageHeader(drawn), { format: "png", width: 128, height: 96 });
  const files = [fileOf("image", drawn, "image/png")];
  const edited = await shop.ask(callOf("image-edit", { prompt: "at night", size: "64x64", output_format: "jpeg" }, { files }));
  assert.deepEqual(readImageHeader(pictureIn(valueOf(edited))), { format: "jpeg", width: 64, height: 64 });
  const varied = await shop.ask(callOf("image-variation", { size: "96x64" }, { files }));
  assert.deepEqual(readImageHeader(pictureIn(valueOf(varied))), { format: "png", width: 96, height: 64 });
  const broken = await shop.ask(callOf("image-variation", {}, { files: [fileOf("image", "no picture")] }));
  assert.equal(refusalIn(broken).class, "invalid");
  assert.deepEqual(await shop.left(), []);
});

test("what is said can be written down again", async (t) => {
  const shop = await open(t);
  const spoken = await shop.ask(callOf("speech", { input: "Good morning.", response_format: "wav" }));
  assert.ok(spoken.state === "stream" && spoken.mime === "audio/wav");
  const pieces: Uint8Array[] = [];
  for await (const piece of spoken.pieces) pieces.push(piece);
  const files = [fileOf("file", Buffer.concat(pieces), "audio/wav")];
  const written = valueOf(await shop.ask(callOf("transcription", { response_format: "verbose_json" }, { files })));
  assert.equal(written.language, "english");
  assert.match(String(written.text), /good morning/i);
  const noise = await shop.ask(callOf("transcription", {}, { files: [fileOf("file", "no sound")] }));
  assert.equal(refusalIn(noise).class, "invalid");
  assert.deepEqual(await shop.left(), []);
});

test("a client who goes cancels the work", async (t) => {
  const shop = await open(t);
  const gone = new AbortController();
  const asked = shop.ask(callOf("image", { prompt: "a city", size: "4096x4096", n: 10 }), workOf({ signal: gone.signal }));
  gone.abort();
  assert.deepEqual(refusalIn(await asked), { class: "cancelled" });
  assert.deepEqual(await shop.left(), []);
});

function pictureIn({ data }: JsonObject): Buffer {
  const [picture] = data as [{ b64_json: string }];
  return Buffer.from(picture.b64_json, "base64");
}
