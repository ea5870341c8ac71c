import assert from "node:assert/strict";
import { after, test } from "node:test";
import { mediaBytes } from "../../lab/media.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import type { PlainError } from "../support/wire.ts";

const { client, lab, end } = await startCallGateway();
after(end);

const speech = "/v1/audio/speech";
const transcriptions = "/v1/audio/transcriptions";
const translations = "/v1/audio/translations";
const said = "river stone light morning garden window quiet paper silver mountain forest harbor";
const tone = Buffer.from(mediaBytes("tone.wav"));
const toneSeconds = (tone.length - 44) / tone.readUInt32LE(28);

/** A request whose reply is bytes. */
function speak(body: object): Promise<Response> {
  return fetch(client.url + speech, {
    method: "POST",
    headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "lab-speech", voice: "alloy", input: "Hello there.", ...body }),
  });
}

function form(fields: Record<string, string | Uint8Array<ArrayBuffer> | string[]>, name = "speech.wav"): { raw: FormData } {
  const raw = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === "string") raw.append(field, value);
    else if (Array.isArray(value)) for (const one of value) raw.append(field, one);
    else raw.append(field, new Blob([value]), name);
  }
  return { raw };
}

test("speech comes in each of the six formats, byte for byte as it was made", async () => {
  const formats = [
    ["mp3", "audio/mpeg", "tone.mp3"],
    ["opus", "audio/ogg", "tone.ogg"],
    ["aac", "audio/aac", "tone.aac"],
    ["flac", "audio/flac", "tone.flac"],
    ["wav", "audio/wav", "tone.wav"],
    ["pcm", "audio/pcm", null],
  ] as const;
  for (const [format, mime, file] of formats) {
    const reply = await speak({ response_format: format });
    assert.deepEqual([reply.status, reply.headers.get("content-type")?.split(";")[0]], [200, mime]);
    const expected = file === null ? tone.subarray(44) : Buffer.from(mediaBytes(file));
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), expected, format);
    assert.equal(reply.headers.get("x-genway-provider"), "openai");
  }
});

test("speech costs by its characters, whatever their bytes", async () => {
  const used = async () => (await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd;
  for (const [input, characters] of [
    ["Hello", 5],
    ["héllo", 5],
    ["世界🌍", 3],
  ] as const) {
    const before = await used();
    await (await speak({ input })).arrayBuffer();
    assert.equal(Math.round(((await used()) - before) * 1e9), characters * 15_000);
  }
});

test("speech as events is passed on", async () => {
  const reply = await speak({ stream_format: "sse" });
  assert.match(reply.headers.get("content-type") ?? "", /^text\/event-stream/);
  const events = (await reply.text())
    .trimEnd()
    .split("\n\n")
    .map((event) => JSON.parse(event.replace(/^data: /, "")) as { type: string; audio?: string });
  assert.equal(events.at(-1)?.type, "speech.audio.done");
  const bytes = Buffer.concat(events.map(({ audio = "" }) => Buffer.from(audio, "base64")));
  assert.deepEqual(bytes, Buffer.from(mediaBytes("tone.mp3")));
});

test("speech of an upstream with another dialect has the same form", async () => {
  const reply = await speak({ model: "eleven-lab", response_format: "mp3" });
  assert.deepEqual([reply.status, reply.headers.get("content-type")], [200, "audio/mpeg"]);
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), Buffer.from(mediaBytes("tone.mp3")));
});

