import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Chance } from "../chance.ts";
import type { ScenePlan } from "./scene-plan.ts";

export type Brush = SKRSContext2D;
export type Surface = Canvas;
export type MakeSurface = (width: number, height: number) => Surface;

/** A point of the film: seconds since its start, and how far the camera has drifted (-0.5 to 0.5). */
export type Moment = { seconds: number; pan: number };

/** Something that paints itself over what is already there. */
export type Layer = (brush: Brush, moment: Moment) => void;

/** Where layers are made: the frame, what was planned for it, and surfaces to prepare things on once. */
export type Stage = {
  width: number;
  height: number;
  /** The length that things are measured in, so that wide, tall and square frames show them at a fitting size. */
  unit: number;
  /** Where sky ends and ground or water begins. */
  horizon: number;
  plan: ScenePlan;
  surface: MakeSurface;
  /** The scene is shown once: its layers paint straight onto the picture, at whatever scale it has, instead of keeping a surface each. */
  once: boolean;
  /** Brings the subjects in, where not the usual cast does. */
  cast?: (stage: Stage) => Layer[];
};

export function createStage(width: number, height: number, plan: ScenePlan, surface: MakeSurface, once = false): Stage {
  const unit = Math.min(height, width * 1.2);
  const share = height > width * 1.5 ? 0.68 : 0.6;
  return { width, height, unit, horizon: Math.round(height * share), plan, surface, once };
}

/** A layer that is painted once, wider than the frame, and slides by as the camera drifts: nearer layers slide further. */
export function slidingLayer(
  stage: Stage,
  depth: number,
  top: number,
  height: number,
  paint: (brush: Brush, width: number) => void,
): Layer {
  const travel = Math.ceil(stage.unit * 0.5 * depth);
  const size = { width: stage.width + travel, height: Math.max(1, Math.ceil(height)) };
  if (stage.once) {
    return (brush, { pan }) => {
      const left = -Math.round(travel * (0.5 + pan * stage.plan.drift));
      paintWithin(brush, left, Math.round(top), size, (target) => paint(target, size.width));
    };
  }
  const surface = stage.surface(size.width, size.height);
  paint(surface.getContext("2d"), surface.width);
  return (brush, { pan }) => {
    const offset = travel * (0.5 + pan * stage.plan.drift);
    // Whole pixels on purpose where movement is tiny would stutter; the painter's filter makes fractions smooth.
    brush.drawImage(surface, -offset, Math.round(top));
  };
}

/** A layer that is painted once at the size of the frame and stands still. */
export function stillLayer(stage: Stage, paint: (brush: Brush) => void): Layer {
  if (stage.once) return (brush) => paintWithin(brush, 0, 0, stage, paint);
  const surface = stage.surface(stage.width, stage.height);
  paint(surface.getContext("2d"));
  return (brush) => brush.drawImage(surface, 0, 0);
}

/** Paints as on a surface of this size that is laid on with its corner there. */
function paintWithin(
  brush: Brush,
  left: number,
  top: number,
  size: { width: number; height: number },
  paint: (brush: Brush) => void,
): void {
  brush.save();
  brush.translate(left, top);
  brush.beginPath();
  brush.rect(0, 0, size.width, size.height);
  brush.clip();
  paint(brush);
  brush.restore();
}

/** A rolling line through random heights from 0 to 1; higher `roughness` adds finer detail. */
export function createRidge(chance: Chance, roughness: number): (x: number) => number {
  const heights = Array.from({ length: 256 }, () => chance.next());
  const at = (index: number): number => heights[((index % 256) + 256) % 256] ?? 0;
  const smooth = (x: number): number => {
    const base = Math.floor(x);
    const share = x - base;
    const ease = share * share * (3 - 2 * share);
    return at(base) + (at(base + 1) - at(base)) * ease;
  };
  return (x) => {
    let sum = 0;
    let weight = 1;
    let total = 0;
    for (let octave = 1; octave <= 32; octave *= 2) {
      sum += smooth(x * octave + octave * 17) * weight;
      total += weight;
      weight *= roughness;
    }
    return sum / total;
  };
}

/** Repeats a value in the range from 0 up to `length`. */
export function wrap(value: number, length: number): number {
  return ((value % length) + length) % length;
}
