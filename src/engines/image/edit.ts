import { css, type Colour } from "../picture/colour.ts";
import { hours, hues, places, subjects, weathers } from "../picture/scene-words.ts";
import { glowSprite, lightSpot } from "../picture/sky.ts";
import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";
import { weatherLayers } from "../picture/weather.ts";
import { mentions, wordsOf } from "../words.ts";
import { drawStaged, type Frame } from "./easel.ts";
import { release, settle } from "./finish.ts";
import { drawScene, momentOf, planStill, stillCast, type Still } from "./still-scene.ts";

/** What of a scene the prompt really speaks of: only that is brought into a picture that has everything else already. */
type Wishes = { place: boolean; hour: boolean; colour: boolean; weather: boolean; still: Still };

/** As `editPicture`, nearer to the source or nearer to the prompt: 0.5 is the usual middle. */
export function editPartly(
  source: Surface,
  frame: Frame,
  wish: { prompt: string; seed: number; strength: number },
  surface: MakeSurface,
): Surface {
  const { prompt, seed, strength } = wish;
  const edited = editPicture(source, frame, prompt, seed, surface);
  const brush = edited.getContext("2d");
  if (strength < 0.5) {
    brush.globalAlpha = 1 - strength * 2;
    brush.drawImage(source, 0, 0);
    brush.globalAlpha = 1;
    settle(brush);
    return edited;
  }
  const far = strength * 2 - 1;
  if (far === 0) return edited;
  const scene = drawScene(frame, planStill(prompt, seed), surface);
  surround(brush, frame, scene, { inner: 0.45 * (1 - far), middle: far, outer: 1.3 - far * 0.5 });
  settle(brush);
  release(scene);
  return edited;
}

/** The source in the prompt's light, colours and weather, with its subjects in front and its place around. */
export function editPicture(source: Surface, frame: Frame, prompt: string, seed: number, surface: MakeSurface): Surface {
  const wishes = readWishes(prompt, seed);
  const { still } = wishes;
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  const scene = drawScene(frame, { plan: { ...still.plan, subjects: [] }, figures: [], indoors: false }, surface);
  // The scene shows through wherever the source is transparent.
  brush.drawImage(scene, 0, 0);
  brush.drawImage(source, 0, 0);
  grade(brush, frame, wishes);
  if (wishes.place) surround(brush, frame, scene);
  settle(brush);
  release(scene);
  const front = drawFront(frame, wishes, surface);
  brush.drawImage(front, 0, 0);
  settle(brush);
  release(front);
  return sheet;
}

function readWishes(prompt: string, seed: number): Wishes {
  const words = wordsOf(prompt);
  const still = planStill(prompt, seed);
  const wished = mentions(words, subjects);
  return {
    place: mentions(words, places).length > 0,
    hour: mentions(words, hours).length > 0,
    colour: words.some((word) => hues.has(word)),
    weather: mentions(words, weathers).length > 0,
    still: { ...still, plan: { ...still.plan, subjects: still.plan.subjects.filter((subject) => wished.includes(subject)) } },
  };
}

type Veil = [mode: GlobalCompositeOperation, top: Colour, bottom: Colour, alpha: number];
type GlobalCompositeOperation = Brush["globalCompositeOperation"];

function grade(brush: Brush, frame: Frame, { still: { plan }, hour, colour, weather }: Wishes): void {
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

/** From where on the scene shows, how much of it shows in the middle, and from where on there is nothing else. */
type Hole = { inner: number; middle: number; outer: number };
const usualHole: Hole = { inner: 0.45, middle: 0, outer: 1.3 };

/** Lets the edges of the picture pass over into the scene, which is used up by it. */
function surround(brush: Brush, { width, height }: Frame, scene: Surface, { inner, middle, outer }: Hole = usualHole): void {
  const mask = scene.getContext("2d");
  mask.save();
  mask.translate(width / 2, height / 2);
  mask.scale(width / 2, height / 2);
  const hole = mask.createRadialGradient(0, 0, inner, 0, 0, outer);
  hole.addColorStop(0, `rgba(0, 0, 0, ${middle.toFixed(3)})`);
  hole.addColorStop(0.6, `rgba(0, 0, 0, ${Math.max(0.75, middle).toFixed(3)})`);
  hole.addColorStop(1, "rgba(0, 0, 0, 1)");
  mask.globalCompositeOperation = "destination-in";
  mask.fillStyle = hole;
  mask.fillRect(-1, -1, 2, 2);
  mask.restore();
  brush.drawImage(scene, 0, 0);
}

/** Subjects, weather and light, on nothing. */
function drawFront(frame: Frame, { still, weather, hour, place }: Wishes, surface: MakeSurface): Surface {
  const { plan } = still;
  const lightened = !place && !(weather && plan.weather !== "clear") && !(hour && plan.hour === "night");
  return drawStaged(frame, plan, surface, (brush, stage) => {
    for (const layer of stillCast(stage, still.figures, "aside")) layer(brush, momentOf(plan));
    if (lightened) {
      const spot = lightSpot(stage);
      const glow = glowSprite(stage, stage.unit * 0.55, plan.palette.light, 0.55);
      brush.drawImage(glow, spot.x - glow.width / 2, spot.y - glow.height / 2);
    }
    if (weather) for (const layer of weatherLayers(stage)) layer(brush, momentOf(plan));
  });
}
