import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import { toFile } from "openai";
import { mediaBytes } from "../../lab/media.ts";
import { imageSize } from "../support/media-probe.ts";
import { png } from "../support/samples.ts";
import { openaiFor, startTargets, type Target } from "./target.ts";

function embeddings(target: Target): void {
  const { embeddings: api } = openaiFor(target);
  const { embedding: model } = target.models;
  const input = "a fox in the snow";

  test("the client's own encoding and plain numbers give the same vector", async () => {
    // Unless told otherwise the client asks for base64 and unpacks it.
    const packed = await api.create({ model, input });
    const plain = await api.create({ model, input, encoding_format: "float" });
    const [first] = packed.data;
    assert.deepEqual([packed.object, packed.model, packed.data.length, first?.object, first?.index], ["list", model, 1, "embedding", 0]);
    const vector = first?.embedding ?? [];
    assert.ok(vector.length >= 64 && vector.every((value) => Number.isFinite(value)));
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3, "it has length 1");
    const same = plain.data[0]?.embedding ?? [];
    assert.equal(same.length, vector.length);
    assert.ok(same.every((value, index) => Math.abs(value - (vector[index] ?? 9)) < 1e-6));
    assert.ok(packed.usage.prompt_tokens >= 4 && packed.usage.total_tokens === packed.usage.prompt_tokens);
  });

  test("several texts keep their order", async () => {
    const { data } = await api.create({ model, input: [input, "stock market report", input] });
    assert.deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2],
    );
    const [one, other, again] = data.map(({ embedding }) => embedding);
    const apart = (other ?? []).some((value, index) => Math.abs(value - (one?.[index] ?? 0)) > 1e-3);
    const alike = (again ?? []).every((value, index) => Math.abs(value - (one?.[index] ?? 9)) < 1e-3);
    assert.ok(apart && alike);
  });

  test("fewer dimensions can be asked for", async () => {
    const { data } = await api.create({ model, input, dimensions: 32 });
    assert.equal(data[0]?.embedding.length, 32);
    assert.ok(Math.abs(Math.hypot(...(data[0]?.embedding ?? [])) - 1) < 1e-3);
  });
}

async function pictureAt(url: string | undefined): Promise<Buffer> {
  const reply = await fetch(url ?? "");
  assert.deepEqual([reply.status, reply.headers.get("content-type")], [200, "image/png"], url);
  return Buffer.from(await reply.arrayBuffer());
}

function images(target: Target): void {
  const { images: api } = openaiFor(target);
  const { image: model } = target.models;
  const source = () => toFile(png(64, 64), "source.png", { type: "image/png" });
  const mask = () => toFile(createCanvas(64, 64).toBuffer("image/png"), "mask.png", { type: "image/png" });
  const size = "256x256" as const;
  /** The lab has one picture whatever is asked for. */
  const isSized = ({ width, height }: { width: number; height: number }) => target.lab !== null || (width === 256 && height === 256);

  test("a picture comes inside the reply", async () => {
    const { created, data = [] } = await api.generate({ model, prompt: "a red boat", size, response_format: "b64_json" });
    assert.ok(Math.abs(created - Date.now() / 1000) < 60);
    assert.deepEqual([data.length, data[0]?.url], [1, undefined]);
    const bytes = Buffer.from(data[0]?.b64_json ?? "", "base64");
    assert.equal(bytes.toString("latin1", 0, 8), "\x89PNG\r\n\x1a\n");
    assert.ok(isSized(await imageSize(bytes)));
  });

  test("a picture can be fetched from an address of the service, without a key", async () => {
    const { data = [] } = await api.generate({ model, prompt: "a red boat", n: 2, size, response_format: "url" });
    assert.equal(data.length, 2);
    for (const { url, b64_json: inside } of data) {
      assert.ok(url?.startsWith(`${target.url}/assets/`), url);
      assert.equal(inside, undefined);
      assert.ok(isSized(await imageSize(await pictureAt(url))));
    }
  });

  test("a picture is changed and varied", async () => {
    const changed = await api.edit({ model, image: await source(), prompt: "make it night", size, response_format: "b64_json" });
    assert.ok(isSized(await imageSize(Buffer.from(changed.data?.[0]?.b64_json ?? "", "base64"))));
    const several = await api.edit({ model, image: [await source(), await source()], mask: await mask(), prompt: "both", size });
    assert.equal(several.data?.length, 1);
    const varied = await api.createVariation({ model, image: await source(), n: 2, size });
    assert.equal(varied.data?.length, 2);
    await imageSize(await pictureAt(varied.data?.[0]?.url));
  });
}

