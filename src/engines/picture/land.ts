import { blend, css, lighten, type Colour } from "./colour.ts";
import { createRidge, slidingLayer, type Brush, type Layer, type Stage } from "./stage.ts";

type Band = { label: string; depth: number; top: number; rise: number; roughness: number; stretch: number; tone: Colour; peaks?: boolean };

/** Three chains of mountains with haze between them. */
export function mountainLayers(stage: Stage): Layer[] {
  const { unit, horizon, plan } = stage;
  const { far, middle, near } = plan.palette;
  return [
    band(stage, {
      label: "far peaks",
      depth: 0.15,
      top: horizon - unit * 0.34,
      rise: unit * 0.34,
      roughness: 0.5,
      stretch: 0.42,
      tone: far,
      peaks: true,
    }),
    band(stage, {
      label: "peaks",
      depth: 0.4,
      top: horizon - unit * 0.2,
      rise: unit * 0.3,
      roughness: 0.48,
      stretch: 0.5,
      tone: middle,
      peaks: true,
    }),
    band(stage, {
      label: "foothills",
      depth: 0.9,
      top: horizon + unit * 0.06,
      rise: unit * 0.16,
      roughness: 0.4,
      stretch: 0.7,
      tone: near,
    }),
  ];
}

/** Rolling country, each hill behind the next. */
export function hillLayers(stage: Stage): Layer[] {
  const { unit, horizon, plan } = stage;
  const { far, middle, near } = plan.palette;
  return [
    band(stage, {
      label: "far hills",
      depth: 0.15,
      top: horizon - unit * 0.12,
      rise: unit * 0.14,
      roughness: 0.3,
      stretch: 0.6,
      tone: far,
    }),
    band(stage, { label: "hills", depth: 0.4, top: horizon - unit * 0.02, rise: unit * 0.15, roughness: 0.22, stretch: 0.7, tone: middle }),
    band(stage, {
      label: "near hills",
      depth: 0.9,
      top: horizon + unit * 0.13,
      rise: unit * 0.13,
      roughness: 0.18,
      stretch: 0.8,
      tone: near,
    }),
  ];
}

/** Dunes with a lit and a shaded side. */
export function desertLayers(stage: Stage): Layer[] {
  const { unit, horizon, plan } = stage;
  const { far, middle, near, light } = plan.palette;
  return [
    band(stage, { label: "mesas", depth: 0.15, top: horizon - unit * 0.1, rise: unit * 0.1, roughness: 0.35, stretch: 0.5, tone: far }),
    band(stage, {
      label: "dunes",
      depth: 0.4,
      top: horizon,
      rise: unit * 0.16,
      roughness: 0.08,
      stretch: 0.9,
      tone: blend(middle, light, 0.25),
    }),
    band(stage, {
      label: "near dunes",
      depth: 0.9,
      top: horizon + unit * 0.14,
      rise: unit * 0.15,
      roughness: 0.05,
      stretch: 0.8,
      tone: blend(near, middle, 0.45),
    }),
  ];
}

/** A single strip of ground for scenes whose subject stands in front. */
export function groundLayer(stage: Stage, top: number, tone: Colour, depth: number): Layer {
  return band(stage, { label: "ground", depth, top, rise: stage.unit * 0.05, roughness: 0.2, stretch: 0.8, tone });
}

function band(stage: Stage, options: Band): Layer {
  const { unit, height, plan } = stage;
  const ridge = createRidge(plan.chance.branch(options.label), options.roughness);
  const start = plan.chance.branch(`${options.label} start`).range(0, 100);
  const heightAt = (x: number): number => {
    const place = start + x / (unit * options.stretch);
    const level = ridge(place);
    if (options.peaks !== true) return options.rise * (1 - level);
    // Folding the line makes sharp tops and soft valleys; a slower line keeps the tops from being equally high.
    return options.rise * (0.66 * Math.min(1, Math.abs(level * 2 - 1) * 2.1) + 0.34 * ridge(place / 3.3 + 71));
  };
  return slidingLayer(stage, options.depth, options.top, height - options.top, (brush, width) => {
    const bottom = height - options.top;
    const gradient = brush.createLinearGradient(0, 0, 0, Math.min(bottom, options.rise * 2.4));
    gradient.addColorStop(0, css(lighten(options.tone, 0.07)));
    gradient.addColorStop(0.5, css(options.tone));
    gradient.addColorStop(1, css(blend(options.tone, plan.palette.skyLow, options.depth < 0.8 ? 0.3 : 0)));
    brush.fillStyle = gradient;
    fillUnder(brush, width, bottom, heightAt);
    if (options.peaks === true) snowCaps(brush, width, options.rise, heightAt, plan.weather === "snow" ? 0.75 : 0.28);
  });
}

