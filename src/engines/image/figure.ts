import { colour, css, lighten, type Colour } from "../picture/colour.ts";
import type { Brush } from "../picture/stage.ts";
import { dot, oval } from "./animal.ts";

const ink = colour(20, 0.2, 0.1);

/** What someone looks like. */
export type Person = { coat: Colour; hair: Colour; skin: Colour; longHair: boolean; helmet: boolean };

/** Someone who stands facing us, one unit high. */
export function drawPersonStanding(brush: Brush, { coat, hair, skin, longHair, helmet }: Person): void {
  const trousers = helmet ? lighten(coat, -0.08) : colour(222, 0.28, 0.24);
  for (const side of [-1, 1]) {
    box(brush, side * 0.055 - 0.048, -0.42, 0.096, 0.4, 0.03, trousers);
    box(brush, side * 0.06 - 0.055, -0.055, 0.11, 0.055, 0.025, helmet ? lighten(coat, -0.2) : colour(20, 0.3, 0.15));
    brush.strokeStyle = css(lighten(coat, -0.05));
    brush.lineWidth = 0.075;
    brush.lineCap = "round";
    brush.beginPath();
    brush.moveTo(side * 0.12, -0.69);
    brush.quadraticCurveTo(side * 0.21, -0.56, side * 0.18, -0.42);
    brush.stroke();
    oval(brush, side * 0.18, -0.39, 0.035, 0.04, helmet ? lighten(coat, -0.12) : skin, helmet ? coat : skin);
  }
  if (longHair) box(brush, -0.115, -0.93, 0.23, 0.27, 0.1, hair);
  brush.fillStyle = css(coat);
  brush.beginPath();
  brush.moveTo(-0.12, -0.74);
  brush.quadraticCurveTo(0, -0.78, 0.12, -0.74);
  brush.quadraticCurveTo(0.17, -0.55, 0.15, -0.36);
  brush.quadraticCurveTo(0, -0.33, -0.15, -0.36);
  brush.quadraticCurveTo(-0.17, -0.55, -0.12, -0.74);
  brush.fill();
  if (helmet) return drawHelmet(brush, coat);
  box(brush, -0.035, -0.8, 0.07, 0.08, 0.02, lighten(skin, -0.06));
  oval(brush, 0, -0.87, 0.095, 0.11, skin, lighten(skin, -0.07));
  brush.fillStyle = css(hair);
  brush.beginPath();
  brush.moveTo(-0.105, -0.86);
  brush.bezierCurveTo(-0.12, -1.04, 0.12, -1.04, 0.105, -0.86);
  brush.quadraticCurveTo(0.05, -0.93, -0.02, -0.93);
  brush.quadraticCurveTo(-0.08, -0.92, -0.105, -0.86);
  brush.fill();
  brush.fillStyle = css(ink);
  for (const side of [-1, 1]) dot(brush, side * 0.036, -0.865, 0.011);
  brush.strokeStyle = css(colour(5, 0.45, 0.4));
  brush.lineWidth = 0.01;
  brush.beginPath();
  brush.arc(0, -0.835, 0.03, 0.3, Math.PI - 0.3);
  brush.stroke();
}

function drawHelmet(brush: Brush, suit: Colour): void {
  oval(brush, 0, -0.88, 0.145, 0.14, lighten(suit, 0.04), lighten(suit, -0.12));
  oval(brush, 0, -0.875, 0.105, 0.085, colour(215, 0.55, 0.35), colour(230, 0.6, 0.12));
  brush.fillStyle = "rgba(255, 255, 255, 0.55)";
  brush.beginPath();
  brush.ellipse(-0.045, -0.905, 0.03, 0.015, -0.5, 0, Math.PI * 2);
  brush.fill();
  box(brush, -0.06, -0.62, 0.12, 0.09, 0.015, lighten(suit, -0.15));
  brush.fillStyle = css(colour(10, 0.8, 0.55));
  dot(brush, -0.03, -0.575, 0.014);
  brush.fillStyle = css(colour(140, 0.6, 0.5));
  dot(brush, 0.02, -0.575, 0.014);
}

