import { grade, wishedIn, wishedSubjects, type Wished } from "../picture/grading.ts";
import { glowSprite, lightSpot } from "../picture/sky.ts";
import type { Brush, MakeSurface, Surface } from "../picture/stage.ts";
import { weatherLayers } from "../picture/weather.ts";
import { drawStaged, type Frame } from "./easel.ts";
import { release, settle } from "./finish.ts";
import { drawScene, momentOf, planStill, stillCast, type Still } from "./still-scene.ts";

type Wishes = Wished & { still: Still };

/** As `editPicture`, nearer to the source or nearer to the prompt: 0.5 is the usual middle. */
export function editPartly(
  source: Surface,
  frame: Frame,
  wish: { prompt: string; seed: number; strength: number },
  surface: MakeSurface,
): Surface {
  const { prompt, seed, strength } = wish;
  const edited = editPicture(source, frame, prompt, seed, surface);
  const brush = edited.getContext("2d");
  if (strength < 0.5) {
    brush.globalAlpha = 1 - strength * 2;
    brush.drawImage(source, 0, 0);
    brush.globalAlpha = 1;
    settle(brush);
    return edited;
  }
  const far = strength * 2 - 1;
  if (far === 0) return edited;
  const scene = drawScene(frame, planStill(prompt, seed), surface);
  surround(brush, frame, scene, { inner: 0.45 * (1 - far), middle: far, outer: 1.3 - far * 0.5 });
  settle(brush);
  release(scene);
  return edited;
}

/** The source in the prompt's light, colours and weather, with its subjects in front and its place around. */
export function editPicture(source: Surface, frame: Frame, prompt: string, seed: number, surface: MakeSurface): Surface {
  const wishes = readWishes(prompt, seed);
  const { still } = wishes;
  const sheet = surface(frame.width, frame.height);
  const brush = sheet.getContext("2d");
  const scene = drawScene(frame, { plan: { ...still.plan, subjects: [] }, figures: [], indoors: false }, surface);
  // The scene shows through wherever the source is transparent.
  brush.drawImage(scene, 0, 0);
  brush.drawImage(source, 0, 0);
  grade(brush, frame, still.plan, wishes);
  if (wishes.place) surround(brush, frame, scene);
  settle(brush);
  release(scene);
  const front = drawFront(frame, wishes, surface);
  brush.drawImage(front, 0, 0);
  settle(brush);
  release(front);
  return sheet;
}

function readWishes(prompt: string, seed: number): Wishes {
  const still = planStill(prompt, seed);
  return { ...wishedIn(prompt), still: { ...still, plan: { ...still.plan, subjects: wishedSubjects(prompt, still.plan) } } };
}

/** From where on the scene shows, how much of it shows in the middle, and from where on there is nothing else. */
type Hole = { inner: number; middle: number; outer: number };
const usualHole: Hole = { inner: 0.45, middle: 0, outer: 1.3 };

/** Lets the edges of the picture pass over into the scene, which is used up by it. */
function surround(brush: Brush, { width, height }: Frame, scene: Surface, { inner, middle, outer }: Hole = usualHole): void {
  const mask = scene.getContext("2d");
  mask.save();
  mask.translate(width / 2, height / 2);
  mask.scale(width / 2, height / 2);
  const hole = mask.createRadialGradient(0, 0, inner, 0, 0, outer);
  hole.addColorStop(0, `rgba(0, 0, 0, ${middle.toFixed(3)})`);
  hole.addColorStop(0.6, `rgba(0, 0, 0, ${Math.max(0.75, middle).toFixed(3)})`);
  hole.addColorStop(1, "rgba(0, 0, 0, 1)");
  mask.globalCompositeOperation = "destination-in";
  mask.fillStyle = hole;
  mask.fillRect(-1, -1, 2, 2);
  mask.restore();
  brush.drawImage(scene, 0, 0);
}

/** Subjects, weather and light, on nothing. */
function drawFront(frame: Frame, { still, weather, hour, place }: Wishes, surface: MakeSurface): Surface {
  const { plan } = still;
  const lightened = !place && !(weather && plan.weather !== "clear") && !(hour && plan.hour === "night");
  return drawStaged(frame, plan, surface, (brush, stage) => {
    for (const layer of stillCast(stage, still.figures, "aside")) layer(brush, momentOf(plan));
    if (lightened) {
      const spot = lightSpot(stage);
      const glow = glowSprite(stage, stage.unit * 0.55, plan.palette.light, 0.55);
      brush.drawImage(glow, spot.x - glow.width / 2, spot.y - glow.height / 2);
    }
    if (weather) for (const layer of weatherLayers(stage)) layer(brush, momentOf(plan));
  });
}
