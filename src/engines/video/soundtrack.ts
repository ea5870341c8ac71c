import type { VideoJob } from "../job.ts";
import type { ScenePlan } from "../picture/scene-plan.ts";
import { composeAmbience } from "./ambience.ts";
import { framesPerSecond, soundRate } from "./mp4.ts";
import type { SourceFilm } from "./source-film.ts";

/** How long the new sound rises while the old one ends. */
const overlapSeconds = 0.6;

/** A film's sound: what the scene sounds like, after the sound of the film that it goes on from. */
export async function composeSound({ source }: VideoJob, film: SourceFilm | null, plan: ScenePlan, count: number): Promise<Float32Array> {
  const seconds = count / framesPerSecond;
  if (film === null || source?.act !== "extend") return composeAmbience(plan, seconds);
  const whole = new Float32Array(Math.round(seconds * soundRate) * 2);
  whole.set((await film.sound()).subarray(0, whole.length));
  const start = Math.max(0, film.frameCount / framesPerSecond - overlapSeconds);
  const offset = Math.round(start * soundRate) * 2;
  const added = composeAmbience(plan, seconds - start);
  for (let at = 0; at < added.length && offset + at < whole.length; at++) {
    const sum = (whole[offset + at] ?? 0) + (added[at] ?? 0);
    whole[offset + at] = Math.min(0.98, Math.max(-0.98, sum));
  }
  return whole;
}
