import { css, lighten } from "../picture/colour.ts";
import { composeScene } from "../picture/scene.ts";
import { planScene } from "../picture/scene-plan.ts";
import { createStage, type Brush, type Stage } from "../picture/stage.ts";
import { openStudio } from "../picture/studio.ts";

const side = 1024;

/** Draws the picture of a song from its title and style: a scene, and a record's grooves laid over it. */
export async function drawCover(title: string, tags: string, seed: number): Promise<Uint8Array> {
  const { createCanvas } = await openStudio();
  const canvas = createCanvas(side, side);
  const brush = canvas.getContext("2d");
  const stage = createStage(side, side, planScene(`${title} ${tags}`, seed), (width, height) => createCanvas(width, height));
  composeScene(stage)(brush, { seconds: stage.plan.chance.branch("cover").range(0, 20), pan: 0 });
  paintGrooves(brush, stage);
  return canvas.encode("jpeg", 90);
}

function paintGrooves(brush: Brush, stage: Stage): void {
  const chance = stage.plan.chance.branch("grooves");
  const x = chance.pick([0, side]);
  const y = chance.pick([side, side, 0]);
  brush.lineWidth = 2;
  for (let ring = 0; ring < 26; ring++) {
    brush.strokeStyle = css(lighten(stage.plan.palette.light, 0.05), 0.28 * (1 - ring / 26));
    brush.beginPath();
    brush.arc(x, y, 110 + ring * 17 + Math.sin(ring * 1.7) * 4, 0, Math.PI * 2);
    brush.stroke();
  }
  brush.fillStyle = css(stage.plan.palette.accent, 0.85);
  brush.beginPath();
  brush.arc(x, y, 88, 0, Math.PI * 2);
  brush.fill();
}
