import { blend, css, lighten, type Colour } from "./colour.ts";
import { stillLayer, wrap, type Brush, type Layer, type Stage, type Surface } from "./stage.ts";

/** The whole sky of an outdoor scene, back to front. */
export function skyLayers(stage: Stage): Layer[] {
  const { hour, weather, subjects, place } = stage.plan;
  const layers = [backdrop(stage)];
  const covered = weather === "rain" || weather === "storm" || weather === "fog";
  if (hour === "night" && !covered) layers.push(starField(stage, 1, stage.horizon));
  if (subjects.includes("aurora")) layers.push(aurora(stage));
  if (!covered) layers.push(hour === "night" ? moon(stage) : sun(stage));
  const heavy = covered || weather === "cloudy" || weather === "snow" || place === "clouds";
  layers.push(cloudBank(stage, heavy ? 16 : 7, 0.1, 0.75, heavy ? 1 : 0.75));
  return layers;
}

function backdrop(stage: Stage): Layer {
  const { skyTop, skyMiddle, skyLow } = stage.plan.palette;
  return stillLayer(stage, (brush) => {
    const gradient = brush.createLinearGradient(0, 0, 0, stage.horizon);
    gradient.addColorStop(0, css(skyTop));
    gradient.addColorStop(0.55, css(skyMiddle));
    gradient.addColorStop(1, css(skyLow));
    brush.fillStyle = gradient;
    brush.fillRect(0, 0, stage.width, stage.height);
  });
}

/** Stars that stand still with a few that twinkle; `depth` lets several fields slide over one another. */
export function starField(stage: Stage, depth: number, bottom: number): Layer {
  const chance = stage.plan.chance.branch(`stars ${depth}`);
  const count = Math.round((stage.width * bottom) / 3600);
  const slide = stage.unit * 0.12 * depth;
  const stars = Array.from({ length: count }, () => ({
    x: chance.range(-slide, stage.width + slide),
    y: chance.next() ** 1.2 * bottom,
    size: chance.range(0.4, 1) ** 2 * stage.unit * 0.0032 * depth,
    phase: chance.range(0, 6.3),
    twinkles: chance.maybe(0.3),
  }));
  return (brush, { seconds, pan }) => {
    brush.fillStyle = "#fffdf2";
    for (const star of stars) {
      brush.globalAlpha = star.twinkles ? 0.55 + 0.4 * Math.sin(seconds * 2.5 + star.phase) : 0.75;
      const side = Math.max(1, star.size * 2);
      brush.fillRect(star.x - pan * slide * stage.plan.drift, star.y, side, side);
    }
    brush.globalAlpha = 1;
  };
}

function sun(stage: Stage): Layer {
  const { light, skyLow } = stage.plan.palette;
  const radius = stage.unit * 0.075;
  const glow = glowSprite(stage, radius * 6, light, 0.75);
  const { x, y } = lightSpot(stage);
  return (brush, { seconds }) => {
    const sink = stage.plan.hour === "sunset" ? seconds * stage.unit * 0.004 : -seconds * stage.unit * 0.002;
    brush.drawImage(glow, x - glow.width / 2, y + sink - glow.height / 2);
    brush.fillStyle = css(blend(lighten(light, 0.08), skyLow, 0.08));
    disc(brush, x, y + sink, radius);
  };
}

function moon(stage: Stage): Layer {
  const { light } = stage.plan.palette;
  const radius = stage.unit * 0.06;
  const glow = glowSprite(stage, radius * 5, light, 0.4);
  const chance = stage.plan.chance.branch("moon");
  const craters = Array.from({ length: 6 }, () => ({
    angle: chance.range(0, 6.3),
    far: chance.range(0.1, 0.7),
    size: chance.range(0.08, 0.22),
  }));
  const { x, y } = lightSpot(stage);
  return (brush) => {
    brush.drawImage(glow, x - glow.width / 2, y - glow.height / 2);
    brush.fillStyle = css(light);
    disc(brush, x, y, radius);
    brush.fillStyle = css(lighten(light, -0.1), 0.6);
    for (const crater of craters) {
      disc(brush, x + Math.cos(crater.angle) * crater.far * radius, y + Math.sin(crater.angle) * crater.far * radius, crater.size * radius);
    }
  };
}

/** Where the sun or moon stands in the frame. */
export function lightSpot(stage: Stage): { x: number; y: number } {
  return { x: stage.plan.light.x * stage.width, y: stage.plan.light.y * stage.horizon };
}

