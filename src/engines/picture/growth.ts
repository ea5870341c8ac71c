import type { Chance } from "../chance.ts";
import { blend, css, lighten, type Colour } from "./colour.ts";
import { puff } from "./sky.ts";
import { slidingLayer, type Brush, type Layer, type Stage } from "./stage.ts";

/** Rows of trees from a hazy far edge to dark trunks in front. */
export function forestLayers(stage: Stage): Layer[] {
  const { far, middle, near, skyLow } = stage.plan.palette;
  const { unit, horizon, height } = stage;
  const autumn = stage.plan.subjects.includes("leaves");
  const leafy = autumn || stage.plan.chance.branch("leafy").maybe(0.3);
  const tone = (base: Colour, share: number): Colour => (autumn ? blend(base, { h: 24, s: 0.75, l: base.l + 0.08 }, share) : base);
  return [
    treeRow(stage, {
      depth: 0.15,
      foot: horizon + unit * 0.03,
      tall: unit * 0.24,
      gap: 0.05,
      tone: tone(blend(far, skyLow, 0.25), 0.4),
      leafy,
    }),
    hazeLayer(stage, horizon - unit * 0.05, skyLow),
    treeRow(stage, { depth: 0.4, foot: horizon + unit * 0.13, tall: unit * 0.38, gap: 0.09, tone: tone(middle, 0.5), leafy }),
    hazeLayer(stage, horizon + unit * 0.04, skyLow),
    treeRow(stage, {
      depth: 0.95,
      foot: height + unit * 0.04,
      tall: Math.min(height * 0.8, unit * 0.78),
      gap: 0.2,
      tone: tone(near, 0.3),
      leafy,
      clearing: true,
    }),
  ];
}

type Row = { depth: number; foot: number; tall: number; gap: number; tone: Colour; leafy: boolean; clearing?: boolean };

function treeRow(stage: Stage, row: Row): Layer {
  const top = row.foot - row.tall * 1.25;
  const chance = stage.plan.chance.branch(`trees ${row.depth}`);
  return slidingLayer(stage, row.depth, top, stage.height - top, (brush, width) => {
    brush.fillStyle = css(row.tone);
    brush.fillRect(0, row.tall * 1.25 - row.tall * 0.03, width, stage.height);
    const step = stage.unit * row.gap;
    for (let x = -step; x < width + step; x += step * chance.range(0.6, 1.3)) {
      const tall = row.tall * chance.range(0.65, 1.2);
      // The nearest trees frame the view; in its middle they would only hide it.
      if (row.clearing === true && Math.abs(x / width - 0.5) < 0.24) continue;
      const tree = { x, foot: row.tall * 1.25, tall, tone: lighten(row.tone, chance.range(-0.02, 0.03)) };
      if (row.leafy) leafyTree(brush, tree, chance);
      else pine(brush, tree, chance);
    }
  });
}

type Tree = { x: number; foot: number; tall: number; tone: Colour };

function pine(brush: Brush, { x, foot, tall, tone }: Tree, chance: Chance): void {
  const wide = tall * chance.range(0.17, 0.24);
  brush.fillStyle = css(tone);
  brush.fillRect(x - tall * 0.018, foot - tall * 0.2, tall * 0.036, tall * 0.22);
  const tiers = 6;
  for (let tier = 0; tier < tiers; tier++) {
    const share = tier / tiers;
    const y = foot - tall * (0.1 + share * 0.68);
    const half = wide * (1 - share * 0.82);
    brush.fillStyle = css(lighten(tone, tier * 0.006));
    brush.beginPath();
    brush.moveTo(x, y - tall * 0.24);
    brush.quadraticCurveTo(x + half * 0.35, y - tall * 0.06, x + half, y);
    brush.quadraticCurveTo(x, y - tall * 0.035, x - half, y);
    brush.quadraticCurveTo(x - half * 0.35, y - tall * 0.06, x, y - tall * 0.24);
    brush.fill();
  }
}

function leafyTree(brush: Brush, { x, foot, tall, tone }: Tree, chance: Chance): void {
  brush.fillStyle = css(blend(tone, { h: 25, s: 0.3, l: tone.l * 0.7 }, 0.6));
  brush.beginPath();
  brush.moveTo(x - tall * 0.035, foot);
  brush.quadraticCurveTo(x - tall * 0.01, foot - tall * 0.3, x - tall * 0.05, foot - tall * 0.55);
  brush.lineTo(x + tall * 0.05, foot - tall * 0.55);
  brush.quadraticCurveTo(x + tall * 0.01, foot - tall * 0.3, x + tall * 0.035, foot);
  brush.fill();
  for (let clump = 0; clump < 46; clump++) {
    const angle = chance.range(0, Math.PI * 2);
    const out = Math.sqrt(chance.next()) * tall * 0.27;
    const lift = Math.sin(angle) * out * 0.8;
    // Higher leaves catch more light.
    brush.fillStyle = css(lighten(tone, chance.range(-0.02, 0.02) - (lift / tall) * 0.22));
    brush.beginPath();
    brush.arc(x + Math.cos(angle) * out, foot - tall * 0.68 + lift, tall * chance.range(0.035, 0.085), 0, Math.PI * 2);
    brush.fill();
  }
}

function hazeLayer(stage: Stage, middle: number, tone: Colour): Layer {
  const tall = stage.unit * 0.24;
  const chance = stage.plan.chance.branch(`haze ${Math.round(middle)}`);
  const strength = stage.plan.weather === "fog" ? 0.4 : 0.16;
  return slidingLayer(stage, 0.5, middle - tall / 2, tall, (brush, width) => {
    for (let x = 0; x < width; x += tall * 0.5) puff(brush, x, tall / 2, tall * chance.range(0.35, 0.5), lighten(tone, 0.05), strength);
  });
}

/** Weeds that wave on the sea floor. */
export function seaweedLayer(stage: Stage): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("weed");
  const weeds = Array.from({ length: Math.min(60, Math.round((width / unit) * 26)) }, () => ({
    x: chance.range(-0.1, 1.1) * width,
    tall: unit * chance.range(0.08, 0.34),
    thick: unit * chance.range(0.008, 0.02),
    phase: chance.range(0, 6.3),
    tone: css(lighten(blend(plan.palette.near, { h: chance.range(100, 190), s: 0.5, l: 0.2 }, 0.6), chance.range(-0.05, 0.05))),
  }));
  return (brush, { seconds, pan }) => {
    brush.lineCap = "round";
    for (const weed of weeds) {
      const x = weed.x - pan * unit * 0.5 * plan.drift;
      const sway = (at: number): number => Math.sin(seconds * 1.1 * plan.pace + weed.phase + at) * weed.tall * 0.16;
      brush.strokeStyle = weed.tone;
      brush.lineWidth = weed.thick;
      brush.beginPath();
      brush.moveTo(x, height);
      brush.bezierCurveTo(x + sway(0), height - weed.tall * 0.35, x + sway(1), height - weed.tall * 0.7, x + sway(2), height - weed.tall);
      brush.stroke();
    }
    brush.lineCap = "butt";
  };
}
