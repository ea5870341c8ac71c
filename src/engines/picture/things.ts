import { css, lighten, type Colour } from "./colour.ts";
import { disc } from "./sky.ts";
import type { Pose } from "./creatures.ts";
import type { Brush } from "./stage.ts";

/** A sailing boat that rocks on the swell. */
export function drawBoat(brush: Brush, pose: Pose, sail: Colour): void {
  brush.save();
  brush.translate(pose.x, pose.y + Math.sin(pose.seconds * 1.3) * pose.size * 0.04);
  brush.rotate(Math.sin(pose.seconds * 1.1) * 0.05);
  brush.scale(pose.facing * pose.size, pose.size);
  brush.fillStyle = css(pose.tone);
  brush.beginPath();
  brush.moveTo(-0.55, -0.12);
  brush.quadraticCurveTo(-0.4, 0.14, 0, 0.14);
  brush.quadraticCurveTo(0.42, 0.12, 0.62, -0.14);
  brush.fill();
  brush.fillRect(-0.025, -1.15, 0.04, 1.05);
  brush.fillStyle = css(lighten(sail, 0.12));
  brush.beginPath();
  brush.moveTo(0.04, -1.1);
  brush.quadraticCurveTo(0.5, -0.6, 0.52, -0.2);
  brush.lineTo(0.04, -0.2);
  brush.fill();
  brush.fillStyle = css(sail);
  brush.beginPath();
  brush.moveTo(-0.05, -0.95);
  brush.quadraticCurveTo(-0.38, -0.55, -0.42, -0.2);
  brush.lineTo(-0.05, -0.2);
  brush.fill();
  brush.restore();
}

/** A striped balloon with its basket. */
export function drawBalloon(brush: Brush, pose: Pose, stripe: Colour): void {
  brush.save();
  brush.translate(pose.x, pose.y + Math.sin(pose.seconds * 0.6) * pose.size * 0.12);
  brush.scale(pose.size, pose.size);
  for (let part = 0; part < 5; part++) {
    brush.fillStyle = css(part % 2 === 0 ? stripe : lighten(stripe, 0.28));
    brush.beginPath();
    brush.ellipse(0, 0, 0.5 * (1 - part * 0.22), 0.55, 0, 0, Math.PI * 2);
    brush.fill();
  }
  brush.fillStyle = css(stripe);
  brush.beginPath();
  brush.moveTo(-0.32, 0.4);
  brush.lineTo(-0.1, 0.72);
  brush.lineTo(0.1, 0.72);
  brush.lineTo(0.32, 0.4);
  brush.fill();
  brush.strokeStyle = css(pose.tone, 0.8);
  brush.lineWidth = 0.015;
  brush.beginPath();
  brush.moveTo(-0.09, 0.7);
  brush.lineTo(-0.09, 0.88);
  brush.moveTo(0.09, 0.7);
  brush.lineTo(0.09, 0.88);
  brush.stroke();
  brush.fillStyle = css(pose.tone);
  brush.fillRect(-0.11, 0.86, 0.22, 0.16);
  brush.restore();
}

/** A house with a light in its window and smoke over its chimney. */
export function drawHouse(brush: Brush, pose: Pose, glow: Colour): void {
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.scale(pose.size, pose.size);
  for (let ring = 0; ring < 5; ring++) {
    const age = (pose.seconds * 0.25 + ring / 5) % 1;
    brush.fillStyle = `rgba(235, 235, 240, ${(0.28 * (1 - age)).toFixed(3)})`;
    disc(brush, 0.3 + Math.sin(age * 5 + ring) * 0.06 + age * 0.2, -1.05 - age * 0.7, 0.05 + age * 0.12);
  }
  brush.fillStyle = css(lighten(pose.tone, -0.03));
  brush.fillRect(0.24, -1.05, 0.12, 0.3);
  brush.fillStyle = css(lighten(pose.tone, 0.06));
  brush.fillRect(-0.5, -0.6, 1, 0.62);
  brush.fillStyle = css(lighten(pose.tone, -0.04));
  brush.beginPath();
  brush.moveTo(-0.62, -0.56);
  brush.lineTo(0, -1.05);
  brush.lineTo(0.62, -0.56);
  brush.fill();
  brush.fillStyle = css(glow);
  brush.fillRect(-0.34, -0.42, 0.22, 0.2);
  brush.fillRect(0.14, -0.42, 0.22, 0.2);
  brush.fillStyle = css(lighten(pose.tone, -0.08));
  brush.fillRect(-0.09, -0.36, 0.18, 0.38);
  brush.restore();
}