function fillUnder(brush: Brush, width: number, bottom: number, heightAt: (x: number) => number): void {
  brush.beginPath();
  brush.moveTo(0, bottom);
  for (let x = 0; x <= width + 3; x += 3) brush.lineTo(x, heightAt(x));
  brush.lineTo(width + 3, bottom);
  brush.fill();
}

function snowCaps(brush: Brush, width: number, rise: number, heightAt: (x: number) => number, line: number): void {
  brush.fillStyle = "hsla(210, 40%, 96%, 0.5)";
  for (let x = 0; x < width; x += 3) {
    const top = heightAt(x);
    const depth = rise * line - top + (Math.sin(x * 0.13) + Math.sin(x * 0.37 + 1) + Math.sin(x * 0.071)) * rise * 0.03;
    if (depth > 0) brush.fillRect(x, top, 3, depth * 0.7);
  }
}

/** Grass that sways at the front, with flowers where the scene calls for them. */
export function grassLayer(stage: Stage, flowers: boolean): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("grass");
  const count = Math.min(260, Math.round((width / unit) * 130));
  const blades = Array.from({ length: count }, () => ({
    x: chance.range(-0.1, 1.1) * width,
    y: height + unit * 0.01 - chance.next() ** 2 * unit * 0.14,
    tall: unit * chance.range(0.05, 0.13),
    phase: chance.range(0, 6.3),
    flower: flowers && chance.maybe(0.35) ? chance.whole(0, 2) : -1,
  })).toSorted((a, b) => a.y - b.y);
  const { near, accent, light, middle } = plan.palette;
  const heads = [accent, blend(light, accent, 0.35), { ...accent, h: (accent.h + 50) % 360 }].map((tone) => flowerSprite(stage, tone));
  const tones = [css(near), css(lighten(near, 0.05)), css(blend(near, middle, 0.5))];
  return (brush, { seconds, pan }) => {
    brush.lineWidth = Math.max(1, unit * 0.006);
    blades.forEach((blade, index) => {
      const sway = Math.sin(seconds * 1.6 * plan.pace + blade.phase + blade.x / unit) * blade.tall * 0.28;
      const x = blade.x - pan * unit * 0.6 * plan.drift;
      brush.strokeStyle = tones[index % 3] ?? "#000";
      brush.beginPath();
      brush.moveTo(x, blade.y);
      brush.quadraticCurveTo(x, blade.y - blade.tall * 0.6, x + sway, blade.y - blade.tall);
      brush.stroke();
      const head = heads[blade.flower];
      if (head !== undefined) brush.drawImage(head, x + sway - head.width / 2, blade.y - blade.tall - head.height / 2);
    });
  };
}

function flowerSprite(stage: Stage, tone: Colour): ReturnType<Stage["surface"]> {
  const size = Math.max(6, Math.ceil(stage.unit * 0.042));
  const surface = stage.surface(size, size);
  const brush = surface.getContext("2d");
  const middle = size / 2;
  for (let petal = 0; petal < 6; petal++) {
    const angle = (petal / 6) * Math.PI * 2;
    brush.fillStyle = css(lighten(tone, petal % 2 === 0 ? 0.06 : -0.03));
    brush.beginPath();
    brush.ellipse(
      middle + Math.cos(angle) * size * 0.24,
      middle + Math.sin(angle) * size * 0.24,
      size * 0.22,
      size * 0.13,
      angle,
      0,
      Math.PI * 2,
    );
    brush.fill();
  }
  brush.fillStyle = "#f7d45a";
  brush.beginPath();
  brush.arc(middle, middle, size * 0.13, 0, Math.PI * 2);
  brush.fill();
  return surface;
}
