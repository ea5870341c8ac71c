import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaBytes } from "../media.ts";
import { ask, askForm, askJson, chat, keyHeaders, labFor, pick, valuesIn } from "./ask.fixture.ts";
import { encode, loadTokens } from "./tokens.ts";
import { plainWords } from "./words.ts";

await loadTokens();
const heard = plainWords.slice(0, 12).join("").trim();

test("vectors are the same for the same text, of length one, and the same in base64", async (context) => {
  const lab = await labFor(context);
  const place = "openai/v1/embeddings";
  const asked = { model: "lab-embed", input: ["the sea", "the sky", "the sea"], dimensions: 8 };
  const reply = await askJson(lab, place, asked);
  const vectors = [0, 1, 2].map((index) => pick(reply, `data.${index}.embedding`));
  assert.deepEqual(vectors[0], vectors[2]);
  assert.notDeepEqual(vectors[0], vectors[1]);
  const vector = Float32Array.from(Object(vectors[0]));
  assert.equal(vector.length, 8);
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
  assert.equal(pick(reply, "usage.prompt_tokens"), encode("the sea").length * 3);
  const packed = await askJson(lab, place, { ...asked, encoding_format: "base64" });
  assert.equal(pick(packed, "data.0.embedding"), Buffer.from(vector.buffer).toString("base64"));
  const tokens = await askJson(lab, place, { ...asked, input: encode("the sea") });
  assert.deepEqual([pick(tokens, "data.0.embedding"), pick(tokens, "usage.total_tokens")], [vectors[0], encode("the sea").length]);
  assert.equal((await ask(lab, place, { ...asked, input: "" })).status, 400);
});

test("images are real pictures, as base64 or behind a link, and counted", async (context) => {
  const lab = await labFor(context);
  const place = "openai/v1/images/generations";
  const base64 = await askJson(lab, place, { model: "lab-image", prompt: "a boat", n: 2, response_format: "b64_json" });
  assert.deepEqual(Buffer.from(String(pick(base64, "data.1.b64_json")), "base64"), Buffer.from(mediaBytes("cover.png")));
  assert.equal(pick(base64, "usage.input_tokens_details.text_tokens"), encode("a boat").length);
  assert.deepEqual([lab.calls()[0]?.operation, lab.calls()[0]?.units], ["image", 2]);
  const linked = await askJson(lab, place, { model: "lab-image", prompt: "a boat", output_format: "webp", response_format: "url" });
  const picture = await fetch(String(pick(linked, "data.0.url")));
  assert.equal(picture.headers.get("content-type"), "image/webp");
  assert.deepEqual(await picture.bytes(), new Uint8Array(mediaBytes("cover.webp")));
  const events = valuesIn(await (await ask(lab, place, { model: "lab-image", prompt: "x", stream: true, partial_images: 2 })).text());
  assert.deepEqual(
    events.map((event) => pick(event, "type")),
    ["image_generation.partial_image", "image_generation.partial_image", "image_generation.completed"],
  );
});

test("edits and variations want a picture", async (context) => {
  const lab = await labFor(context);
  const picture = mediaBytes("cover.png");
  const edit = await askForm(lab, "openai/v1/images/edits", { model: "lab-image", prompt: "blue", "image[]": picture, n: "2" });
  assert.equal(pick(await edit.json(), "data.length"), 2);
  assert.equal((await askForm(lab, "openai/v1/images/variations", { model: "lab-image", image: picture })).status, 200);
  assert.equal((await askForm(lab, "openai/v1/images/edits", { model: "lab-image", prompt: "blue" })).status, 400);
  assert.deepEqual(
    lab.calls().map(({ operation, ended }) => `${operation} ${ended}`),
    ["image-edit complete", "image-variation complete", "/v1/images/edits refused"],
  );
});

