import { blend, css, lighten, type Colour } from "./colour.ts";
import { slidingLayer, type Brush, type Layer, type Stage } from "./stage.ts";

/** A skyline of three depths, lit from inside when it is dark. */
export function cityLayers(stage: Stage): Layer[] {
  const { far, middle, near, skyLow } = stage.plan.palette;
  const { unit, horizon, height } = stage;
  return [
    skyline(stage, { depth: 0.15, foot: horizon + unit * 0.06, tall: unit * 0.42, wide: 0.06, tone: blend(far, skyLow, 0.15) }),
    skyline(stage, { depth: 0.4, foot: horizon + unit * 0.16, tall: unit * 0.48, wide: 0.085, tone: middle }),
    skyline(stage, { depth: 0.9, foot: height, tall: (height - horizon) * 0.72 + unit * 0.1, wide: 0.13, tone: near }),
    windowLights(stage),
  ];
}

type Skyline = { depth: number; foot: number; tall: number; wide: number; tone: Colour };

function skyline(stage: Stage, line: Skyline): Layer {
  const top = line.foot - line.tall * 1.2;
  const chance = stage.plan.chance.branch(`skyline ${line.depth}`);
  const { hour, palette } = stage.plan;
  const litShare = { night: 0.42, sunset: 0.26, dawn: 0.14, day: 0.05 }[hour];
  const warm = [css(palette.light, 0.85), "hsla(38, 95%, 68%, 0.85)", css(palette.accent, 0.7)] as const;
  return slidingLayer(stage, line.depth, top, stage.height - top, (brush, width) => {
    let x = -stage.unit * 0.05;
    while (x < width) {
      const wide = stage.unit * line.wide * chance.range(0.6, 1.5);
      const tall = line.tall * chance.range(0.35, 1) * (chance.maybe(0.15) ? 1.2 : 0.9);
      const y = line.tall * 1.2 - tall;
      paintBlock(brush, x, y, wide, stage.height, lighten(line.tone, chance.range(-0.025, 0.025)));
      if (chance.maybe(0.3)) antenna(brush, x + wide * chance.range(0.3, 0.7), y, tall * 0.12, line.tone);
      const pane = Math.max(2, stage.unit * 0.009 * (0.7 + line.depth));
      for (let row = y + pane * 2; row < Math.min(line.tall * 1.2 + stage.unit * 0.2, stage.height); row += pane * 2.6) {
        for (let column = x + pane; column < x + wide - pane * 1.5; column += pane * 2.2) {
          if (!chance.maybe(litShare)) continue;
          brush.fillStyle = warm[chance.maybe(0.5) ? 0 : chance.maybe(0.8) ? 1 : 2];
          brush.fillRect(column, row, pane, pane * 1.3);
        }
      }
      x += wide + (chance.maybe(0.3) ? stage.unit * 0.012 : 0);
    }
  });
}

function paintBlock(brush: Brush, x: number, y: number, wide: number, bottom: number, tone: Colour): void {
  const gradient = brush.createLinearGradient(x, 0, x + wide, 0);
  gradient.addColorStop(0, css(lighten(tone, 0.035)));
  gradient.addColorStop(1, css(lighten(tone, -0.035)));
  brush.fillStyle = gradient;
  brush.fillRect(x, y, wide, bottom);
}

function antenna(brush: Brush, x: number, y: number, tall: number, tone: Colour): void {
  brush.strokeStyle = css(tone);
  brush.lineWidth = Math.max(1, tall * 0.06);
  brush.beginPath();
  brush.moveTo(x, y);
  brush.lineTo(x, y - tall);
  brush.stroke();
}

/** Lights that move along the foot of the town: traffic, and a beacon that blinks. */
function windowLights(stage: Stage): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("traffic");
  const dark = plan.hour === "night" || plan.hour === "sunset";
  const cars = Array.from({ length: dark ? 16 : 8 }, (_, index) => ({
    start: chance.next(),
    speed: chance.range(0.04, 0.09) * (index % 2 === 0 ? 1 : -1),
    lane: height - unit * (index % 2 === 0 ? 0.03 : 0.055),
  }));
  return (brush, { seconds }) => {
    brush.fillStyle = css(lighten(plan.palette.near, -0.04));
    brush.fillRect(0, height - unit * 0.085, width, unit * 0.085);
    for (const car of cars) {
      const share = (((car.start + seconds * car.speed * plan.pace) % 1) + 1) % 1;
      const x = share * (width + unit * 0.2) - unit * 0.1;
      const ahead = car.speed > 0;
      const gradient = brush.createLinearGradient(x, 0, x + (ahead ? -1 : 1) * unit * 0.12, 0);
      const tone = ahead ? "255, 236, 190" : "255, 70, 50";
      gradient.addColorStop(0, `rgba(${tone}, ${dark ? 0.95 : 0.5})`);
      gradient.addColorStop(1, `rgba(${tone}, 0)`);
      brush.fillStyle = gradient;
      brush.fillRect(ahead ? x - unit * 0.12 : x, car.lane, unit * 0.12, Math.max(1.5, unit * 0.007));
    }
  };
}
