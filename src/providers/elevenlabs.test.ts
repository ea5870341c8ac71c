import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, callOf, secret, serve, textOfStream } from "./call/call.fixture.ts";
import { elevenLabs, elevenLabsPath, elevenLabsSpeech } from "./elevenlabs.ts";

const speech = (body: Record<string, unknown> = {}) =>
  callOf("speech", { input: "Hello.", voice: "nova", ...body }, { model: "eleven_flash_v2_5" });

test("speech is asked for by voice and format in the address", async (context) => {
  const { url, sent } = await serve(context, () => ({ mime: "audio/mpeg", pieces: [Buffer.from("ID3")] }));
  const answer = await ask(elevenLabs, `${url}/v1`, speech({ speed: 1.1 }));
  assert.equal(answer.state === "stream" && answer.mime, "audio/mpeg");
  assert.equal(await textOfStream(answer), "ID3");
  assert.equal(sent[0]?.url, "/v1/text-to-speech/EXAVITQu4vr4xnSDxMaL/stream?output_format=mp3_44100_128");
  assert.equal(sent[0]?.headers["xi-api-key"], secret);
  assert.deepEqual(JSON.parse(sent[0]?.text ?? ""), { text: "Hello.", model_id: "eleven_flash_v2_5", voice_settings: { speed: 1.1 } });
});

test("formats go by their names there, and those it does not make are refused", () => {
  const format = (name: string) =>
    new URLSearchParams(elevenLabsPath(speech({ response_format: name })).split("?")[1]).get("output_format");
  assert.deepEqual(["mp3", "opus", "pcm", "wav"].map(format), ["mp3_44100_128", "opus_48000_64", "pcm_24000", "wav_24000"]);
  for (const name of ["aac", "flac", "toString"]) {
    assert.throws(() => format(name), { code: "not_supported", param: "response_format" });
  }
});

test("a voice is a name of OpenAI's or an id, and leads nowhere else", () => {
  const voice = (value: unknown) => elevenLabsPath(speech({ voice: value })).split("/")[2];
  assert.equal(voice("Onyx"), "nPczCjzI2devNBz1zQrb");
  assert.equal(voice("my voice/1"), "my%20voice%2F1");
  assert.equal(voice({ id: "abc" }), "abc");
  assert.equal(voice("constructor"), "constructor");
  for (const wrong of ["..", "", undefined, 7]) assert.throws(() => voice(wrong), { code: "invalid_request", param: "voice" });
});

test("what cannot be spoken there is refused", () => {
  assert.throws(() => elevenLabsSpeech.request(speech({ input: "" })), { code: "invalid_request", param: "input" });
  assert.throws(() => elevenLabsSpeech.request(speech({ stream_format: "sse" })), { code: "not_supported", param: "stream_format" });
});

test("a used up quota hides behind its 401, and is told from a wrong key", async (context) => {
  for (const [status, expected] of [
    ["quota_exceeded", "quota"],
    ["invalid_api_key", "auth"],
  ]) {
    const { url } = await serve(context, () => ({ status: 401, pieces: [JSON.stringify({ detail: { status, message: "No." } })] }));
    const answer = await ask(elevenLabs, url, speech());
    assert.equal(answer.state === "refused" && answer.refusal.class, expected);
  }
});