/** A rocket on its flame. */
export function drawRocket(brush: Brush, pose: Pose, fin: Colour): void {
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.rotate(pose.facing * 0.25);
  brush.scale(pose.size, pose.size);
  const flare = 0.45 + 0.15 * Math.sin(pose.seconds * 30) + 0.08 * Math.sin(pose.seconds * 47);
  for (const [tone, wide, long] of [
    ["rgba(255, 120, 30, 0.7)", 0.16, 1],
    ["rgba(255, 220, 120, 0.95)", 0.09, 0.6],
  ] as const) {
    brush.fillStyle = tone;
    brush.beginPath();
    brush.moveTo(-wide, 0.5);
    brush.quadraticCurveTo(0, 0.55 + flare * long * 2, wide, 0.5);
    brush.fill();
  }
  brush.fillStyle = css(fin);
  brush.beginPath();
  brush.moveTo(-0.16, 0.15);
  brush.lineTo(-0.36, 0.58);
  brush.lineTo(0.36, 0.58);
  brush.lineTo(0.16, 0.15);
  brush.fill();
  brush.fillStyle = "#eef1f6";
  brush.beginPath();
  brush.moveTo(0, -0.75);
  brush.bezierCurveTo(0.3, -0.35, 0.22, 0.3, 0.14, 0.52);
  brush.lineTo(-0.14, 0.52);
  brush.bezierCurveTo(-0.22, 0.3, -0.3, -0.35, 0, -0.75);
  brush.fill();
  brush.fillStyle = css(lighten(fin, -0.2));
  disc(brush, 0, -0.12, 0.09);
  brush.restore();
}

/** A fire that flickers. */
export function drawFire(brush: Brush, pose: Pose): void {
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.scale(pose.size, pose.size);
  const glow = brush.createRadialGradient(0, -0.3, 0.05, 0, -0.3, 1.8);
  glow.addColorStop(0, `rgba(255, 160, 60, ${(0.42 + 0.08 * Math.sin(pose.seconds * 11)).toFixed(3)})`);
  glow.addColorStop(1, "rgba(255, 120, 40, 0)");
  brush.fillStyle = glow;
  brush.fillRect(-1.8, -2.1, 3.6, 3.6);
  brush.strokeStyle = "#2a1a12";
  brush.lineWidth = 0.09;
  brush.beginPath();
  brush.moveTo(-0.36, 0.02);
  brush.lineTo(0.34, -0.1);
  brush.moveTo(0.36, 0.02);
  brush.lineTo(-0.34, -0.1);
  brush.stroke();
  const tongues = [
    ["rgba(235, 70, 20, 0.85)", 0.34, 1.05],
    ["rgba(255, 150, 40, 0.9)", 0.24, 0.75],
    ["rgba(255, 235, 150, 0.95)", 0.13, 0.45],
  ] as const;
  tongues.forEach(([tone, wide, tall], index) => {
    const lean = Math.sin(pose.seconds * (7 + index * 2) + index) * 0.1;
    const high = tall * (1 + 0.14 * Math.sin(pose.seconds * (11 + index * 3)));
    brush.fillStyle = tone;
    brush.beginPath();
    brush.moveTo(-wide, -0.05);
    brush.bezierCurveTo(-wide * 1.2, -high * 0.45, lean - wide * 0.2, -high * 0.6, lean, -high);
    brush.bezierCurveTo(lean + wide * 0.3, -high * 0.6, wide * 1.2, -high * 0.4, wide, -0.05);
    brush.fill();
  });
  brush.restore();
}

/** A small car with its lamps on. */
export function drawCar(brush: Brush, pose: Pose, paint: Colour): void {
  brush.save();
  brush.translate(pose.x, pose.y);
  brush.scale(pose.facing * pose.size, pose.size);
  const beam = brush.createLinearGradient(0.6, 0, 1.8, 0);
  beam.addColorStop(0, "rgba(255, 240, 200, 0.5)");
  beam.addColorStop(1, "rgba(255, 240, 200, 0)");
  brush.fillStyle = beam;
  brush.beginPath();
  brush.moveTo(0.62, -0.24);
  brush.lineTo(1.8, -0.4);
  brush.lineTo(1.8, 0.05);
  brush.fill();
  brush.fillStyle = css(paint);
  brush.beginPath();
  brush.roundRect(-0.65, -0.36, 1.3, 0.26, 0.08);
  brush.fill();
  brush.beginPath();
  brush.moveTo(-0.42, -0.34);
  brush.quadraticCurveTo(-0.3, -0.6, -0.1, -0.6);
  brush.lineTo(0.12, -0.6);
  brush.quadraticCurveTo(0.3, -0.56, 0.4, -0.34);
  brush.fill();
  brush.fillStyle = css(lighten(paint, 0.3), 0.7);
  brush.fillRect(-0.28, -0.53, 0.22, 0.17);
  brush.fillRect(0.0, -0.53, 0.22, 0.17);
  brush.fillStyle = "#15161c";
  disc(brush, -0.36, -0.1, 0.12);
  disc(brush, 0.36, -0.1, 0.12);
  brush.restore();
}