test("speech that breaks off ends in an error of the connection and costs nothing", async () => {
  const used = async () => (await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd;
  const before = await used();
  await assert.rejects(speak({ input: "[lab:cut=2]" }).then((reply) => reply.arrayBuffer()));
  assert.equal(await used(), before);
});

test("a recording becomes text in each of the five forms", async () => {
  const asked = { model: "lab-transcription", file: tone };
  const json = await client.post<{ text: string; usage: { seconds: number } }>(transcriptions, undefined, form(asked));
  assert.deepEqual([json.status, json.body.text], [200, said]);
  const texts: [string, RegExp, string][] = [
    ["text", /^text\/plain/, `${said}\n`],
    ["srt", /^text\/plain|subrip/, `1\n00:00:00,000 --> `],
    ["vtt", /^text\/(vtt|plain)/, "WEBVTT\n\n00:00:00.000 --> "],
  ];
  for (const [format, mime, begin] of texts) {
    const { status, headers, text } = await client.post(transcriptions, undefined, form({ ...asked, response_format: format }));
    assert.equal(status, 200, text);
    assert.match(headers.get("content-type") ?? "", mime);
    assert.ok(text.startsWith(begin) && text.includes(said), text);
  }
  type Verbose = { task: string; language: string; duration: number; text: string; segments: object[]; words: object[] };
  const granular = form({ ...asked, response_format: "verbose_json", "timestamp_granularities[]": ["word", "segment"] });
  const { body } = await client.post<Verbose>(transcriptions, undefined, granular);
  assert.deepEqual([body.task, body.language, body.text, body.segments.length, body.words.length], ["transcribe", "english", said, 1, 12]);
  assert.ok(Math.abs(body.duration - toneSeconds) < 1e-6);
});

test("a recording costs by its seconds, also where the reply does not tell them", async () => {
  const used = async () => (await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd;
  for (const [format, seconds] of [
    ["json", Math.ceil(toneSeconds)],
    ["text", toneSeconds],
  ] as const) {
    const before = await used();
    const { headers } = await client.post(
      transcriptions,
      undefined,
      form({ model: "lab-transcription", file: tone, response_format: format }),
    );
    const nanos = Math.round(((await used()) - before) * 1e9);
    assert.ok(Math.abs(nanos - seconds * 100_000) <= 1_000, `${format}: ${nanos} nanos for ${seconds} s`);
    assert.equal(Number(headers.get("x-genway-cost")), nanos / 1e9);
  }
});

test("a recording is translated", async () => {
  const { status, body } = await client.post<{ text: string }>(translations, undefined, form({ model: "lab-transcription", file: tone }));
  assert.deepEqual([status, body.text], [200, said]);
  assert.equal(lab.calls().at(-1)?.operation, "translation");
});

test("every common kind of recording is taken by what it is, not by its name", async () => {
  for (const file of ["tone.mp3", "tone.wav", "tone.flac", "tone.ogg", "clip.mp4", "tone.aac"]) {
    const { status, text } = await client.post(
      transcriptions,
      undefined,
      form({ model: "lab-transcription", file: Buffer.from(mediaBytes(file)) }, "x"),
    );
    assert.equal(status, 200, `${file} → ${text}`);
  }
});

test("a transcription can be streamed", async () => {
  const { status, headers, text } = await client.post(
    transcriptions,
    undefined,
    form({ model: "lab-transcription", file: tone, stream: "true" }),
  );
  assert.equal(status, 200, text);
  assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
  const events = text
    .trimEnd()
    .split("\n\n")
    .map((event) => JSON.parse(event.replace(/^data: /, "")) as { type: string; delta?: string; text?: string });
  assert.equal(events.at(-1)?.type, "transcript.text.done");
  assert.equal(
    events
      .map(({ delta = "" }) => delta)
      .join("")
      .trim(),
    said,
  );
});

test("a wrong field is named", async () => {
  const good = { model: "lab-speech", voice: "alloy", input: "x" };
  const cases: [string, object][] = [
    ["input", { ...good, input: undefined }],
    ["input", { ...good, input: "" }],
    ["input", { ...good, input: "x".repeat(4097) }],
    ["voice", { ...good, voice: 5 }],
    ["voice", { ...good, voice: "" }],
    ["response_format", { ...good, response_format: "midi" }],
    ["speed", { ...good, speed: 0.2 }],
    ["speed", { ...good, speed: 4.1 }],
    ["stream_format", { ...good, stream_format: "x" }],
  ];
  const calls = lab.calls().length;
  for (const [param, body] of cases) {
    const { status, body: reply, text } = await client.post<PlainError>(speech, body);
    assert.deepEqual([status, reply.error?.param], [400, param], `${JSON.stringify(body).slice(0, 80)} → ${text}`);
  }
  const forms: [string, Parameters<typeof form>[0]][] = [
    ["file", { model: "lab-transcription" }],
    ["file", { model: "lab-transcription", file: "text" }],
    ["file", { model: "lab-transcription", file: Buffer.alloc(0) }],
    ["file", { model: "lab-transcription", file: Buffer.from("this is no sound at all") }],
    ["file", { model: "lab-transcription", file: Buffer.from(mediaBytes("cover.png")) }],
    ["response_format", { model: "lab-transcription", file: tone, response_format: "docx" }],
    ["temperature", { model: "lab-transcription", file: tone, temperature: "hot" }],
  ];
  for (const [param, fields] of forms) {
    const { status, body: reply, text } = await client.post<PlainError>(transcriptions, undefined, form(fields));
    assert.deepEqual([status, reply.error?.param], [400, param], `${JSON.stringify(Object.keys(fields))} → ${text}`);
  }
  assert.equal(lab.calls().length, calls, "nothing reached an upstream");
});

test("an unknown model lists what there is, and a recording wants a form", async () => {
  const voice = await client.post<PlainError>(speech, { input: "x" });
  assert.deepEqual([voice.status, voice.body.error.code], [404, "model_not_found"]);
  assert.match(voice.body.error.message, /'tts-1'.*lab-speech.*eleven-lab/);
  const ear = await client.post<PlainError>(transcriptions, undefined, form({ file: tone }));
  assert.deepEqual([ear.status, ear.body.error.code], [404, "model_not_found"]);
  assert.match(ear.body.error.message, /'whisper-1'.*lab-transcription/);
  const json = await client.post<PlainError>(transcriptions, { model: "lab-transcription" });
  assert.deepEqual([json.status, json.body.error.code], [415, "unsupported_media_type"], json.text);
});

test("every reply of this journey keeps the contract", () => client.book.check());
