import { blend, css, lighten } from "./colour.ts";
import { lightSpot, puff } from "./sky.ts";
import { stillLayer, type Layer, type Stage } from "./stage.ts";

/** Open water from the horizon to the bottom edge, with the light's path on it and swell that grows nearer. */
export function seaLayers(stage: Stage): Layer[] {
  return [surfaceLayer(stage), glitterLayer(stage), swellLayer(stage, stage.plan.weather === "storm" ? 2.2 : 1)];
}

/** Still water: the same light, hardly any swell. */
export function lakeLayers(stage: Stage): Layer[] {
  return [surfaceLayer(stage), glitterLayer(stage), swellLayer(stage, 0.3)];
}

function surfaceLayer(stage: Stage): Layer {
  const { width, height, horizon, plan } = stage;
  const { water, skyLow, skyMiddle } = plan.palette;
  const surface = stage.surface(width, Math.max(1, height - horizon));
  const brush = surface.getContext("2d");
  const gradient = brush.createLinearGradient(0, 0, 0, surface.height);
  gradient.addColorStop(0, css(blend(water, skyLow, 0.6)));
  gradient.addColorStop(0.3, css(blend(water, skyMiddle, 0.35)));
  gradient.addColorStop(1, css(lighten(water, -0.1)));
  brush.fillStyle = gradient;
  brush.fillRect(0, 0, width, surface.height);
  return (target) => target.drawImage(surface, 0, horizon);
}

function glitterLayer(stage: Stage): Layer {
  const { height, horizon, unit, plan } = stage;
  const chance = plan.chance.branch("glitter");
  const dashes = Array.from({ length: 90 }, () => ({
    depth: chance.next() ** 1.6,
    across: chance.range(-1, 1) + chance.range(-1, 1),
    phase: chance.range(0, 6.3),
  }));
  const { x } = lightSpot(stage);
  const faint = plan.weather === "rain" || plan.weather === "storm" || plan.weather === "fog" ? 0.25 : 1;
  return (brush, { seconds }) => {
    brush.fillStyle = css(plan.palette.light);
    for (const dash of dashes) {
      const y = horizon + dash.depth * (height - horizon) * 0.95;
      const spread = unit * (0.05 + dash.depth * 0.2);
      const long = unit * (0.02 + dash.depth * 0.09) * (0.7 + 0.3 * Math.sin(seconds * 2 + dash.phase));
      brush.globalAlpha =
        faint * Math.max(0, 0.3 + 0.35 * Math.sin(seconds * 3 * plan.pace + dash.phase)) * (1 - Math.abs(dash.across) * 0.35);
      brush.fillRect(x + dash.across * spread - long / 2, y, long, Math.max(1, unit * (0.002 + dash.depth * 0.004)));
    }
    brush.globalAlpha = 1;
  };
}

function swellLayer(stage: Stage, strength: number): Layer {
  const { width, height, horizon, unit, plan } = stage;
  const { water, skyLow } = plan.palette;
  const rows = 9;
  const chance = plan.chance.branch("swell");
  const phases = Array.from({ length: rows }, () => chance.range(0, 6.3));
  const step = Math.max(4, width / 160);
  return (brush, { seconds, pan }) => {
    for (let row = 0; row < rows; row++) {
      const near = ((row + 1) / rows) ** 1.7;
      const y = horizon + near * (height - horizon) * 0.96;
      const swing = unit * 0.018 * near * strength;
      const length = unit * (0.06 + near * 0.3);
      const move = seconds * plan.pace * (1.1 - near * 0.3) + (phases[row] ?? 0);
      const shift = pan * unit * near * plan.drift;
      const lift = (x: number): number =>
        Math.sin((x + shift) / length + move) * swing + Math.sin(((x + shift) / length) * 2.3 - move * 1.4) * swing * 0.45;
      brush.beginPath();
      for (let x = 0; x <= width + step; x += step) brush.lineTo(x, y + lift(x));
      brush.strokeStyle = css(blend(lighten(water, 0.2), skyLow, 0.5), 0.12 + 0.22 * near);
      brush.lineWidth = Math.max(1, unit * 0.007 * near);
      brush.stroke();
      brush.lineTo(width + step, Math.min(height, y + unit * 0.09 * near));
      brush.lineTo(0, Math.min(height, y + unit * 0.09 * near));
      brush.fillStyle = css(lighten(water, -0.05), 0.25 * near);
      brush.fill();
    }
  };
}

/** The deep: light from above that fades, rays that sway, sand below. */
export function underwaterLayers(stage: Stage): Layer[] {
  const { width, height, unit, plan } = stage;
  const { water, light } = plan.palette;
  const dim = plan.hour === "night" ? 0.5 : 1;
  const depth = stillLayer(stage, (brush) => {
    const gradient = brush.createLinearGradient(0, 0, 0, height);
    gradient.addColorStop(0, css({ h: water.h - 12, s: 0.7, l: 0.62 * dim }));
    gradient.addColorStop(0.5, css({ h: water.h, s: 0.75, l: 0.32 * dim }));
    gradient.addColorStop(1, css({ h: water.h + 12, s: 0.7, l: 0.12 * dim }));
    brush.fillStyle = gradient;
    brush.fillRect(0, 0, width, height);
    for (let x = 0; x < width + unit * 0.2; x += unit * 0.16)
      puff(brush, x, height + unit * 0.03, unit * 0.2, { h: 42, s: 0.35, l: 0.4 * dim }, 0.5);
  });
  return [depth, rays(stage, css(light, 0.1))];
}

function rays(stage: Stage, tone: string): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("rays");
  const beams = Array.from({ length: 7 }, () => ({
    x: chance.range(-0.1, 1.1) * width,
    wide: unit * chance.range(0.03, 0.12),
    phase: chance.range(0, 6.3),
  }));
  return (brush, { seconds }) => {
    for (const beam of beams) {
      const lean = unit * 0.25 + Math.sin(seconds * 0.5 + beam.phase) * unit * 0.08;
      const gradient = brush.createLinearGradient(0, 0, 0, height * 0.85);
      gradient.addColorStop(0, tone);
      gradient.addColorStop(1, "rgba(255, 255, 255, 0)");
      brush.fillStyle = gradient;
      brush.globalAlpha = 0.6 + 0.4 * Math.sin(seconds * 0.9 + beam.phase * 2);
      brush.beginPath();
      brush.moveTo(beam.x, 0);
      brush.lineTo(beam.x + beam.wide, 0);
      brush.lineTo(beam.x + beam.wide * 2.2 + lean, height);
      brush.lineTo(beam.x - beam.wide * 0.6 + lean, height);
      brush.fill();
    }
    brush.globalAlpha = 1;
  };
}
