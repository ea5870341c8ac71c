import type { Image } from "@napi-rs/canvas";
import { blend, css } from "./colour.ts";
import { puff } from "./sky.ts";
import type { Layer, Stage, Surface } from "./stage.ts";
import { vignette } from "./vignette.ts";
import { driftLayer, weatherLayers } from "./weather.ts";

/** Brings a picture to life: it fills the frame, the camera moves slowly over it, and light and specks drift in front. */
export function animatePhoto(stage: Stage, image: Image, durationSeconds: number): Layer {
  const photo = fitPhoto(stage, image);
  const layers = [
    cameraMove(stage, photo, durationSeconds),
    lightSweep(stage, durationSeconds),
    ...weatherOf(stage),
    ...specks(stage),
    vignette(stage, 0.25),
  ];
  return (brush, moment) => {
    for (const layer of layers) layer(brush, moment);
  };
}

const zoom = 1.16;

/** The picture at the size of the closest view, cut to the frame's ratio: the source may be far larger or smaller. */
function fitPhoto(stage: Stage, image: Image): Surface {
  const surface = stage.surface(Math.ceil(stage.width * zoom), Math.ceil(stage.height * zoom));
  const brush = surface.getContext("2d");
  const scale = Math.max(surface.width / image.width, surface.height / image.height);
  const width = image.width * scale;
  const height = image.height * scale;
  brush.fillStyle = css(blend(stage.plan.palette.skyMiddle, stage.plan.palette.near, 0.5));
  brush.fillRect(0, 0, surface.width, surface.height);
  brush.imageSmoothingQuality = "high";
  // Only the part that shows is asked for: scaled as a whole, a ribbon of 12,000 by 10 pixels would be a giant.
  const sourceWidth = (surface.width / width) * image.width;
  const sourceHeight = (surface.height / height) * image.height;
  brush.drawImage(
    image,
    (image.width - sourceWidth) / 2,
    (image.height - sourceHeight) / 2,
    sourceWidth,
    sourceHeight,
    0,
    0,
    surface.width,
    surface.height,
  );
  return surface;
}

function cameraMove(stage: Stage, photo: Surface, durationSeconds: number): Layer {
  const { width, height, plan } = stage;
  const chance = plan.chance.branch("camera");
  const inward = chance.maybe(0.6);
  const [fromX, fromY, toX, toY] = [chance.range(0.2, 0.8), chance.range(0.2, 0.8), chance.range(0.2, 0.8), chance.range(0.2, 0.8)];
  return (brush, { seconds }) => {
    const share = Math.min(1, seconds / durationSeconds);
    const ease = share * share * (3 - 2 * share);
    const close = inward ? ease : 1 - ease;
    const shown = 1 + (zoom - 1) * (1 - close * 0.85);
    const spareX = photo.width - width * shown;
    const spareY = photo.height - height * shown;
    const x = spareX * (fromX + (toX - fromX) * ease);
    const y = spareY * (fromY + (toY - fromY) * ease);
    brush.drawImage(photo, x, y, width * shown, height * shown, 0, 0, width, height);
  };
}

function lightSweep(stage: Stage, durationSeconds: number): Layer {
  const { width, height, unit, plan } = stage;
  const size = Math.ceil(unit * 1.1);
  const glow = stage.surface(size, size);
  puff(glow.getContext("2d"), size / 2, size / 2, size / 2, plan.palette.light, 0.22);
  return (brush, { seconds }) => {
    const share = seconds / durationSeconds;
    const x = (plan.drift === 1 ? share : 1 - share) * (width + size) - size;
    brush.globalCompositeOperation = "lighter";
    brush.drawImage(glow, x, height * 0.25 - size / 2);
    brush.globalCompositeOperation = "source-over";
  };
}

/** Weather only where the prompt asks for it: the picture has its own already. */
function weatherOf(stage: Stage): Layer[] {
  return stage.plan.weather === "fog" ? [] : weatherLayers(stage);
}

function specks(stage: Stage): Layer[] {
  const wished = (["fireflies", "petals", "leaves"] as const).filter((kind) => stage.plan.subjects.includes(kind));
  const embers = stage.plan.subjects.includes("fire") ? (["embers"] as const) : [];
  const kinds = [...wished, ...embers];
  return (kinds.length > 0 ? kinds : (["dust"] as const)).map((kind) => driftLayer(stage, kind));
}