test("speech is real sound of the format asked for", async (context) => {
  const lab = await labFor(context);
  const starts = { mp3: "", wav: "RIFF", flac: "fLaC", opus: "OggS", aac: "\xff\xf1", pcm: "" };
  for (const [format, start] of Object.entries(starts)) {
    const reply = await ask(lab, "openai/v1/audio/speech", {
      model: "lab-speech",
      input: "Grüße",
      voice: "alloy",
      response_format: format,
    });
    const bytes = Buffer.from(await reply.bytes());
    assert.ok(bytes.length > 1_000 && bytes.toString("latin1").startsWith(start), format);
    assert.match(reply.headers.get("content-type") ?? "", /^audio\//);
  }
  assert.equal(lab.calls()[0]?.units, 5);
  const sse = { model: "lab-speech", input: "x", voice: "alloy", stream_format: "sse" };
  const events = valuesIn(await (await ask(lab, "openai/v1/audio/speech", sse)).text());
  const sound = Buffer.concat(events.map((event) => Buffer.from(String(pick(event, "audio") ?? ""), "base64")));
  assert.deepEqual(sound, Buffer.from(mediaBytes("tone.mp3")));
  assert.equal(pick(events.at(-1), "usage.input_tokens"), 1);
  assert.equal((await ask(lab, "openai/v1/audio/speech", { ...sse, response_format: "midi" })).status, 400);
});

test("transcripts come in every format, with the length of what was heard", async (context) => {
  const lab = await labFor(context);
  const file = mediaBytes("tone.wav");
  const form = (more: Record<string, string>) =>
    askForm(lab, "openai/v1/audio/transcriptions", { model: "lab-transcription", file, ...more });
  assert.deepEqual(await (await form({})).json(), { text: heard, usage: { type: "duration", seconds: 1 } });
  assert.equal(await (await form({ response_format: "text" })).text(), `${heard}\n`);
  assert.equal(await (await form({ response_format: "srt" })).text(), `1\n00:00:00,000 --> 00:00:00,500\n${heard}\n\n`);
  assert.match(await (await form({ response_format: "vtt" })).text(), /^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.500\n/);
  const verbose: unknown = await (await form({ response_format: "verbose_json", prompt: "[lab:tokens=4]" })).json();
  assert.deepEqual([pick(verbose, "duration"), pick(verbose, "words.length"), pick(verbose, "segments.0.end")], [0.5, 4, 0.5]);
  const events = valuesIn(await (await form({ stream: "true", model: "gpt-4o-transcribe" })).text());
  assert.deepEqual([events.length, pick(events.at(-1), "usage.output_tokens")], [13, 12]);
  const translated = await askForm(lab, "openai/v1/audio/translations", {
    model: "lab-transcription",
    file,
    response_format: "verbose_json",
  });
  assert.equal(pick(await translated.json(), "task"), "translate");
  assert.deepEqual(
    [lab.calls()[0]?.operation, lab.calls()[0]?.units, lab.calls().at(-1)?.operation],
    ["transcription", 0.5, "translation"],
  );
});

test("moderation flags what it is told to, and reranking finds the best match", async (context) => {
  const lab = await labFor(context);
  const judged = await askJson(lab, "openai/v1/moderations", { model: "lab-moderation", input: ["fine", "[lab:flagged]"] });
  assert.deepEqual(
    [0, 1].map((index) => pick(judged, `results.${index}.flagged`)),
    [false, true],
  );
  assert.deepEqual(
    [0, 1].map((index) => pick(judged, `results.${index}.categories.violence`)),
    [false, true],
  );
  const documents = ["bread and butter", "a boat on the river", "the river"];
  const asked = { model: "lab-rerank", query: "boat river", documents, top_n: 2, return_documents: true };
  const ranked = await askJson(lab, "openai/v1/rerank", asked);
  assert.deepEqual(
    [0, 1].map((index) => pick(ranked, `results.${index}.index`)),
    [1, 2],
  );
  assert.equal(pick(ranked, "results.0.document.text"), documents[1]);
  assert.equal(pick(ranked, "results.length"), 2);
  assert.ok(Number(pick(ranked, "usage.total_tokens")) > 8);
});

test("models are listed", async (context) => {
  const lab = await labFor(context);
  const listed = await fetch(`${lab.url}/openai/v1/models`, { headers: keyHeaders["openai"] });
  assert.equal(pick(await listed.json(), "data.0.id"), "lab-chat");
  assert.deepEqual(lab.calls(), []);
});

test("Azure takes the model from the deployment, and its streams begin with a chunk about the prompt", async (context) => {
  const lab = await labFor(context);
  const place = "azure/openai/deployments/house%20chat/chat/completions";
  const reply = await askJson(lab, `${place}?api-version=2024-10-21`, { messages: [{ role: "user", content: "x" }] });
  assert.equal(pick(reply, "model"), "house chat");
  assert.equal((await ask(lab, place, chat("x"))).status, 404);
  const chunks = valuesIn(await (await ask(lab, `${place}?api-version=2024-10-21`, chat("x", { stream: true }))).text());
  assert.deepEqual([pick(chunks[0], "choices"), pick(chunks[0], "prompt_filter_results.0.prompt_index")], [[], 0]);
  assert.equal(pick(await askJson(lab, "azure/openai/v1/chat/completions", chat("x")), "model"), "lab-chat");
  const refused = await ask(lab, "azure/openai/v1/chat/completions", chat("[lab:refuse=content_policy]"));
  assert.equal(pick(await refused.json(), "error.innererror.code"), "ResponsibleAIPolicyViolation");
  assert.equal((await ask(lab, "azure/openai/v1/chat/completions", chat("x"), { "api-key": "wrong" })).status, 401);
});
