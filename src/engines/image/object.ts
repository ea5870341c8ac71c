import { blend, colour, css, lighten, type Colour } from "../picture/colour.ts";
import type { Brush } from "../picture/stage.ts";
import { dot, oval } from "./animal.ts";
import { box } from "./figure.ts";

const leaf = colour(118, 0.5, 0.36);

/** Things one unit high that stand on the origin, each in a colour of its own. */
export function drawApple(brush: Brush, skin: Colour): void {
  for (const side of [-1, 1]) oval(brush, side * 0.13, -0.4, 0.28, 0.38, skin, lighten(skin, -0.16));
  oval(brush, -0.08, -0.42, 0.3, 0.36, lighten(skin, 0.03), skin);
  brush.strokeStyle = css(colour(25, 0.45, 0.22));
  brush.lineWidth = 0.04;
  brush.lineCap = "round";
  brush.beginPath();
  brush.moveTo(0, -0.7);
  brush.quadraticCurveTo(0.01, -0.85, 0.07, -0.92);
  brush.stroke();
  drawLeaf(brush, 0.16, -0.86, 0.14, -0.4);
  brush.fillStyle = "rgba(255, 255, 255, 0.35)";
  brush.beginPath();
  brush.ellipse(-0.2, -0.56, 0.06, 0.1, 0.5, 0, Math.PI * 2);
  brush.fill();
}

/** A flower on its stem. */
export function drawFlower(brush: Brush, petal: Colour): void {
  brush.strokeStyle = css(leaf);
  brush.lineWidth = 0.03;
  brush.lineCap = "round";
  brush.beginPath();
  brush.moveTo(0, 0);
  brush.quadraticCurveTo(0.05, -0.3, 0, -0.66);
  brush.stroke();
  drawLeaf(brush, 0.13, -0.22, 0.15, -0.6);
  drawLeaf(brush, -0.1, -0.3, 0.13, -2.4);
  for (let index = 0; index < 16; index++) {
    const inner = index >= 8;
    const angle = (index / 8) * Math.PI * 2 + (inner ? Math.PI / 8 : 0);
    const far = inner ? 0.11 : 0.18;
    brush.save();
    brush.translate(Math.cos(angle) * far, -0.7 + Math.sin(angle) * far);
    brush.rotate(angle);
    oval(brush, 0, 0, inner ? 0.1 : 0.13, inner ? 0.05 : 0.065, lighten(petal, inner ? 0.1 : 0), lighten(petal, -0.08));
    brush.restore();
  }
  oval(brush, 0, -0.7, 0.085, 0.085, colour(46, 0.95, 0.58), colour(34, 0.9, 0.42));
}

/** A broad tree. */
export function drawTree(brush: Brush, crown: Colour): void {
  brush.fillStyle = css(colour(25, 0.38, 0.26));
  brush.beginPath();
  brush.moveTo(-0.08, 0);
  brush.quadraticCurveTo(-0.03, -0.2, -0.06, -0.45);
  brush.lineTo(0.06, -0.45);
  brush.quadraticCurveTo(0.03, -0.2, 0.09, 0);
  brush.fill();
  for (let index = 0; index < 34; index++) {
    const angle = index * 2.4;
    const far = Math.sqrt((34 - index) / 34) * 0.3;
    const y = -0.66 + Math.sin(angle) * far * 0.85;
    const tone = lighten(crown, -(y + 0.66) * 0.35);
    oval(brush, Math.cos(angle) * far, y, 0.1, 0.095, tone, lighten(tone, -0.05));
  }
}

/** A heart that shines. */
export function drawHeart(brush: Brush, tone: Colour): void {
  const gradient = brush.createRadialGradient(-0.18, -0.68, 0.04, 0, -0.5, 0.62);
  gradient.addColorStop(0, css(lighten(tone, 0.2)));
  gradient.addColorStop(0.35, css(tone));
  gradient.addColorStop(1, css(lighten(tone, -0.16)));
  brush.fillStyle = gradient;
  brush.beginPath();
  brush.moveTo(0, -0.02);
  brush.bezierCurveTo(-0.72, -0.45, -0.5, -1.02, -0.22, -0.95);
  brush.bezierCurveTo(-0.1, -0.93, -0.03, -0.84, 0, -0.75);
  brush.bezierCurveTo(0.03, -0.84, 0.1, -0.93, 0.22, -0.95);
  brush.bezierCurveTo(0.5, -1.02, 0.72, -0.45, 0, -0.02);
  brush.fill();
}

