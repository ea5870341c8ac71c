import { castLayers } from "./cast.ts";
import { cityLayers } from "./city.ts";
import { blend, colour, lighten } from "./colour.ts";
import { forestLayers, seaweedLayer } from "./growth.ts";
import { desertLayers, grassLayer, groundLayer, hillLayers, mountainLayers } from "./land.ts";
import { cloudBank, puff, skyLayers } from "./sky.ts";
import { spaceLayers } from "./space.ts";
import { slidingLayer, type Brush, type Layer, type Moment, type Stage } from "./stage.ts";
import { vignette } from "./vignette.ts";
import { lakeLayers, seaLayers, underwaterLayers } from "./water.ts";
import { driftLayer, weatherLayers } from "./weather.ts";

/** Prepares everything that the planned scene is made of; the result paints any moment of it. */
export function composeScene(stage: Stage): Layer {
  const layers = [...placeLayers(stage), ...weatherLayers(stage), vignette(stage, 0.34)];
  return (brush: Brush, moment: Moment) => {
    for (const layer of layers) layer(brush, moment);
  };
}

function placeLayers(stage: Stage): Layer[] {
  const { place, palette, subjects } = stage.plan;
  const cast = (stage.cast ?? castLayers)(stage);
  const flowers = stage.plan.chance.branch("flowers").maybe(0.7);
  switch (place) {
    case "sea":
      return [...skyLayers(stage), ...seaLayers(stage), ...footing(stage), ...cast];
    case "lake":
      return [...skyLayers(stage), ...mountainLayers(stage).slice(0, 2), ...lakeLayers(stage), ...footing(stage), ...cast];
    case "underwater":
      return [...underwaterLayers(stage), ...cast, seaweedLayer(stage), driftLayer(stage, "bubbles")];
    case "forest":
      return [
        ...skyLayers(stage),
        ...withCast(forestLayers(stage), cast, 4),
        ...(subjects.length === 0 ? [driftLayer(stage, "dust")] : []),
      ];
    case "city":
      return [...skyLayers(stage), ...cityLayers(stage), ...cast];
    case "mountain":
      return [...skyLayers(stage), ...mountainLayers(stage), ...cast];
    case "desert":
      return [...skyLayers(stage), ...desertLayers(stage), ...cast];
    case "meadow":
      return [...skyLayers(stage), ...hillLayers(stage), ...cast, grassLayer(stage, flowers || subjects.includes("butterfly"))];
    case "space":
      return [...spaceLayers(stage), ...footing(stage), ...cast];
    case "clouds":
      return [...skyLayers(stage), ...cast, cloudSea(stage, 0.02, 0.4), cloudBank(stage, 5, 0.1, 0.4, 0.7), cloudSea(stage, 0.2, 0.9)];
    case "hills":
      return [
        ...skyLayers(stage),
        ...hillLayers(stage),
        groundLayer(stage, stage.horizon + stage.unit * 0.24, lighten(palette.near, -0.02), 0.9),
        ...cast,
        grassLayer(stage, false),
      ];
  }
}

/** Figures walk between the rows of a scene, not in front of its nearest trees. */
function withCast(layers: Layer[], cast: Layer[], at: number): Layer[] {
  return layers.toSpliced(at, 0, ...cast);
}

/** Someone who walks needs something to walk on, even by the sea or among the stars. */
function footing(stage: Stage): Layer[] {
  const walkers = ["person", "cat", "dog", "horse", "deer", "house", "fire", "car"];
  if (stage.cast === undefined && !stage.plan.subjects.some((subject) => walkers.includes(subject))) return [];
  const { palette, place } = stage.plan;
  if (place !== "space")
    return [groundLayer(stage, stage.height - stage.unit * 0.13, blend(palette.near, colour(38, 0.45, 0.6), 0.45), 0.9)];
  return [groundLayer(stage, Math.min(stage.height - stage.unit * 0.1, stage.horizon + stage.unit * 0.22), colour(240, 0.1, 0.3), 0.9)];
}

function cloudSea(stage: Stage, drop: number, depth: number): Layer {
  const { unit, horizon, plan } = stage;
  const chance = plan.chance.branch(`cloud sea ${depth}`);
  const top = horizon + unit * (drop - 0.2);
  return slidingLayer(stage, depth, top, stage.height - top, (brush, width) => {
    const rows = Math.ceil((stage.height - horizon) / (unit * 0.09)) + 1;
    for (let row = 0; row < rows; row++) {
      for (let x = 0; x < width + unit * 0.1; x += unit * 0.075) {
        const tone = blend(plan.palette.cloud, plan.palette.skyMiddle, 0.1 + (row / rows) * 0.3 + chance.range(-0.08, 0.08));
        puff(
          brush,
          x + chance.range(-0.03, 0.03) * unit,
          unit * (0.2 + row * 0.09 + chance.range(-0.04, 0.04)),
          unit * chance.range(0.08, 0.15),
          tone,
          0.75,
        );
      }
    }
  });
}
