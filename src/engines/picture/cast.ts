import { colour, lighten, type Colour } from "./colour.ts";
import { drawAnimal, drawBird, drawButterfly, drawFish, drawPerson, type Pose } from "./creatures.ts";
import { driftLayer } from "./weather.ts";
import { drawBalloon, drawBoat, drawCar, drawFire, drawHouse, drawRocket } from "./things.ts";
import type { Subject } from "./scene-words.ts";
import type { Brush, Layer, Stage } from "./stage.ts";

/** The layers that bring the scene's subjects in. */
export function castLayers(stage: Stage): Layer[] {
  return stage.plan.subjects.flatMap((subject, index) => layersOf(stage, subject, index));
}

function layersOf(stage: Stage, subject: Subject, index: number): Layer[] {
  const { palette } = stage.plan;
  // By night a black figure would vanish: what light there is falls on it.
  const dark = lighten(palette.near, stage.plan.hour === "night" ? 0.2 : -0.06);
  switch (subject) {
    case "birds":
      return [flock(stage, dark)];
    case "fish":
      return stage.plan.place === "underwater" ? [school(stage, true)] : [school(stage, false)];
    case "butterfly":
      return [hovering(stage, 6)];
    case "boat":
      return [afloat(stage, dark)];
    case "balloon":
      return [inSky(stage, (brush, pose) => drawBalloon(brush, { ...pose, size: stage.unit * 0.2 }, palette.accent))];
    case "rocket":
      return [
        inSky(stage, (brush, pose) =>
          drawRocket(brush, { ...pose, y: pose.y - pose.seconds * stage.unit * 0.03, size: stage.unit * 0.16 }, palette.accent),
        ),
      ];
    case "cat":
    case "dog":
    case "horse":
    case "deer":
      return [onGround(stage, index, animalSize[subject], 0.035, (brush, pose) => drawAnimal(brush, subject, pose), dark)];
    case "person":
      return [onGround(stage, index, 0.27, 0.03, drawPerson, dark)];
    case "house":
      return [onGround(stage, index, 0.24, 0, (brush, pose) => drawHouse(brush, pose, colour(42, 0.95, 0.68)), dark)];
    case "fire":
      return [onGround(stage, index, 0.2, 0, drawFire, dark), driftLayer(stage, "embers")];
    case "car":
      return [onGround(stage, index, 0.15, 0.09, (brush, pose) => drawCar(brush, pose, palette.accent), dark)];
    case "fireflies":
    case "petals":
    case "leaves":
      return [driftLayer(stage, subject)];
    case "aurora":
      return [];
  }
}

const animalSize = { cat: 0.22, dog: 0.26, horse: 0.34, deer: 0.32 };

function onGround(stage: Stage, index: number, size: number, speed: number, draw: (brush: Brush, pose: Pose) => void, tone: Colour): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch(`ground ${index}`);
  const slots = [0.5, 0.3, 0.7, 0.15];
  const start = ((slots[index % slots.length] ?? 0.5) + chance.range(-0.07, 0.07)) * width;
  const water = plan.place === "sea" || plan.place === "lake";
  const foot = water ? height - unit * 0.03 : Math.min(height - unit * 0.07, stage.horizon + unit * 0.27);
  return (brush, { seconds, pan }) => {
    const walk = seconds * unit * speed * plan.pace * plan.drift;
    const span = width + unit * 0.6;
    const x = ((((start + walk - pan * unit * 0.4 * plan.drift + unit * 0.3) % span) + span) % span) - unit * 0.3;
    draw(brush, { x, y: foot, size: unit * size, facing: plan.drift, seconds: seconds * plan.pace, tone });
  };
}

function inSky(stage: Stage, draw: (brush: Brush, pose: Pose) => void): Layer {
  const { width, horizon, unit, plan } = stage;
  const chance = plan.chance.branch("in sky");
  const x = chance.range(0.3, 0.7) * width;
  const y = horizon * (plan.place === "space" ? 0.75 : chance.range(0.35, 0.5));
  return (brush, { seconds, pan }) =>
    draw(brush, {
      x: x + (seconds * 0.01 - pan * 0.3) * unit * plan.drift,
      y,
      size: unit * 0.2,
      facing: plan.drift,
      seconds,
      tone: lighten(plan.palette.near, -0.05),
    });
}

