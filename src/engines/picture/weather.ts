import { blend } from "./colour.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { glowSprite, puff } from "./sky.ts";
import { wrap, type Layer, type Stage } from "./stage.ts";

/** What falls, drifts or flashes in front of the scene. */
export function weatherLayers(stage: Stage): Layer[] {
  switch (stage.plan.weather) {
    case "rain":
      return [rain(stage, 1)];
    case "storm":
      return [lightning(stage), rain(stage, 1.5)];
    case "snow":
      return [snow(stage)];
    case "fog":
      return [fog(stage)];
    default:
      return [];
  }
}

function rain(stage: Stage, strength: number): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("rain");
  const count = Math.min(420, Math.round((width / unit) * 130 * strength));
  const drops = Array.from({ length: count }, () => ({ x: chance.next(), y: chance.next(), near: chance.range(0.35, 1) }));
  const lean = 0.14 * plan.drift * strength;
  return (brush, { seconds }) => {
    for (const [from, alpha] of [
      [0, 0.2],
      [0.65, 0.38],
    ] as const) {
      brush.strokeStyle = `rgba(205, 220, 240, ${alpha})`;
      brush.lineWidth = Math.max(1, unit * (0.0015 + from * 0.0025));
      brush.beginPath();
      for (const drop of drops) {
        if (from === 0 ? drop.near >= 0.65 : drop.near < 0.65) continue;
        const long = unit * 0.06 * drop.near;
        const y = wrap(drop.y * (height + long) + seconds * unit * 1.9 * drop.near, height + long) - long;
        const x = wrap(drop.x * width + seconds * unit * 1.9 * drop.near * lean, width);
        brush.moveTo(x, y);
        brush.lineTo(x + long * lean, y + long);
      }
      brush.stroke();
    }
  };
}

function snow(stage: Stage): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("snow");
  const count = Math.min(320, Math.round((width / unit) * 110));
  const flakes = Array.from({ length: count }, () => ({
    x: chance.next(),
    y: chance.next(),
    near: chance.range(0.25, 1),
    phase: chance.range(0, 6.3),
  }));
  const sprite = glowSprite(stage, Math.max(2, unit * 0.012), { h: 210, s: 0.3, l: 0.98 }, 1);
  return (brush, { seconds }) => {
    for (const flake of flakes) {
      const size = sprite.width * flake.near;
      const y = wrap(flake.y * height + seconds * unit * 0.13 * flake.near * plan.pace, height + size) - size;
      const x =
        wrap(flake.x * width + Math.sin(seconds * 0.8 + flake.phase) * unit * 0.04 + seconds * unit * 0.03 * plan.drift, width + size) -
        size;
      brush.drawImage(sprite, x, y, size, size);
    }
  };
}

function fog(stage: Stage): Layer {
  const { width, horizon, unit, plan } = stage;
  const chance = plan.chance.branch("fog");
  const strip = stage.surface(Math.ceil(width * 1.5), Math.ceil(unit * 0.5));
  const brush = strip.getContext("2d");
  const tone = blend(plan.palette.skyLow, { h: 215, s: 0.12, l: plan.hour === "night" ? 0.35 : 0.88 }, 0.7);
  for (let index = 0; index < 40; index++) {
    const x = chance.range(0, strip.width);
    const radius = unit * chance.range(0.1, 0.22);
    const y = strip.height / 2 + chance.range(-0.5, 0.5) * (strip.height - radius * 2);
    for (const shift of [-strip.width, 0, strip.width]) puff(brush, x + shift, y, radius, tone, 0.2);
  }
  return (target, { seconds }) => {
    const offset = Math.round(wrap(seconds * unit * 0.03 * plan.pace * plan.drift, strip.width));
    target.drawImage(strip, -offset, horizon - unit * 0.22);
    if (offset > strip.width - width) target.drawImage(strip, strip.width - offset, horizon - unit * 0.22);
  };
}

const boltEverySeconds = 1.7;

/** When the storm's bolt of this turn strikes. */
export function boltSecond(plan: ScenePlan, turn: number): number {
  return turn * boltEverySeconds + plan.chance.branch(`bolt ${turn}`).range(0.1, 1);
}

