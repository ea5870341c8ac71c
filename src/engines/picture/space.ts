import { blend, colour, css, lighten, type Colour } from "./colour.ts";
import { puff, starField } from "./sky.ts";
import { stillLayer, type Brush, type Layer, type Stage, type Surface } from "./stage.ts";

/** Deep space: a nebula, stars at three depths, a planet and now and then a shooting star. */
export function spaceLayers(stage: Stage): Layer[] {
  return [nebula(stage), starField(stage, 0.7, stage.height), starField(stage, 1.4, stage.height), planet(stage), shootingStar(stage)];
}

function nebula(stage: Stage): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("nebula");
  const { skyTop, accent } = plan.palette;
  return stillLayer(stage, (brush) => {
    brush.fillStyle = css(colour(skyTop.h + 15, 0.55, 0.05));
    brush.fillRect(0, 0, width, height);
    const lean = chance.range(-0.6, 0.6);
    for (let index = 0; index < 70; index++) {
      const along = chance.range(-0.1, 1.1);
      const off = (chance.next() + chance.next() - 1) * unit * 0.32;
      const x = along * width;
      const y = height / 2 + (along - 0.5) * lean * height + off;
      const tone = colour(accent.h + chance.range(-55, 55), 0.65, chance.range(0.3, 0.55));
      puff(brush, x, y, unit * chance.range(0.1, 0.34), tone, 0.09);
    }
  });
}

function planet(stage: Stage): Layer {
  const { width, height, unit, plan } = stage;
  const chance = plan.chance.branch("planet");
  const radius = unit * chance.range(0.13, 0.24);
  const sprite = paintPlanet(stage, radius, blend(plan.palette.accent, colour(chance.range(0, 360), 0.55, 0.5), 0.5));
  const x = width * (plan.light.x < 0.5 ? chance.range(0.6, 0.8) : chance.range(0.2, 0.4));
  const y = height * chance.range(0.35, 0.65);
  return (brush, { pan }) => brush.drawImage(sprite, x - sprite.width / 2 - pan * unit * 0.3 * plan.drift, y - sprite.height / 2);
}

function paintPlanet(stage: Stage, radius: number, tone: Colour): Surface {
  const size = Math.ceil(radius * 4.4);
  const surface = stage.surface(size, size);
  const brush = surface.getContext("2d");
  const chance = stage.plan.chance.branch("planet face");
  const ringed = chance.maybe(0.6);
  brush.translate(size / 2, size / 2);
  brush.rotate(chance.range(-0.4, 0.4));
  if (ringed) ring(brush, radius, tone, Math.PI, Math.PI * 2);
  brush.save();
  brush.beginPath();
  brush.arc(0, 0, radius, 0, Math.PI * 2);
  brush.clip();
  for (let y = -radius; y < radius; y += radius * 0.09) {
    brush.fillStyle = css(lighten(tone, chance.range(-0.09, 0.09)));
    brush.fillRect(-radius, y, radius * 2, radius * 0.1);
  }
  const shade = brush.createRadialGradient(-radius * 0.45, -radius * 0.4, radius * 0.1, 0, 0, radius * 1.15);
  shade.addColorStop(0, "rgba(255, 255, 255, 0.3)");
  shade.addColorStop(0.45, "rgba(0, 0, 20, 0.1)");
  shade.addColorStop(1, "rgba(0, 0, 12, 0.9)");
  brush.fillStyle = shade;
  brush.fillRect(-radius, -radius, radius * 2, radius * 2);
  brush.restore();
  if (ringed) ring(brush, radius, tone, 0, Math.PI);
  return surface;
}

function ring(brush: Brush, radius: number, tone: Colour, from: number, to: number): void {
  for (const [far, alpha] of [
    [1.45, 0.55],
    [1.65, 0.75],
    [1.85, 0.4],
    [2, 0.25],
  ] as const) {
    brush.strokeStyle = css(lighten(tone, 0.2), alpha);
    brush.lineWidth = radius * 0.12;
    brush.beginPath();
    brush.ellipse(0, 0, radius * far, radius * far * 0.26, 0, from, to);
    brush.stroke();
  }
}

function shootingStar(stage: Stage): Layer {
  const { width, height, unit, plan } = stage;
  return (brush, { seconds }) => {
    const turn = Math.floor(seconds / 2.5);
    const age = seconds - turn * 2.5;
    if (age > 0.7) return;
    const chance = plan.chance.branch(`meteor ${turn}`);
    const x = chance.range(0.1, 0.9) * width + age * unit * 0.9;
    const y = chance.range(0.05, 0.5) * height + age * unit * 0.35;
    const gradient = brush.createLinearGradient(x, y, x - unit * 0.25, y - unit * 0.1);
    gradient.addColorStop(0, `rgba(255, 255, 255, ${(0.9 * (1 - age / 0.7)).toFixed(3)})`);
    gradient.addColorStop(1, "rgba(255, 255, 255, 0)");
    brush.strokeStyle = gradient;
    brush.lineWidth = Math.max(1, unit * 0.004);
    brush.beginPath();
    brush.moveTo(x, y);
    brush.lineTo(x - unit * 0.25, y - unit * 0.1);
    brush.stroke();
  };
}