const formats = {
  mp3: { mime: "audio/mpeg", isIt: (bytes: Buffer) => bytes.toString("latin1", 0, 3) === "ID3" || bytes.readUInt16BE() >> 5 === 0x7ff },
  opus: { mime: "audio/ogg", isIt: (bytes: Buffer) => bytes.toString("latin1", 0, 4) === "OggS" && bytes.includes("OpusHead") },
  aac: { mime: "audio/aac", isIt: (bytes: Buffer) => (bytes.readUInt16BE() & 0xfff6) === 0xfff0 },
  flac: { mime: "audio/flac", isIt: (bytes: Buffer) => bytes.toString("latin1", 0, 4) === "fLaC" },
  wav: { mime: "audio/wav", isIt: (bytes: Buffer) => bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12) === "RIFFWAVE" },
  pcm: { mime: "audio/pcm", isIt: (bytes: Buffer) => bytes.length % 2 === 0 && bytes.toString("latin1", 0, 4) !== "RIFF" },
} as const;
const formatNames = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;

function audio(target: Target): void {
  const { audio: api } = openaiFor(target);
  const spoken = { model: target.models.speech, voice: "alloy", input: "Good morning, and welcome to the harbour." };
  const model = target.models.transcription;
  let recording = Buffer.from(mediaBytes("tone.wav"));
  const file = () => toFile(recording, "speech.wav", { type: "audio/wav" });

  for (const format of formatNames) {
    test(`speech comes as ${format}`, async () => {
      const reply = await api.speech.create({ ...spoken, response_format: format });
      const bytes = Buffer.from(await reply.arrayBuffer());
      const { mime, isIt } = formats[format];
      assert.equal(reply.headers.get("content-type")?.split(";")[0], mime);
      assert.ok(bytes.length > 1_000 && isIt(bytes), `${bytes.length} bytes, ${bytes.toString("hex", 0, 16)}`);
      if (format === "wav" && target.lab === null) recording = bytes;
    });
  }

  test("speech without a format is MP3", async () => {
    const reply = await api.speech.create(spoken);
    assert.equal(reply.headers.get("content-type"), formats.mp3.mime);
    assert.ok(formats.mp3.isIt(Buffer.from(await reply.arrayBuffer())));
  });

  test("a recording becomes text in every form", async () => {
    const { text } = await api.transcriptions.create({ model, file: await file() });
    assert.match(text, target.lab === null ? /^good morning/i : /^river stone/, "it is what was said");
    const plain: unknown = await api.transcriptions.create({ model, file: await file(), response_format: "text" });
    assert.equal(String(plain).trim(), text.trim());
    const srt: unknown = await api.transcriptions.create({ model, file: await file(), response_format: "srt" });
    assert.match(String(srt), /^1\n00:00:0\d,\d{3} --> 00:00:\d\d,\d{3}\n.*\w/);
    const vtt: unknown = await api.transcriptions.create({ model, file: await file(), response_format: "vtt" });
    assert.match(String(vtt), /^WEBVTT\n\n(00:)?00:0\d\.\d{3} --> (00:)?00:\d\d\.\d{3}\n.*\w/);
  });

  test("a recording becomes text with the time of every segment and word", async () => {
    const asked = { model, file: await file(), response_format: "verbose_json", timestamp_granularities: ["word", "segment"] } as const;
    const {
      text,
      duration,
      language,
      segments = [],
      words = [],
    } = await api.transcriptions.create({ ...asked, timestamp_granularities: [...asked.timestamp_granularities] });
    assert.equal(language, "english");
    assert.ok(text !== "" && duration > 0.1 && segments.length >= 1 && words.length >= 1);
    for (const { start, end, text: said } of segments) assert.ok(start >= 0 && end > start && end <= duration + 1 && said !== "");
    for (const { start, end, word } of words) assert.ok(start >= 0 && end >= start && word !== "");
  });

  test("a recording is translated into English", async () => {
    const { text } = await api.translations.create({ model, file: await file() });
    assert.match(text, /\w{3}/);
  });
}

for (const target of await startTargets()) {
  after(target.end);
  suite(`embeddings with OpenAI's client, ${target.name}`, () => embeddings(target));
  suite(`images with OpenAI's client, ${target.name}`, () => images(target));
  suite(`audio with OpenAI's client, ${target.name}`, () => audio(target));
}
