import { css, type Colour } from "./colour.ts";
import { disc } from "./sky.ts";
import type { Brush } from "./stage.ts";

/** Where a figure stands, how tall it is, which way it looks and what it is doing at this moment. */
export type Pose = { x: number; y: number; size: number; facing: 1 | -1; seconds: number; tone: Colour };

type Build = {
  leg: number;
  body: number;
  neck: number;
  head: number;
  ears: "point" | "flop" | "none";
  tail: number;
  bushy: boolean;
  antlers: boolean;
  mane: boolean;
};
export type Animal = "cat" | "dog" | "horse" | "deer";

const builds: Record<Animal, Build> = {
  cat: { leg: 0.34, body: 0.27, neck: 0.16, head: 0.14, ears: "point", tail: 0.6, bushy: false, antlers: false, mane: false },
  dog: { leg: 0.42, body: 0.27, neck: 0.22, head: 0.15, ears: "flop", tail: 0.4, bushy: true, antlers: false, mane: false },
  horse: { leg: 0.5, body: 0.3, neck: 0.46, head: 0.14, ears: "point", tail: 0.45, bushy: true, antlers: false, mane: true },
  deer: { leg: 0.52, body: 0.23, neck: 0.36, head: 0.11, ears: "point", tail: 0.1, bushy: false, antlers: true, mane: false },
};

/** A four-legged animal in silhouette, at a walk. */
export function drawAnimal(brush: Brush, animal: Animal, pose: Pose): void {
  const build = builds[animal];
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.scale(pose.facing * pose.size, pose.size);
  brush.fillStyle = css(pose.tone);
  brush.strokeStyle = css(pose.tone);
  brush.lineCap = "round";
  const stride = pose.seconds * 4;
  for (const [at, phase] of [
    [-0.32, 0],
    [-0.25, Math.PI],
    [0.24, Math.PI * 0.9],
    [0.31, -0.3],
  ] as const)
    leg(brush, at, build, stride + phase);
  const back = -build.leg - build.body / 2;
  brush.beginPath();
  brush.ellipse(0, back, 0.42, build.body * 0.56, 0, 0, Math.PI * 2);
  brush.fill();
  tail(brush, build, back, pose.seconds);
  headAndNeck(brush, build, back, Math.sin(stride * 0.5) * 0.015);
  brush.restore();
}

function leg(brush: Brush, at: number, build: Build, phase: number): void {
  const swing = Math.sin(phase) * build.leg * 0.22;
  brush.lineWidth = 0.075;
  brush.beginPath();
  brush.moveTo(at, -build.leg - build.body * 0.3);
  brush.quadraticCurveTo(at + swing * 0.2, -build.leg * 0.55, at + swing, -Math.max(0, Math.cos(phase)) * build.leg * 0.08);
  brush.stroke();
}

function tail(brush: Brush, build: Build, back: number, seconds: number): void {
  const wag = Math.sin(seconds * 3) * 0.06;
  brush.lineWidth = build.bushy ? 0.1 : 0.05;
  brush.beginPath();
  brush.moveTo(-0.38, back - 0.03);
  const down = build.mane ? 1 : -1;
  brush.bezierCurveTo(-0.52, back - 0.1, -0.6 - wag, back + down * build.tail * 0.5, -0.55 - wag * 2, back + down * build.tail * 0.8);
  brush.stroke();
}

function headAndNeck(brush: Brush, build: Build, back: number, nod: number): void {
  const x = 0.36 + build.neck * 0.55;
  const y = back - build.neck * 0.8 + nod;
  brush.lineWidth = build.body * 0.55;
  brush.beginPath();
  brush.moveTo(0.28, back);
  brush.lineTo(x - 0.03, y + 0.03);
  brush.stroke();
  disc(brush, x, y, build.head * 0.8);
  brush.beginPath();
  brush.ellipse(x + build.head * 0.8, y + build.head * 0.3, build.head * 0.95, build.head * 0.48, 0.4, 0, Math.PI * 2);
  brush.fill();
  if (build.ears !== "none") ears(brush, build, x, y);
  if (build.antlers) antlers(brush, x, y - build.head * 0.6);
  if (build.mane) {
    brush.lineWidth = 0.09;
    brush.beginPath();
    brush.moveTo(x - 0.06, y - build.head * 0.7);
    brush.quadraticCurveTo(x - 0.2, y + 0.1, 0.2, back - 0.08);
    brush.stroke();
  }
}

function ears(brush: Brush, build: Build, x: number, y: number): void {
  for (const at of [-0.45, 0.35]) {
    brush.beginPath();
    brush.moveTo(x + (at - 0.35) * build.head, y - build.head * 0.4);
    if (build.ears === "point") brush.lineTo(x + at * build.head, y - build.head * 1.65);
    else brush.quadraticCurveTo(x + (at - 1.1) * build.head, y - build.head * 0.9, x + (at - 0.7) * build.head, y + build.head * 0.5);
    brush.lineTo(x + (at + 0.4) * build.head, y - build.head * 0.4);
    brush.fill();
  }
}

