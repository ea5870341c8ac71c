import type { Call } from "../core/call.ts";
import { objectOf, present, textOf } from "../dialects/json-reading.ts";
import { invalid, notSupported, numberIn, textIn } from "../dialects/request-fields.ts";
import type { CallTranslation } from "./call/spec.ts";
import { createCallAdapter } from "./call/call.ts";
import { pathSegment } from "./call/path-segment.ts";

/** For the voices of OpenAI, the premade ones here that come closest; any other name is taken as a voice's id. */
const voices: Readonly<Record<string, string>> = {
  alloy: "SAz9YHcvj6GT2YYXdXww",
  ash: "TX3LPaxmHKxFdv7VOQHJ",
  ballad: "N2lVS1w4EtoT3dr4eOWO",
  cedar: "cjVigY5qzO86Huf0OWal",
  coral: "cgSgspJ2msm6clMCkdW9",
  echo: "iP95p4xoKVk53GoZ742B",
  fable: "JBFqnCBsd6RMkjVDRZzb",
  marin: "Xb7hH8MSUJpSbSDYk0k2",
  nova: "EXAVITQu4vr4xnSDxMaL",
  onyx: "nPczCjzI2devNBz1zQrb",
  sage: "XrExE9yKIg1WjnnlVkGX",
  shimmer: "FGY2WhTYpPnrIDTdsKH5",
  verse: "CwhRBWXzGAHq8TQ4Fs17",
};

const formats: Readonly<Record<string, string>> = {
  mp3: "mp3_44100_128",
  opus: "opus_48000_64",
  pcm: "pcm_24000",
  wav: "wav_24000",
};

/** Where a request for speech goes: voice and format are part of the address. */
export function elevenLabsPath({ body }: Call): string {
  const format = textIn(body, "response_format") ?? "mp3";
  const output = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (output === undefined) throw notSupported("response_format", `This model makes ${Object.keys(formats).join(", ")}, not '${format}'.`);
  return `/text-to-speech/${pathSegment(voiceOf(body.voice), "voice")}/stream?output_format=${output}`;
}

export const elevenLabsSpeech: CallTranslation = {
  request({ body, model }) {
    const text = textIn(body, "input") ?? "";
    if (text === "") throw invalid("input", "'input' must be a text.");
    if (body.stream_format === "sse") throw notSupported("stream_format", "This model streams audio alone, not events.");
    const speed = numberIn(body, "speed");
    return present({ text, model_id: model, voice_settings: speed === undefined || speed === 1 ? undefined : { speed } });
  },
  reply: objectOf,
};

/** Speech of ElevenLabs. */
export const elevenLabs = createCallAdapter({
  type: "elevenlabs",
  baseUrl: "https://api.elevenlabs.io/v1",
  auth: { header: "xi-api-key" },
  operations: {
    speech: { path: elevenLabsPath, translate: elevenLabsSpeech, returns: "media", headers: { accept: "*/*" } },
  },
});

function voiceOf(voice: unknown): string {
  const name = textOf(voice) || textOf(objectOf(voice).id);
  if (name === "") throw invalid("voice", "'voice' must be the name or the id of a voice.");
  // As a whole path segment these two would lead elsewhere.
  if (name === "." || name === "..") throw invalid("voice", "There is no such voice.");
  const premade = name.toLowerCase();
  return Object.hasOwn(voices, premade) ? (voices[premade] ?? name) : name;
}
