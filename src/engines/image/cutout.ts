import { createChance } from "../chance.ts";
import { colour } from "../picture/colour.ts";
import { drawAnimal, drawFish, type Pose } from "../picture/creatures.ts";
import { planScene, type ScenePlan } from "../picture/scene-plan.ts";
import type { Subject } from "../picture/scene-words.ts";
import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";
import { drawBalloon, drawBoat, drawCar, drawHouse, drawRocket } from "../picture/things.ts";
import type { Cell } from "../picture/cover.ts";
import { cellsFor } from "./collage.ts";
import { drawStaged, type Frame } from "./easel.ts";
import { drawFlame, drawWings } from "./object.ts";
import { figuresIn } from "./sitter.ts";
import { drawScene, planStill } from "./still-scene.ts";

type Drawing = (brush: Brush) => void;

/** What the prompt is about, as large as the frame allows, on a transparent ground; a prompt about a place becomes a round picture. */
export function drawCutout(frame: Frame, prompt: string, seed: number, surface: MakeSurface): Surface {
  const plan = planScene(prompt, seed);
  const figures = figuresIn(prompt, createChance("figures", prompt, seed), true);
  const replaced: Subject[] = figures.length > 0 ? ["cat", "dog", "deer", "person", "birds", "petals", "leaves"] : [];
  const props = plan.subjects.filter((subject) => !replaced.includes(subject)).flatMap((subject) => propOf(subject, plan));
  const drawings = [...figures.map((figure) => figure.draw), ...props].slice(0, 4);
  if (drawings.length === 0) return drawMedallion(frame, prompt, seed, surface);
  return drawStaged(frame, plan, surface, (brush, stage) => {
    const cells = cellsFor(drawings.length, stage);
    drawings.forEach((drawing, index) => {
      const cell = cells[index];
      if (cell !== undefined) fitInto(brush, drawing, cell, surface);
    });
  });
}

/** A film's subject as a single thing that holds still; what only fills the air has no outline to cut along. */
function propOf(subject: Subject, plan: ScenePlan): Drawing[] {
  const { accent } = plan.palette;
  const tone = colour(accent.h, 0.45, plan.hour === "night" ? 0.3 : 0.42);
  const pose: Pose = { x: 0, y: 0, size: 1, facing: plan.drift, seconds: 0.28, tone };
  const drawings: Partial<Record<Subject, Drawing>> = {
    boat: (brush) => drawBoat(brush, { ...pose, tone: colour(24, 0.5, 0.32) }, colour(accent.h, 0.6, 0.8)),
    fish: (brush) => drawFish(brush, { ...pose, tone: colour(accent.h, 0.8, 0.55) }),
    balloon: (brush) => drawBalloon(brush, { ...pose, tone: colour(26, 0.45, 0.35) }, accent),
    house: (brush) => drawHouse(brush, { ...pose, seconds: 0 }, colour(45, 0.95, 0.72)),
    horse: (brush) => drawAnimal(brush, "horse", { ...pose, seconds: 0.4, tone: colour(24, 0.45, 0.32) }),
    rocket: (brush) => drawRocket(brush, pose, accent),
    fire: drawFlame,
    butterfly: (brush) => drawWings(brush, colour(accent.h, 0.8, 0.6)),
    car: (brush) => drawCar(brush, pose, accent),
  };
  const drawing = drawings[subject];
  return drawing === undefined ? [] : [drawing];
}

const probeSide = 192;
const probeScale = probeSide / 6;

/** Scales and moves a drawing so that what is solid of it fills the middle of the cell. */
function fitInto(brush: Brush, drawing: Drawing, cell: Cell, surface: MakeSurface): void {
  const box = measure(drawing, surface);
  const scale = Math.min((cell.width * 0.84) / (box.right - box.left), (cell.height * 0.84) / (box.bottom - box.top));
  brush.save();
  brush.translate(cell.left + cell.width / 2, cell.top + cell.height / 2);
  brush.scale(scale, scale);
  brush.translate(-(box.left + box.right) / 2, -(box.top + box.bottom) / 2);
  drawing(brush);
  brush.restore();
}

function measure(drawing: Drawing, surface: MakeSurface): { left: number; top: number; right: number; bottom: number } {
  const probe = surface(probeSide, probeSide);
  const brush = probe.getContext("2d");
  brush.translate(probeSide / 2, probeSide / 2);
  brush.scale(probeScale, probeScale);
  drawing(brush);
  const { data } = brush.getImageData(0, 0, probeSide, probeSide);
  let [left, top, right, bottom] = [probeSide, probeSide, 0, 0];
  for (let at = 3; at < data.length; at += 4) {
    // Glows and smoke around a thing are fainter than the thing.
    if ((data[at] ?? 0) < 115) continue;
    const x = ((at - 3) / 4) % probeSide;
    const y = Math.floor((at - 3) / 4 / probeSide);
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x + 1), Math.min(top, y), Math.max(bottom, y + 1)];
  }
  const place = (pixel: number): number => (pixel - probeSide / 2) / probeScale;
  return { left: place(left), right: place(right), top: place(top), bottom: place(bottom) };
}

function drawMedallion(frame: Frame, prompt: string, seed: number, surface: MakeSurface): Surface {
  const picture = drawScene(frame, planStill(prompt, seed), surface);
  const brush = picture.getContext("2d");
  const radius = Math.min(frame.width, frame.height) * 0.46;
  const [x, y] = [frame.width / 2, frame.height / 2];
  const edge = brush.createRadialGradient(x, y, radius * 0.96, x, y, radius);
  edge.addColorStop(0, "rgba(0, 0, 0, 1)");
  edge.addColorStop(1, "rgba(0, 0, 0, 0)");
  brush.globalCompositeOperation = "destination-in";
  brush.fillStyle = edge;
  brush.fillRect(0, 0, frame.width, frame.height);
  brush.globalCompositeOperation = "source-over";
  return picture;
}