function antlers(brush: Brush, x: number, y: number): void {
  brush.lineWidth = 0.022;
  for (const side of [-1, 1]) {
    brush.beginPath();
    brush.moveTo(x, y);
    brush.quadraticCurveTo(x + side * 0.12, y - 0.08, x + side * 0.12 - 0.04, y - 0.3);
    brush.moveTo(x + side * 0.08, y - 0.1);
    brush.lineTo(x + side * 0.2, y - 0.2);
    brush.moveTo(x + side * 0.1, y - 0.18);
    brush.lineTo(x + side * 0.2 - 0.02, y - 0.32);
    brush.stroke();
  }
}

/** A walking figure in silhouette. */
export function drawPerson(brush: Brush, pose: Pose): void {
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.scale(pose.facing * pose.size, pose.size);
  brush.fillStyle = css(pose.tone);
  brush.strokeStyle = css(pose.tone);
  brush.lineCap = "round";
  const step = Math.sin(pose.seconds * 3.4);
  brush.lineWidth = 0.085;
  for (const side of [step, -step]) {
    brush.beginPath();
    brush.moveTo(0, -0.48);
    brush.quadraticCurveTo(side * 0.07 + 0.03, -0.25, side * 0.16, 0);
    brush.stroke();
  }
  brush.lineWidth = 0.055;
  for (const side of [-step, step]) {
    brush.beginPath();
    brush.moveTo(0, -0.76);
    brush.quadraticCurveTo(side * 0.06, -0.6, side * 0.15 + 0.03, -0.46);
    brush.stroke();
  }
  brush.beginPath();
  brush.moveTo(-0.1, -0.8);
  brush.quadraticCurveTo(-0.13, -0.55, -0.1, -0.4);
  brush.lineTo(0.1, -0.4);
  brush.quadraticCurveTo(0.13, -0.6, 0.1, -0.8);
  brush.fill();
  disc(brush, 0.01, -0.91, 0.085);
  brush.restore();
}

/** A flock that crosses the sky, wings beating. */
export function drawBird(brush: Brush, pose: Pose): void {
  const beat = Math.sin(pose.seconds * 7) * 0.5 + 0.2;
  brush.strokeStyle = css(pose.tone);
  brush.lineWidth = Math.max(1.2, pose.size * 0.09);
  brush.lineCap = "round";
  brush.beginPath();
  brush.moveTo(pose.x - pose.size, pose.y - pose.size * beat);
  brush.quadraticCurveTo(pose.x - pose.size * 0.4, pose.y - pose.size * 0.45 * (1 + beat * 0.3), pose.x, pose.y);
  brush.quadraticCurveTo(
    pose.x + pose.size * 0.4,
    pose.y - pose.size * 0.45 * (1 + beat * 0.3),
    pose.x + pose.size,
    pose.y - pose.size * beat,
  );
  brush.stroke();
  brush.lineCap = "butt";
}

export function drawFish(brush: Brush, pose: Pose): void {
  const flick = Math.sin(pose.seconds * 6) * 0.22;
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.scale(pose.facing * pose.size, pose.size);
  brush.fillStyle = css(pose.tone);
  brush.beginPath();
  brush.ellipse(0, 0, 1, 0.42, 0, 0, Math.PI * 2);
  brush.fill();
  brush.beginPath();
  brush.moveTo(-0.8, 0);
  brush.lineTo(-1.5, -0.45 + flick);
  brush.quadraticCurveTo(-1.25, flick, -1.5, 0.45 + flick);
  brush.fill();
  brush.beginPath();
  brush.moveTo(0.2, -0.36);
  brush.quadraticCurveTo(-0.1, -0.75, -0.45, -0.6);
  brush.lineTo(-0.4, -0.3);
  brush.fill();
  brush.fillStyle = "rgba(255, 255, 255, 0.9)";
  disc(brush, 0.6, -0.08, 0.1);
  brush.fillStyle = "rgba(10, 10, 20, 0.9)";
  disc(brush, 0.63, -0.08, 0.05);
  brush.restore();
}

export function drawButterfly(brush: Brush, pose: Pose): void {
  const open = 0.25 + 0.75 * Math.abs(Math.sin(pose.seconds * 8));
  brush.fillStyle = css(pose.tone, 0.95);
  for (const side of [-1, 1]) {
    for (const [dy, long, high] of [
      [-0.35, 0.75, 0.55],
      [0.35, 0.5, 0.4],
    ] as const) {
      brush.beginPath();
      brush.ellipse(
        pose.x + side * pose.size * long * 0.5 * open,
        pose.y + dy * pose.size,
        pose.size * long * 0.55 * open,
        pose.size * high * 0.6,
        side * dy,
        0,
        Math.PI * 2,
      );
      brush.fill();
    }
  }
  brush.fillStyle = "rgba(20, 15, 25, 0.9)";
  brush.fillRect(pose.x - pose.size * 0.05, pose.y - pose.size * 0.55, pose.size * 0.1, pose.size * 1.1);
}
