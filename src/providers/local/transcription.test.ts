import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Answer, Call, JsonObject } from "../../core/call.ts";
import type { TranscriptionJob } from "../../engines/job.ts";
import { callOf, eventsIn, textOfStream } from "../call/call.fixture.ts";
import { languageName } from "./language.ts";
import { srtOf } from "./subtitles.ts";
import { fileOf, openShop, refusalIn, valueOf, type Tricks } from "./local.fixture.ts";

const measures = { averageLogprob: -0.25, compressionRatio: 1.5, noSpeechProbability: 0.125 };
const segments = [
  { start: 0, end: 1.5, text: " Good morning.", tokens: [1, 2], ...measures },
  { start: 1.5, end: 3661.25, text: " A --> B.", tokens: [3], ...measures },
];
const words = [{ word: "Good", start: 0, end: 0.5 }];
const usage = { type: "duration", seconds: 3662.5 };

function listening(jobs: (TranscriptionJob & { heard: string })[] = []): Tricks {
  return {
    async transcription(job) {
      jobs.push({ ...job, heard: await readFile(job.path, "utf8") });
      const text = "Good morning. A --> B.";
      return { language: "en", durationSeconds: 3662.5, text, segments, words: job.words ? words : [] };
    },
  };
}

function hear(body: JsonObject, operation: "transcription" | "translation" = "transcription"): Call {
  return callOf(operation, body, { files: [fileOf("file", "RIFF", "audio/wav")] });
}

test("a transcript is a text and how long the recording is", async (t) => {
  const jobs: (TranscriptionJob & { heard: string })[] = [];
  const shop = await openShop(t, listening(jobs));
  assert.deepEqual(valueOf(await shop.ask(hear({}))), { text: "Good morning. A --> B.", usage });
  await shop.ask(
    hear({ language: "de", prompt: "Names", temperature: 0.5, "timestamp_granularities[]": ["word", "segment"] }, "translation"),
  );
  assert.deepEqual(
    jobs.map(({ outDir: _outDir, path: _path, ...job }) => job),
    [
      { engine: "transcription", temperature: 0, words: false, translate: false, heard: "RIFF" },
      { engine: "transcription", language: "de", prompt: "Names", temperature: 0.5, words: true, translate: true, heard: "RIFF" },
    ],
  );
  assert.deepEqual(await shop.left(), []);
});

test("text and subtitles are plain text, with the length beside them for whoever charges", async (t) => {
  const shop = await openShop(t, listening());
  const expected: [string, string, string][] = [
    ["text", "text/plain; charset=utf-8", "Good morning. A --> B.\n"],
    ["srt", "application/x-subrip", "1\n00:00:00,000 --> 00:00:01,500\nGood morning.\n\n2\n00:00:01,500 --> 01:01:01,250\nA -> B.\n\n"],
    ["vtt", "text/vtt", "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nGood morning.\n\n00:00:01.500 --> 01:01:01.250\nA -> B.\n\n"],
  ];
  for (const [format, mime, text] of expected) {
    const answer: Answer = await shop.ask(hear({ response_format: format }));
    assert.ok(answer.state === "whole");
    assert.deepEqual([answer.mime, Buffer.from(answer.body).toString(), answer.value], [mime, text, { usage }]);
  }
  assert.equal(srtOf([]), "");
});

test("a verbose transcript tells its language, segments, and words where they are asked for", async (t) => {
  const shop = await openShop(t, listening());
  const asked = { response_format: "verbose_json", temperature: 0.5 };
  const value = valueOf(await shop.ask(hear(asked)));
  const told = { temperature: 0.5, avg_logprob: -0.25, compression_ratio: 1.5, no_speech_prob: 0.125 };
  assert.deepEqual(value, {
    task: "transcribe",
    language: "english",
    duration: 3662.5,
    text: "Good morning. A --> B.",
    segments: [
      { id: 0, seek: 0, start: 0, end: 1.5, text: " Good morning.", tokens: [1, 2], ...told },
      { id: 1, seek: 150, start: 1.5, end: 3661.25, text: " A --> B.", tokens: [3], ...told },
    ],
    usage,
  });
  const withWords = valueOf(await shop.ask(hear({ ...asked, "timestamp_granularities[]": "word" }, "translation")));
  assert.deepEqual([withWords.task, withWords.language, withWords.words], ["translate", "english", words]);
});

test("a streamed transcript comes segment by segment and ends with the whole", async (t) => {
  const shop = await openShop(t, listening());
  const answer = await shop.ask(hear({ stream: true }));
  assert.deepEqual(eventsIn(await textOfStream(answer)), [
    { type: "transcript.text.delta", delta: "Good morning." },
    { type: "transcript.text.delta", delta: " A --> B." },
    { type: "transcript.text.done", text: "Good morning. A --> B.", usage },
  ]);
  assert.equal((await shop.ask(hear({ stream: true, response_format: "srt" }))).state, "whole");
});

test("a recording is needed, in a format we have", async (t) => {
  const shop = await openShop(t, listening());
  assert.equal(refusalIn(await shop.ask(callOf("transcription", {}))).param, "file");
  const speakers = refusalIn(await shop.ask(hear({ response_format: "diarized_json" })));
  assert.deepEqual([speakers.class, speakers.param], ["unsupported", "response_format"]);
  assert.equal(refusalIn(await shop.ask(hear({ response_format: "xml" }))).class, "invalid");
});

test("languages have the names that transcripts use", () => {
  const names = ["en", "de", "zh", "bn", "my", "nn", "ht", "haw", "yue"].map(languageName);
  assert.deepEqual(names, ["english", "german", "chinese", "bengali", "myanmar", "nynorsk", "haitian creole", "hawaiian", "cantonese"]);
});