function afloat(stage: Stage, tone: Colour): Layer {
  const { width, height, horizon, unit, plan } = stage;
  const onWater = plan.place === "sea" || plan.place === "lake";
  const chance = plan.chance.branch("afloat");
  const x = chance.range(0.28, 0.72) * width;
  const y = onWater ? horizon + (height - horizon) * 0.3 : horizon + unit * 0.22;
  return (brush, { seconds, pan }) =>
    drawBoat(
      brush,
      { x: x + (seconds * 0.012 - pan * 0.3) * unit * plan.drift, y, size: unit * 0.17, facing: plan.drift, seconds, tone },
      plan.palette.cloud,
    );
}

function flock(stage: Stage, tone: Colour): Layer {
  const { width, horizon, unit, plan } = stage;
  const chance = plan.chance.branch("flock");
  const birds = Array.from({ length: 11 }, (_, index) => ({
    x: chance.range(0.05, 0.12) * (index + 1),
    y: chance.range(0.15, 0.5) + Math.abs(index - 5) * 0.015,
    size: unit * chance.range(0.011, 0.024),
    phase: chance.range(0, 3),
  }));
  return (brush, { seconds }) => {
    const span = width + unit * 0.4;
    for (const bird of birds) {
      const forward = (bird.x * unit * 1.6 + seconds * unit * 0.06 * plan.pace) % span;
      const x = plan.drift === 1 ? forward - unit * 0.2 : width + unit * 0.2 - forward;
      drawBird(brush, {
        x,
        y: bird.y * horizon + Math.sin(seconds + bird.phase) * unit * 0.01,
        size: bird.size,
        facing: plan.drift,
        seconds: seconds + bird.phase,
        tone,
      });
    }
  };
}

function school(stage: Stage, deep: boolean): Layer {
  const { width, height, horizon, unit, plan } = stage;
  const chance = plan.chance.branch("school");
  const fish = Array.from({ length: deep ? 22 : 4 }, () => ({
    start: chance.next(),
    y: deep ? chance.range(0.12, 0.85) * height : horizon + (height - horizon) * chance.range(0.35, 0.9),
    size: unit * chance.range(0.014, 0.05) * (deep ? 1 : 0.7),
    speed: chance.range(0.03, 0.1),
    facing: chance.maybe(0.75) ? plan.drift : plan.drift === 1 ? (-1 as const) : (1 as const),
    tone: colour(plan.palette.accent.h + chance.range(-40, 40), 0.75, chance.range(0.45, 0.65)),
    phase: chance.range(0, 6),
  }));
  return (brush, { seconds }) => {
    for (const one of fish) {
      const share = (one.start + seconds * one.speed * plan.pace) % 1;
      const forward = share * (width + unit * 0.3) - unit * 0.15;
      const x = one.facing === 1 ? forward : width - forward;
      drawFish(brush, { ...one, x, y: one.y + Math.sin(seconds * 1.2 + one.phase) * unit * 0.012, seconds: seconds + one.phase });
    }
  };
}

function hovering(stage: Stage, count: number): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("hover");
  const ones = Array.from({ length: count }, () => ({
    x: chance.range(0.1, 0.9),
    y: chance.range(0.45, 0.85),
    phase: chance.range(0, 6),
    size: unit * chance.range(0.018, 0.034),
    hue: chance.range(-60, 60),
  }));
  return (brush, { seconds }) => {
    for (const one of ones) {
      const x = one.x * width + Math.sin(seconds * 0.7 + one.phase) * unit * 0.12;
      const y = one.y * height + Math.sin(seconds * 1.3 + one.phase * 2) * unit * 0.05;
      drawButterfly(brush, {
        x,
        y,
        size: one.size,
        facing: 1,
        seconds: seconds + one.phase,
        tone: colour(plan.palette.accent.h + one.hue, 0.85, 0.62),
      });
    }
  };
}
