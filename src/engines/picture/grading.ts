import { mentions, wordsOf } from "../words.ts";
import { css, type Colour } from "./colour.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { hours, hues, places, subjects, weathers, type Subject } from "./scene-words.ts";
import type { Brush } from "./stage.ts";

/** What of a scene a prompt really speaks of: only that is brought into a picture that has everything else already. */
export type Wished = { place: boolean; hour: boolean; colour: boolean; weather: boolean };

export function wishedIn(prompt: string): Wished {
  const words = wordsOf(prompt);
  return {
    place: mentions(words, places).length > 0,
    hour: mentions(words, hours).length > 0,
    colour: words.some((word) => hues.has(word)),
    weather: mentions(words, weathers).length > 0,
  };
}

/** The planned subjects that the prompt names itself. */
export function wishedSubjects(prompt: string, plan: ScenePlan): Subject[] {
  const wished = mentions(wordsOf(prompt), subjects);
  return plan.subjects.filter((subject) => wished.includes(subject));
}

type GlobalCompositeOperation = Brush["globalCompositeOperation"];
type Veil = [mode: GlobalCompositeOperation, top: Colour, bottom: Colour, alpha: number];

/** Puts what is drawn already into the light and the colours of the plan. */
export function grade(brush: Brush, frame: { width: number; height: number }, plan: ScenePlan, wished: Wished): void {
  const { hour, colour, weather } = wished;
  const { palette } = plan;
  const veils: Veil[] = [
    ["soft-light", palette.skyTop, palette.skyLow, 0.5],
    ["color", palette.skyMiddle, palette.skyLow, colour ? 0.36 : hour || weather ? 0.22 : 0.16],
  ];
  if (hour && plan.hour === "night") veils.push(["multiply", { h: 228, s: 0.5, l: 0.32 }, { h: 222, s: 0.4, l: 0.45 }, 0.85]);
  if (hour && plan.hour === "sunset") veils.push(["overlay", palette.skyMiddle, palette.skyLow, 0.3]);
  if (weather && plan.weather === "storm") veils.push(["multiply", { h: 215, s: 0.2, l: 0.35 }, { h: 215, s: 0.15, l: 0.55 }, 0.8]);
  if (weather && plan.weather === "snow") veils.push(["screen", { h: 210, s: 0.25, l: 0.5 }, { h: 210, s: 0.2, l: 0.75 }, 0.3]);
  for (const [mode, top, bottom, alpha] of veils) {
    const gradient = brush.createLinearGradient(0, 0, 0, frame.height);
    gradient.addColorStop(0, css(top, alpha));
    gradient.addColorStop(1, css(bottom, alpha));
    brush.globalCompositeOperation = mode;
    brush.fillStyle = gradient;
    brush.fillRect(0, 0, frame.width, frame.height);
  }
  brush.globalCompositeOperation = "source-over";
}