/** A soft round glow, painted once. */
export function glowSprite(stage: Stage, radius: number, tone: Colour, strength: number): Surface {
  const size = Math.max(2, Math.ceil(radius * 2));
  const surface = stage.surface(size, size);
  const brush = surface.getContext("2d");
  const gradient = brush.createRadialGradient(radius, radius, 0, radius, radius, radius);
  gradient.addColorStop(0, css(tone, strength));
  gradient.addColorStop(0.25, css(tone, strength * 0.5));
  gradient.addColorStop(0.6, css(tone, strength * 0.13));
  gradient.addColorStop(1, css(tone, 0));
  brush.fillStyle = gradient;
  brush.fillRect(0, 0, size, size);
  return surface;
}

export function disc(brush: Brush, x: number, y: number, radius: number): void {
  brush.beginPath();
  brush.arc(x, y, Math.max(0.1, radius), 0, Math.PI * 2);
  brush.fill();
}

/** Clouds that drift across for ever: the strip they are painted on meets itself at its ends. */
export function cloudBank(stage: Stage, count: number, from: number, to: number, strength: number): Layer {
  const { palette, pace, drift } = stage.plan;
  const chance = stage.plan.chance.branch(`clouds ${from}`);
  const strip = stage.surface(Math.ceil(stage.width * 1.5), Math.ceil(stage.horizon * 1.1));
  const brush = strip.getContext("2d");
  for (let index = 0; index < count; index++) {
    const scale = stage.unit * chance.range(0.06, 0.15);
    const x = chance.range(0, strip.width);
    const y = stage.horizon * chance.range(from, to);
    paintCloud(brush, { x, y, scale, tone: palette.cloud, shade: palette.skyMiddle, strength, length: strip.width }, chance.whole(0, 1e6));
  }
  return (target, { seconds }) => {
    // Whole pixels, or the two ends of the strip would show a seam.
    const offset = Math.round(wrap(seconds * stage.unit * 0.012 * pace * drift, strip.width));
    target.drawImage(strip, -offset, 0);
    if (offset > strip.width - stage.width) target.drawImage(strip, strip.width - offset, 0);
  };
}

type Cloud = { x: number; y: number; scale: number; tone: Colour; shade: Colour; strength: number; length: number };

function paintCloud(brush: Brush, cloud: Cloud, salt: number): void {
  const puffs = 9 + (salt % 6);
  for (let index = 0; index < puffs; index++) {
    const wobble = Math.sin(salt * 0.37 + index * 2.1);
    const along = index / (puffs - 1) - 0.5;
    const radius = cloud.scale * (0.75 - Math.abs(along)) * (1 + 0.35 * wobble);
    const y = cloud.y - radius * 0.55 + Math.cos(salt + index) * cloud.scale * 0.06;
    for (const shift of [-cloud.length, 0, cloud.length]) {
      puff(
        brush,
        cloud.x + along * cloud.scale * 3.4 + shift,
        y,
        radius,
        blend(cloud.tone, cloud.shade, 0.15 + 0.15 * wobble),
        cloud.strength * 0.42,
      );
    }
  }
}

/** A soft ball of vapour, smoke or light. */
export function puff(brush: Brush, x: number, y: number, radius: number, tone: Colour, alpha: number): void {
  if (radius <= 0.5) return;
  const gradient = brush.createRadialGradient(x, y - radius * 0.2, radius * 0.1, x, y, radius);
  gradient.addColorStop(0, css(tone, alpha));
  gradient.addColorStop(0.6, css(tone, alpha * 0.55));
  gradient.addColorStop(1, css(tone, 0));
  brush.fillStyle = gradient;
  brush.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

function aurora(stage: Stage): Layer {
  const chance = stage.plan.chance.branch("aurora");
  const curtain = stage.surface(8, Math.ceil(stage.horizon * 0.6));
  const brush = curtain.getContext("2d");
  const gradient = brush.createLinearGradient(0, 0, 0, curtain.height);
  gradient.addColorStop(0, "hsla(280, 80%, 60%, 0)");
  gradient.addColorStop(0.55, `hsla(${chance.range(150, 190).toFixed(0)}, 85%, 60%, 0.22)`);
  gradient.addColorStop(0.9, `hsla(${chance.range(110, 150).toFixed(0)}, 90%, 65%, 0.4)`);
  gradient.addColorStop(1, "hsla(130, 90%, 65%, 0)");
  brush.fillStyle = gradient;
  brush.fillRect(0, 0, 8, curtain.height);
  const step = Math.max(4, stage.width / 110);
  return (target, { seconds }) => {
    target.globalCompositeOperation = "lighter";
    for (let x = 0; x < stage.width; x += step) {
      const place = (x / stage.width) * 9;
      const sway = Math.sin(place + seconds * 0.5) + 0.6 * Math.sin(place * 2.3 - seconds * 0.8);
      target.globalAlpha = 0.45 + 0.4 * Math.sin(place * 3.1 + seconds * 1.1);
      target.drawImage(curtain, x, stage.horizon * (0.16 + 0.08 * sway), step + 1, curtain.height);
    }
    target.globalAlpha = 1;
    target.globalCompositeOperation = "source-over";
  };
}
