import type { Chance } from "../chance.ts";
import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";

/** Paints the picture again with visible strokes that follow its shapes, broad ones first; the one given is used up. */
export function paintStrokes(picture: Surface, chance: Chance, surface: MakeSurface): Surface {
  const model = readModel(picture, surface);
  const sheet = surface(picture.width, picture.height);
  const brush = sheet.getContext("2d");
  // Between strokes the picture itself shows, so that no gap is left.
  brush.drawImage(picture, 0, 0);
  brush.lineCap = "round";
  for (const [gap, length, alpha] of passes) layStrokes(brush, model, { gap, length, alpha }, sheet, chance);
  brush.globalCompositeOperation = "destination-in";
  brush.drawImage(picture, 0, 0);
  brush.globalCompositeOperation = "source-over";
  brush.getImageData(0, 0, 1, 1);
  picture.width = 1;
  picture.height = 1;
  return sheet;
}

/** Distance between strokes in pixels of the model, their length as a multiple of it, and how much they cover. */
const passes = [
  [4, 3.4, 0.85],
  [2, 2.6, 0.75],
] as const;

const modelSide = 256;

type Model = { data: Uint8ClampedArray; width: number; height: number };
type Pass = { gap: number; length: number; alpha: number };

/** A small copy to take colours and directions from. */
function readModel(picture: Surface, surface: MakeSurface): Model {
  const scale = Math.min(1, modelSide / Math.min(picture.width, picture.height), 1024 / Math.max(picture.width, picture.height));
  const width = Math.max(4, Math.round(picture.width * scale));
  const height = Math.max(4, Math.round(picture.height * scale));
  const small = surface(width, height);
  const brush = small.getContext("2d");
  brush.imageSmoothingQuality = "medium";
  brush.drawImage(picture, 0, 0, width, height);
  return { data: brush.getImageData(0, 0, width, height).data, width, height };
}

function layStrokes(brush: Brush, model: Model, { gap, length, alpha }: Pass, sheet: Surface, chance: Chance): void {
  const scaleX = sheet.width / model.width;
  const scaleY = sheet.height / model.height;
  const scale = Math.min(scaleX, scaleY);
  brush.globalAlpha = alpha;
  brush.lineWidth = gap * 1.1 * scale;
  for (let y = gap / 2; y < model.height; y += gap) {
    for (let x = gap / 2; x < model.width; x += gap) {
      const placeX = x + chance.range(-0.5, 0.5) * gap;
      const placeY = y + chance.range(-0.5, 0.5) * gap;
      const angle = directionAt(model, placeX, placeY) + chance.range(-0.25, 0.25);
      const reach = (gap * length * chance.range(0.35, 0.65)) / 1.3;
      brush.strokeStyle = colourAt(model, placeX, placeY, chance.range(-9, 9));
      brush.beginPath();
      brush.moveTo((placeX - Math.cos(angle) * reach) * scaleX, (placeY - Math.sin(angle) * reach) * scaleY);
      brush.lineTo((placeX + Math.cos(angle) * reach) * scaleX, (placeY + Math.sin(angle) * reach) * scaleY);
      brush.stroke();
    }
  }
  brush.globalAlpha = 1;
}

function indexAt({ width, height }: Model, x: number, y: number): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x)));
  const row = Math.min(height - 1, Math.max(0, Math.round(y)));
  return (row * width + column) * 4;
}

function colourAt(model: Model, x: number, y: number, turn: number): string {
  const at = indexAt(model, x, y);
  const channel = (offset: number): number => Math.min(255, Math.max(0, Math.round((model.data[at + offset] ?? 0) + turn)));
  return `rgb(${channel(0)}, ${channel(1)}, ${channel(2)})`;
}

/** Along the edge that passes here, or level where there is none. */
function directionAt(model: Model, x: number, y: number): number {
  const light = (dx: number, dy: number): number => {
    const at = indexAt(model, x + dx, y + dy);
    return (model.data[at] ?? 0) * 0.3 + (model.data[at + 1] ?? 0) * 0.6 + (model.data[at + 2] ?? 0) * 0.1;
  };
  const acrossX = light(2, 0) - light(-2, 0);
  const acrossY = light(0, 2) - light(0, -2);
  return Math.hypot(acrossX, acrossY) < 6 ? Math.sin(x * 0.05 + y * 0.03) * 0.6 : Math.atan2(acrossX, -acrossY);
}