function lightning(stage: Stage): Layer {
  const { width, height, horizon, unit, plan } = stage;
  return (brush, { seconds }) => {
    const turn = Math.floor(seconds / boltEverySeconds);
    const chance = plan.chance.branch(`bolt ${turn}`);
    const age = seconds - turn * boltEverySeconds - chance.range(0.1, 1);
    if (age < 0 || age > 0.3) return;
    const fade = 1 - age / 0.3;
    brush.fillStyle = `rgba(225, 230, 255, ${(0.3 * fade * fade).toFixed(3)})`;
    brush.fillRect(0, 0, width, height);
    brush.strokeStyle = `rgba(245, 245, 255, ${fade.toFixed(3)})`;
    brush.lineWidth = Math.max(1.5, unit * 0.005);
    let x = chance.range(0.1, 0.9) * width;
    brush.beginPath();
    brush.moveTo(x, 0);
    for (let y = 0; y < horizon; y += unit * 0.05) brush.lineTo((x += chance.range(-0.035, 0.035) * unit), y);
    brush.stroke();
  };
}

/** Small bright things that rise, float or fall: fireflies, embers, petals, leaves, bubbles, dust. */
export function driftLayer(stage: Stage, kind: "fireflies" | "embers" | "petals" | "leaves" | "bubbles" | "dust"): Layer {
  const { width, height, unit, plan } = stage;
  const { count, size, rise, sway, tones, soft } = drifts[kind];
  const chance = plan.chance.branch(`drift ${kind}`);
  const sprites = tones.map((tone) => glowSprite(stage, Math.max(2, unit * size * (soft ? 2.4 : 1)), tone, soft ? 0.95 : 1));
  const specks = Array.from({ length: Math.min(120, Math.round((width / unit) * count)) }, () => ({
    x: chance.next(),
    y: chance.next(),
    near: chance.range(0.4, 1),
    phase: chance.range(0, 6.3),
    tone: chance.whole(0, tones.length - 1),
  }));
  return (brush, { seconds }) => {
    for (const speck of specks) {
      const sprite = sprites[speck.tone];
      if (sprite === undefined) continue;
      const y = wrap(speck.y * height - seconds * unit * rise * speck.near * plan.pace, height * 1.1) - height * 0.05;
      const x =
        wrap(speck.x * width + Math.sin(seconds * 0.9 + speck.phase) * unit * sway + seconds * unit * sway * 0.3, width * 1.06) -
        width * 0.03;
      const wide = sprite.width * speck.near * (soft ? 1 : 0.55 + 0.45 * Math.abs(Math.sin(seconds * 2 + speck.phase)));
      brush.globalAlpha = soft ? Math.max(0, 0.5 + 0.5 * Math.sin(seconds * 1.7 + speck.phase)) : 0.9;
      brush.drawImage(sprite, x, y, wide, sprite.height * speck.near);
    }
    brush.globalAlpha = 1;
  };
}

type Drift = { count: number; size: number; rise: number; sway: number; soft: boolean; tones: { h: number; s: number; l: number }[] };
const drifts: Record<"fireflies" | "embers" | "petals" | "leaves" | "bubbles" | "dust", Drift> = {
  fireflies: {
    count: 26,
    size: 0.009,
    rise: 0.02,
    sway: 0.06,
    soft: true,
    tones: [
      { h: 62, s: 0.95, l: 0.7 },
      { h: 48, s: 1, l: 0.72 },
    ],
  },
  embers: {
    count: 40,
    size: 0.006,
    rise: 0.2,
    sway: 0.05,
    soft: true,
    tones: [
      { h: 22, s: 1, l: 0.6 },
      { h: 38, s: 1, l: 0.65 },
    ],
  },
  petals: {
    count: 30,
    size: 0.013,
    rise: -0.09,
    sway: 0.08,
    soft: false,
    tones: [
      { h: 340, s: 0.75, l: 0.82 },
      { h: 350, s: 0.7, l: 0.9 },
    ],
  },
  leaves: {
    count: 26,
    size: 0.015,
    rise: -0.1,
    sway: 0.1,
    soft: false,
    tones: [
      { h: 22, s: 0.8, l: 0.5 },
      { h: 40, s: 0.85, l: 0.52 },
      { h: 8, s: 0.7, l: 0.45 },
    ],
  },
  bubbles: { count: 34, size: 0.009, rise: 0.14, sway: 0.02, soft: false, tones: [{ h: 195, s: 0.5, l: 0.92 }] },
  dust: { count: 30, size: 0.004, rise: 0.015, sway: 0.04, soft: true, tones: [{ h: 45, s: 0.6, l: 0.9 }] },
};
