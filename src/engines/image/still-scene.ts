import { createChance } from "../chance.ts";
import { castLayers } from "../picture/cast.ts";
import { blend, css } from "../picture/colour.ts";
import { planScene, type ScenePlan } from "../picture/scene-plan.ts";
import { composeScene } from "../picture/scene.ts";
import { places, type Subject } from "../picture/scene-words.ts";
import { createStage, type Brush, type Layer, type MakeSurface, type Moment, type Stage, type Surface } from "../picture/stage.ts";
import { boltSecond } from "../picture/weather.ts";
import { mentions, wordsOf } from "../words.ts";
import type { Cell } from "../picture/cover.ts";
import { drawStaged, type Frame } from "./easel.ts";
import { indoorLayers } from "./indoors.ts";
import { figuresIn, sceneryPrompt, type Figure } from "./sitter.ts";
import { things } from "./sitter-words.ts";

/** A scene that is shown once, with the figures that stand large in front of it. */
export type Still = { plan: ScenePlan; figures: Figure[]; indoors: boolean };

/** Everything that is decided before the first stroke; the same prompt and seed give the same plan. */
export function planStill(prompt: string, seed: number): Still {
  const figures = figuresIn(prompt, createChance("figures", prompt, seed), false);
  const plan = planScene(figures.length === 0 ? prompt : sceneryPrompt(prompt), seed);
  if (figures.length === 0) return { plan, figures, indoors: false };
  const words = wordsOf(prompt);
  const thingsOnly = figures.every((figure) => things.has(figure.name));
  const indoors = words.some((word) => rooms.has(word)) || (thingsOnly && mentions(words, places).length === 0);
  return { plan: { ...plan, subjects: plan.subjects.filter((subject) => !replaced.has(subject)) }, figures, indoors };
}

const rooms = new Set("table desk room kitchen studio indoor indoors interior shelf portrait café cafe office".split(" "));

/** The subjects of films for which stills have figures of their own. */
const replaced = new Set<Subject>(["cat", "dog", "deer", "person"]);

/** The scene, filling the frame. */
export function drawScene(frame: Frame, { plan, figures, indoors }: Still, surface: MakeSurface): Surface {
  return drawStaged(frame, plan, surface, (brush, stage) => {
    const moment = momentOf(plan);
    if (figures.length === 0) return composeScene(stage)(brush, moment);
    const cast = (inner: Stage): Layer[] => stillCast(inner, figures);
    if (!indoors) return composeScene({ ...stage, cast })(brush, moment);
    for (const layer of indoorLayers({ ...stage, cast })) layer(brush, moment);
  });
}

/**
 * The scene's place alone, without its subjects, as a larger view shows it: in `part` of the frame it has the size, the horizon and the
 * sun that the scene has as a picture of its own.
 */
export function drawScenery(frame: Frame, { plan, figures, indoors }: Still, part: Cell, surface: MakeSurface): Surface {
  return drawStaged(frame, plan, surface, (brush, stage) => {
    const scale = stage.width / frame.width;
    const inner = createStage(part.width * scale, part.height * scale, plan, surface, true);
    const horizon = part.top * scale + inner.horizon;
    const light = {
      x: (part.left * scale + plan.light.x * inner.width) / stage.width,
      y: (part.top * scale + plan.light.y * inner.horizon) / horizon,
    };
    const empty = { ...plan, light, subjects: [] };
    const wide: Stage = { ...stage, unit: inner.unit, horizon, plan: empty, ...(figures.length > 0 && { cast: () => [] }) };
    if (!indoors) return composeScene(wide)(brush, momentOf(plan));
    for (const layer of indoorLayers(wide)) layer(brush, momentOf(plan));
  });
}

/** The moment that a still picture shows: early, before whoever walks has left the middle; of a storm, its bolt. */
export function momentOf(plan: ScenePlan): Moment {
  const chance = plan.chance.branch("still");
  return { seconds: plan.weather === "storm" ? boltSecond(plan, 0) + 0.04 : chance.range(0, 2.2), pan: 0 };
}

/** The scene's subjects: those that films show too, and the large figures. */
export function stillCast(stage: Stage, figures: readonly Figure[], where: Where = "middle"): Layer[] {
  return [...castLayers(stage), ...figures.map((figure, index) => standing(stage, figure, { index, count: figures.length, where }))];
}

/** In front of a picture that has a subject already, figures step aside. */
type Where = "middle" | "aside";
type Spot = { index: number; count: number; where: Where };

function standing(stage: Stage, figure: Figure, { index, count, where }: Spot): Layer {
  const { width, height, unit, plan } = stage;
  const aside = where === "aside";
  const size = unit * ([0.5, 0.42, 0.36][count - 1] ?? 0.36) * (aside ? 0.72 : 1);
  const spread = Math.min(width * 0.9, unit * 0.55 * count * (aside ? 0.72 : 1));
  const chance = plan.chance.branch(`standing ${index}`);
  const middle = aside ? (plan.drift === 1 ? width - spread / 2 : spread / 2) : width / 2;
  const x = middle + ((index + 0.5) / count - 0.5) * spread + chance.range(-0.04, 0.04) * unit;
  const y = Math.min(height - unit * 0.06, stage.horizon + unit * 0.32);
  return (brush) => {
    brush.save();
    brush.translate(x, y);
    brush.scale(size, size);
    if (plan.place !== "clouds" && plan.place !== "underwater") shadow(brush, plan);
    drawLit(brush, figure, stage);
    brush.restore();
  };
}

const figureRoom = { left: -0.6, top: -1.25, width: 1.2, height: 1.35 };

/** Draws the figure in the light of its scene: as bright as by day it would look pasted on. */
function drawLit(brush: Brush, figure: Figure, stage: Stage): void {
  const { left, top, width, height } = figureRoom;
  const { a: across, d: down } = brush.getTransform();
  const sheet = stage.surface(Math.ceil(width * across), Math.ceil(height * down));
  const own = sheet.getContext("2d");
  own.scale(across, down);
  own.translate(-left, -top);
  figure.draw(own);
  own.resetTransform();
  own.globalCompositeOperation = "source-atop";
  own.fillStyle = shadeOf(stage.plan);
  own.fillRect(0, 0, sheet.width, sheet.height);
  brush.drawImage(sheet, left, top, sheet.width / across, sheet.height / down);
}

function shadeOf({ hour, weather, palette, place }: ScenePlan): string {
  const dull = weather === "storm" || weather === "rain" || weather === "fog" ? 0.12 : 0;
  // In space it is always night, yet nothing stands between a figure and its sun.
  if (place === "space") return css(palette.skyTop, 0.12);
  const shades = { night: 0.3, sunset: 0.22, dawn: 0.12, day: 0 };
  return css(hour === "night" ? palette.skyTop : blend(palette.skyTop, palette.near, 0.4), shades[hour] + dull);
}

/** What stands on nothing seems to float. */
function shadow(brush: Brush, plan: ScenePlan): void {
  brush.save();
  brush.scale(1, 0.22);
  const gradient = brush.createRadialGradient(0, 0, 0.05, 0, 0, 0.42);
  gradient.addColorStop(0, css({ ...plan.palette.near, l: 0.06 }, 0.5));
  gradient.addColorStop(1, css({ ...plan.palette.near, l: 0.06 }, 0));
  brush.fillStyle = gradient;
  brush.fillRect(-0.5, -0.5, 1, 1);
  brush.restore();
}
