import { setImmediate as nextTurn } from "node:timers/promises";
import { encodings } from "../audio/encoded-audio.ts";
import { joinSamples, resample } from "../audio/resampler.ts";
import type { Report, SpeechJob, SpeechResult } from "../job.ts";
import { saveFile } from "../saved-file.ts";
import { reshape } from "./reshaping.ts";
import { cutSentences } from "./sentences.ts";
import { spellOut } from "./spoken-text.ts";
import { openVoiceModel, type VoiceModel } from "./voice-model.ts";
import { findVoice, type Voice } from "./voices.ts";

const speechRate = 24_000;

/** The model by itself speaks more slowly than people do. */
const plainPace = 1.12;
const pauseSeconds = 0.25;
/** What is heard of a text without a word. */
const silenceSeconds = 0.3;
const peak = 0.85;
/** The model itself speaks well only about this much faster and slower; the rest is done to the sound. */
const shortestStretch = 0.75;
const longestStretch = 1.5;

/** Reads a text aloud and saves the recording. */
export async function speak(job: SpeechJob, report: Report): Promise<SpeechResult> {
  const sentences = cutSentences(spellOut(job.text));
  const voice = findVoice(job.voice);
  const speed = Math.max(0.25, Math.min(4, job.speed)) * voice.pace * plainPace;
  const pieces: Float32Array[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const spoken = await saySentence(await warmVoice(), sentence, voice, speed);
    if (index > 0) pieces.push(new Float32Array(Math.round((pauseSeconds / speed) * speechRate)));
    pieces.push(spoken);
    report((90 * (index + 1)) / sentences.length);
    await nextTurn();
  }
  if (pieces.length === 0) pieces.push(new Float32Array(Math.round(silenceSeconds * speechRate)));
  const samples = level(joinSamples(pieces));
  const { mime, extension, encode } = encodings[job.format];
  const path = await saveFile(job.outDir, `speech.${extension}`, await encode(samples, speechRate));
  report(100);
  return { engine: "speech", path, mime, durationSeconds: Math.round((samples.length / speechRate) * 1000) / 1000 };
}

let opened: Promise<VoiceModel> | null = null;

/** The voice takes seconds to load: it is kept for the next job, unless loading failed. */
function warmVoice(): Promise<VoiceModel> {
  opened ??= openVoiceModel().catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** Played faster, a voice has higher pitch and resonances alike; the sound is then brought to its own pitch and length. */
async function saySentence(model: VoiceModel, sentence: string, voice: Voice, speed: number): Promise<Float32Array> {
  const wanted = voice.formant / speed;
  const stretch = Math.max(shortestStretch, Math.min(longestStretch, wanted));
  const plain = await model.say(sentence, stretch);
  const resonant = resample(plain, model.sampleRate * voice.formant, speechRate);
  return reshape(resonant, speechRate, { pitch: voice.pitch / voice.formant, stretch: wanted / stretch });
}

function level(samples: Float32Array): Float32Array {
  const highest = samples.reduce((top, sample) => Math.max(top, Math.abs(sample)), 0);
  return highest > 0 ? samples.map((sample) => (sample * peak) / highest) : samples;
}
