import { coverCell } from "../picture/cover.ts";
import { grade, wishedIn, wishedSubjects } from "../picture/grading.ts";
import { castLayers } from "../picture/cast.ts";
import { composeScene } from "../picture/scene.ts";
import type { Brush, Layer, Stage, Surface } from "../picture/stage.ts";
import { driftLayer, weatherLayers } from "../picture/weather.ts";
import { framesPerSecond } from "./mp4.ts";
import { eased, layOver, type Paint } from "./reel.ts";
import type { SourceFilm } from "./source-film.ts";

/** The film, and after its last frame what follows: the camera moves in on that frame, and the prompt's scene comes out of it. */
export function continueFilm(film: SourceFilm, stage: Stage, prompt: string, addedCount: number): Paint {
  const frames = film.frames();
  const last = stage.surface(stage.width, stage.height);
  const follow = followUp(stage, last, prompt, addedCount);
  return async (brush, index) => {
    if (index >= film.frameCount) return follow(brush, index - film.frameCount);
    const { value } = await frames.next();
    if (value !== undefined) cover(brush, value, stage);
    if (index === film.frameCount - 1) last.getContext("2d").drawImage(brush.canvas, 0, 0);
  };
}

/** How much closer the camera is in the end. */
const approach = 0.1;

function followUp(stage: Stage, last: Surface, prompt: string, count: number): (brush: Brush, index: number) => void {
  const scene = prompt.trim() === "" ? driftLayer(stage, "dust") : composeScene(stage);
  const sheet = stage.surface(stage.width, stage.height);
  const own = sheet.getContext("2d");
  const [begin, length] = prompt.trim() === "" ? [0, 0.3] : [0.12, 0.55];
  return (brush, index) => {
    const share = (index + 1) / count;
    // From rest: the film must not jerk where the sequel begins.
    layOver(brush, last, 1, 1 + approach * share * share);
    const opacity = eased((share - begin) / length);
    if (opacity === 0) return;
    own.clearRect(0, 0, sheet.width, sheet.height);
    scene(own, { seconds: index / framesPerSecond, pan: (share - 0.5) * Math.min(1, count / framesPerSecond / 6) });
    layOver(brush, sheet, opacity);
  };
}

/** The film itself in the light and the weather of the prompt, with its subjects in front and its place around. */
export function remakeFilm(film: SourceFilm, stage: Stage, prompt: string): Paint {
  const frames = film.frames();
  const wished = wishedIn(prompt);
  const plan = { ...stage.plan, subjects: wishedSubjects(prompt, stage.plan) };
  const place = wished.place ? surroundings({ ...stage, plan: { ...plan, subjects: [] } }) : null;
  const front = [...castLayers({ ...stage, plan }), ...(wished.weather ? weatherLayers(stage) : [])];
  return async (brush, index) => {
    const { value } = await frames.next();
    if (value !== undefined) cover(brush, value, stage);
    grade(brush, stage, plan, wished);
    const moment = { seconds: index / framesPerSecond, pan: 0 };
    place?.(brush, moment);
    for (const layer of front) layer(brush, moment);
  };
}

/** The plan's place, seen only towards the edges of the frame. */
function surroundings(stage: Stage): Layer {
  const { width, height } = stage;
  const scene = composeScene(stage);
  const sheet = stage.surface(width, height);
  const own = sheet.getContext("2d");
  const hole = own.createRadialGradient(0, 0, 0.5, 0, 0, 1.35);
  hole.addColorStop(0, "rgba(0, 0, 0, 0)");
  hole.addColorStop(0.6, "rgba(0, 0, 0, 0.75)");
  hole.addColorStop(1, "rgba(0, 0, 0, 1)");
  return (brush, moment) => {
    scene(own, moment);
    own.save();
    own.translate(width / 2, height / 2);
    own.scale(width / 2, height / 2);
    own.globalCompositeOperation = "destination-in";
    own.fillStyle = hole;
    own.fillRect(-1, -1, 2, 2);
    own.restore();
    brush.drawImage(sheet, 0, 0);
    own.clearRect(0, 0, width, height);
  };
}

function cover(brush: Brush, picture: Surface, { width, height }: Stage): void {
  coverCell(brush, picture, { left: 0, top: 0, width, height });
}