/** A steaming cup on its saucer. */
export function drawCup(brush: Brush, glaze: Colour): void {
  brush.strokeStyle = css(lighten(glaze, -0.06));
  brush.lineWidth = 0.065;
  brush.beginPath();
  brush.ellipse(0.32, -0.36, 0.14, 0.15, 0, 0, Math.PI * 2);
  brush.stroke();
  oval(brush, 0, -0.05, 0.46, 0.07, lighten(glaze, -0.04), lighten(glaze, -0.16));
  brush.beginPath();
  brush.moveTo(-0.33, -0.58);
  brush.bezierCurveTo(-0.33, -0.2, -0.2, -0.06, 0, -0.06);
  brush.bezierCurveTo(0.2, -0.06, 0.33, -0.2, 0.33, -0.58);
  const side = brush.createLinearGradient(-0.33, 0, 0.33, 0);
  side.addColorStop(0, css(lighten(glaze, 0.06)));
  side.addColorStop(1, css(lighten(glaze, -0.14)));
  brush.fillStyle = side;
  brush.fill();
  oval(brush, 0, -0.58, 0.33, 0.08, lighten(glaze, 0.08), glaze);
  oval(brush, 0, -0.575, 0.28, 0.06, colour(24, 0.6, 0.24), colour(20, 0.6, 0.14));
  brush.strokeStyle = "rgba(255, 255, 255, 0.45)";
  brush.lineWidth = 0.025;
  brush.lineCap = "round";
  for (const x of [-0.12, 0, 0.12]) {
    brush.beginPath();
    brush.moveTo(x, -0.68);
    brush.bezierCurveTo(x + 0.07, -0.76, x - 0.07, -0.84, x + 0.02, -0.94);
    brush.stroke();
  }
}

/** A box with a ribbon and a bow. */
export function drawGift(brush: Brush, paper: Colour): void {
  const ribbon = blend(colour(paper.h + 180, 0.7, 0.55), colour(45, 0.9, 0.6), 0.6);
  box(brush, -0.36, -0.56, 0.72, 0.56, 0.03, paper);
  box(brush, -0.4, -0.68, 0.8, 0.16, 0.03, lighten(paper, 0.05));
  box(brush, -0.07, -0.68, 0.14, 0.68, 0.01, ribbon);
  brush.fillStyle = css(ribbon);
  for (const side of [-1, 1]) {
    brush.beginPath();
    brush.moveTo(0, -0.68);
    brush.bezierCurveTo(side * 0.36, -0.74, side * 0.3, -1.02, 0, -0.7);
    brush.fill();
  }
  dot(brush, 0, -0.71, 0.05);
}

/** A butterfly seen from above with its wings spread. */
export function drawWings(brush: Brush, wing: Colour): void {
  for (const side of [-1, 1]) {
    for (const [x, y, wide, tall, turn] of [
      [0.27, -0.66, 0.27, 0.2, -0.6],
      [0.2, -0.32, 0.19, 0.16, 0.6],
    ] as const) {
      brush.save();
      brush.translate(side * x, y);
      brush.rotate(side * turn);
      oval(brush, 0, 0, wide, tall, lighten(wing, -0.2), lighten(wing, -0.32));
      oval(brush, 0, 0, wide * 0.84, tall * 0.8, wing, lighten(wing, -0.1));
      oval(brush, side * wide * 0.4, 0, wide * 0.22, tall * 0.3, lighten(wing, 0.28), lighten(wing, 0.2));
      brush.restore();
    }
  }
  const body = colour(20, 0.25, 0.14);
  oval(brush, 0, -0.47, 0.035, 0.25, body, body);
  dot(brush, 0, -0.73, 0.045);
  brush.strokeStyle = css(body);
  brush.lineWidth = 0.012;
  brush.lineCap = "round";
  brush.beginPath();
  for (const side of [-1, 1]) {
    brush.moveTo(0, -0.75);
    brush.quadraticCurveTo(side * 0.04, -0.88, side * 0.12, -0.94);
  }
  brush.stroke();
}

/** A fire of three tongues on crossed logs. */
export function drawFlame(brush: Brush): void {
  for (const [tone, wide, tall] of [
    [colour(12, 0.88, 0.5), 0.34, 1],
    [colour(30, 1, 0.55), 0.24, 0.7],
    [colour(48, 1, 0.74), 0.13, 0.42],
  ] as const) {
    brush.fillStyle = css(tone);
    brush.beginPath();
    brush.moveTo(-wide, -0.08);
    brush.bezierCurveTo(-wide * 1.25, -tall * 0.5, -wide * 0.1, -tall * 0.55, wide * 0.1, -tall);
    brush.bezierCurveTo(wide * 0.3, -tall * 0.6, wide * 1.3, -tall * 0.45, wide, -0.08);
    brush.quadraticCurveTo(0, 0.02, -wide, -0.08);
    brush.fill();
  }
  brush.strokeStyle = css(colour(22, 0.45, 0.18));
  brush.lineWidth = 0.09;
  brush.lineCap = "round";
  brush.beginPath();
  brush.moveTo(-0.36, 0);
  brush.lineTo(0.34, -0.1);
  brush.moveTo(0.36, 0);
  brush.lineTo(-0.34, -0.1);
  brush.stroke();
}

function drawLeaf(brush: Brush, x: number, y: number, long: number, angle: number): void {
  brush.save();
  brush.translate(x, y);
  brush.rotate(angle);
  oval(brush, 0, 0, long, long * 0.38, leaf, lighten(leaf, -0.1));
  brush.restore();
}