/** A robot of plates and rivets with lit eyes, one unit high. */
export function drawRobot(brush: Brush, metal: Colour, light: Colour): void {
  const dark = lighten(metal, -0.18);
  for (const side of [-1, 1]) {
    box(brush, side * 0.1 - 0.045, -0.26, 0.09, 0.22, 0.02, dark);
    box(brush, side * 0.11 - 0.075, -0.06, 0.15, 0.06, 0.03, metal);
    brush.strokeStyle = css(dark);
    brush.lineWidth = 0.06;
    brush.lineCap = "round";
    brush.beginPath();
    brush.moveTo(side * 0.2, -0.52);
    brush.quadraticCurveTo(side * 0.32, -0.46, side * 0.29, -0.3);
    brush.stroke();
    oval(brush, side * 0.29, -0.27, 0.05, 0.05, metal, dark);
    oval(brush, side * 0.235, -0.78, 0.035, 0.055, dark, dark);
  }
  box(brush, -0.21, -0.58, 0.42, 0.36, 0.06, metal);
  box(brush, -0.11, -0.5, 0.22, 0.14, 0.03, lighten(metal, -0.3));
  box(brush, -0.22, -0.93, 0.44, 0.31, 0.08, lighten(metal, 0.04));
  box(brush, -0.17, -0.87, 0.34, 0.17, 0.06, colour(220, 0.3, 0.12));
  brush.strokeStyle = css(dark);
  brush.lineWidth = 0.022;
  brush.beginPath();
  brush.moveTo(0, -0.93);
  brush.lineTo(0, -1.02);
  brush.stroke();
  brush.fillStyle = css(light);
  for (const [x, y, size] of [
    [-0.08, -0.785, 0.038],
    [0.08, -0.785, 0.038],
    [0, -1.03, 0.03],
    [0.05, -0.43, 0.02],
    [-0.05, -0.43, 0.02],
  ] as const)
    dot(brush, x, y, size);
  brush.fillStyle = css(dark);
  for (const x of [-0.06, 0, 0.06]) brush.fillRect(x - 0.012, -0.675, 0.024, 0.025);
}

/** A round bird on its feet; an owl has a face of discs, a penguin a white front. */
export function drawBirdPerched(brush: Brush, kind: "bird" | "owl" | "penguin", plumage: Colour): void {
  const shade = lighten(plumage, -0.12);
  const belly = kind === "penguin" ? colour(40, 0.2, 0.95) : lighten(colour(plumage.h + 18, plumage.s * 0.8, plumage.l), 0.24);
  const beak = colour(36, 0.95, 0.52);
  brush.fillStyle = css(beak);
  for (const side of [-1, 1]) dot(brush, side * 0.1, -0.025, 0.045);
  oval(brush, 0, -0.45, 0.33, 0.44, plumage, shade);
  oval(brush, 0, -0.36, 0.23, 0.33, belly, lighten(belly, -0.05));
  for (const side of [-1, 1]) {
    brush.save();
    brush.translate(side * 0.3, -0.42);
    brush.rotate(side * -0.22);
    oval(brush, 0, 0, 0.085, 0.25, lighten(plumage, -0.05), shade);
    brush.restore();
    if (kind !== "bird") oval(brush, side * 0.12, -0.68, 0.12, 0.12, kind === "owl" ? lighten(belly, 0.08) : belly, belly);
    if (kind === "owl") tuft(brush, side, shade);
    const size = kind === "owl" ? 0.062 : 0.04;
    brush.fillStyle = css(ink);
    dot(brush, side * 0.12, -0.69, size);
    brush.fillStyle = "rgba(255, 255, 255, 0.95)";
    dot(brush, side * 0.12 + size * 0.35, -0.69 - size * 0.35, size * 0.34);
  }
  brush.fillStyle = css(beak);
  brush.beginPath();
  brush.moveTo(-0.055, -0.64);
  brush.quadraticCurveTo(0, -0.67, 0.055, -0.64);
  brush.lineTo(0, -0.55);
  brush.fill();
}

function tuft(brush: Brush, side: number, tone: Colour): void {
  brush.fillStyle = css(tone);
  brush.beginPath();
  brush.moveTo(side * 0.05, -0.85);
  brush.lineTo(side * 0.25, -1);
  brush.lineTo(side * 0.27, -0.74);
  brush.fill();
}

/** A rounded box lit from above on the left. */
export function box(brush: Brush, x: number, y: number, wide: number, tall: number, round: number, tone: Colour): void {
  const gradient = brush.createLinearGradient(x, y, x + wide, y + tall);
  gradient.addColorStop(0, css(lighten(tone, 0.05)));
  gradient.addColorStop(1, css(lighten(tone, -0.06)));
  brush.fillStyle = gradient;
  brush.beginPath();
  brush.roundRect(x, y, wide, tall, round);
  brush.fill();
}
