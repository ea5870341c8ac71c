import { colour, css, lighten, type Colour } from "../picture/colour.ts";
import type { Brush } from "../picture/stage.ts";

/** How an animal that sits and looks at us is built. */
export type Animal = {
  fur: Colour;
  ears: "point" | "flop" | "round" | "long" | "side";
  tail: "thin" | "bushy" | "none";
  /** Where the coat is light: muzzle and chest. */
  pale?: Colour;
  /** A second colour on ears, face and paws. */
  points?: Colour;
  marks?: "stripes" | "eye patches" | "mane" | "antlers" | "snout" | "spots";
  whiskers?: boolean;
};

/** Draws the animal one unit high, its feet on the origin. */
export function drawAnimalSitting(brush: Brush, animal: Animal): void {
  const { fur } = animal;
  const shade = lighten(fur, -0.09);
  const pale = animal.pale ?? lighten(fur, 0.14);
  drawTail(brush, animal, shade);
  oval(brush, 0, -0.3, 0.25, 0.31, fur, shade);
  for (const side of [-1, 1]) oval(brush, side * 0.19, -0.11, 0.14, 0.12, fur, shade);
  oval(brush, 0, -0.38, 0.13, 0.17, pale, pale);
  if (animal.marks === "stripes") stripes(brush, lighten(fur, -0.34), [-0.42, -0.32, -0.22], 0.24, 0.09);
  for (const side of [-1, 1]) {
    brush.fillStyle = css(lighten(fur, -0.03));
    brush.beginPath();
    brush.roundRect(side * 0.085 - 0.06, -0.3, 0.12, 0.28, 0.05);
    brush.fill();
    oval(brush, side * 0.09, -0.035, 0.08, 0.045, animal.points ?? lighten(fur, 0.05), animal.points ?? fur);
  }
  drawHead(brush, animal, pale, shade);
}

function drawHead(brush: Brush, animal: Animal, pale: Colour, shade: Colour): void {
  const { fur, marks } = animal;
  if (marks === "mane") mane(brush, lighten(colour(fur.h - 14, fur.s, fur.l), -0.2));
  if (marks === "antlers") antlers(brush, colour(32, 0.35, 0.45));
  for (const side of [-1, 1] as const) ear(brush, animal, side);
  oval(brush, 0, -0.68, 0.24, 0.205, fur, shade);
  if (animal.points !== undefined) oval(brush, 0, -0.65, 0.15, 0.15, lighten(animal.points, 0.06), lighten(animal.points, 0.06));
  if (marks === "stripes") stripes(brush, lighten(fur, -0.34), [-0.74, -0.67], 0.235, 0.08);
  if (marks === "eye patches")
    for (const side of [-1, 1]) oval(brush, side * 0.1, -0.7, 0.07, 0.085, colour(0, 0, 0.13), colour(0, 0, 0.13));
  if (marks === "spots")
    for (const [x, y] of [
      [-0.16, -0.36],
      [0.17, -0.3],
      [0.14, -0.48],
      [-0.19, -0.2],
    ] as const)
      oval(brush, x, y, 0.03, 0.026, pale, pale);
  face(brush, animal, pale);
}

function face(brush: Brush, animal: Animal, pale: Colour): void {
  const ink = colour(20, 0.25, 0.1);
  const muzzle = animal.points === undefined ? pale : lighten(animal.points, 0.1);
  for (const side of [-1, 1]) {
    if (animal.marks !== "snout") oval(brush, side * 0.05, -0.595, 0.075, 0.06, muzzle, muzzle);
    oval(brush, side * 0.1, -0.7, 0.042, 0.048, ink, ink);
    brush.fillStyle = "rgba(255, 255, 255, 0.92)";
    dot(brush, side * 0.1 + 0.014, -0.717, 0.014);
  }
  if (animal.marks === "snout") {
    oval(brush, 0, -0.605, 0.085, 0.06, lighten(animal.fur, -0.06), lighten(animal.fur, -0.1));
    for (const side of [-1, 1]) oval(brush, side * 0.03, -0.605, 0.013, 0.02, lighten(animal.fur, -0.35), lighten(animal.fur, -0.35));
    return;
  }
  brush.fillStyle = css(ink);
  brush.beginPath();
  brush.ellipse(0, -0.63, 0.032, 0.022, 0, 0, Math.PI * 2);
  brush.fill();
  brush.strokeStyle = css(ink, 0.8);
  brush.lineWidth = 0.011;
  brush.lineCap = "round";
  brush.beginPath();
  for (const side of [-1, 1]) {
    brush.moveTo(0, -0.61);
    brush.quadraticCurveTo(side * 0.01, -0.565, side * 0.055, -0.572);
  }
  brush.stroke();
  if (animal.whiskers === true) whiskers(brush);
}

function whiskers(brush: Brush): void {
  brush.strokeStyle = "rgba(255, 255, 255, 0.75)";
  brush.lineWidth = 0.006;
  brush.beginPath();
  for (const side of [-1, 1]) {
    for (const rise of [-0.03, 0, 0.03]) {
      brush.moveTo(side * 0.09, -0.6 + rise * 0.4);
      brush.quadraticCurveTo(side * 0.2, -0.61 + rise, side * 0.31, -0.6 + rise * 2);
    }
  }
  brush.stroke();
}

function ear(brush: Brush, animal: Animal, side: 1 | -1): void {
  const outer = animal.points ?? (animal.marks === "eye patches" ? colour(0, 0, 0.13) : lighten(animal.fur, -0.04));
  const inner = animal.points === undefined ? colour(350, 0.4, 0.72) : lighten(animal.points, 0.12);
  brush.save();
  brush.scale(side, 1);
  if (animal.ears === "round") {
    oval(brush, 0.18, -0.84, 0.085, 0.085, outer, outer);
    oval(brush, 0.18, -0.835, 0.048, 0.048, animal.marks === "eye patches" ? outer : inner, outer);
  } else if (animal.ears === "flop") {
    brush.translate(0.2, -0.72);
    brush.rotate(-0.3);
    oval(brush, 0.025, 0.06, 0.075, 0.17, outer, lighten(outer, -0.06));
  } else if (animal.ears === "side") {
    brush.translate(0.27, -0.77);
    brush.rotate(-0.45);
    oval(brush, 0.02, 0, 0.13, 0.06, outer, outer);
    oval(brush, 0.03, 0.005, 0.085, 0.033, inner, inner);
  } else if (animal.ears === "long") {
    brush.translate(0.1, -0.96);
    brush.rotate(0.16);
    oval(brush, 0, 0, 0.06, 0.2, outer, outer);
    oval(brush, 0, 0.02, 0.03, 0.14, inner, inner);
  } else {
    for (const [tone, size] of [
      [outer, 1],
      [inner, 0.55],
    ] as const) {
      brush.fillStyle = css(tone);
      brush.beginPath();
      brush.moveTo(0.15 - 0.1 * size, -0.8 + 0.01 / size);
      brush.quadraticCurveTo(0.17, -0.86 - 0.16 * size, 0.2, -0.84 - 0.16 * size);
      brush.quadraticCurveTo(0.25, -0.82 - 0.06 * size, 0.155 + 0.08 * size, -0.74);
      brush.fill();
    }
  }
  brush.restore();
}

function drawTail(brush: Brush, { tail, points, fur, pale }: Animal, shade: Colour): void {
  if (tail === "none") return;
  brush.strokeStyle = css(points ?? shade);
  brush.lineCap = "round";
  brush.lineWidth = tail === "bushy" ? 0.13 : 0.065;
  brush.beginPath();
  brush.moveTo(0.18, -0.08);
  brush.bezierCurveTo(0.42, -0.06, 0.46, -0.24, 0.36, -0.42);
  brush.stroke();
  if (tail === "bushy") oval(brush, 0.36, -0.44, 0.075, 0.1, pale ?? lighten(fur, 0.16), fur);
}

function mane(brush: Brush, tone: Colour): void {
  for (let lock = 0; lock < 18; lock++) {
    const angle = (lock / 18) * Math.PI * 2;
    oval(brush, Math.cos(angle) * 0.25, -0.67 + Math.sin(angle) * 0.22, 0.1, 0.1, lighten(tone, lock % 2 === 0 ? 0.03 : -0.03), tone);
  }
}

function antlers(brush: Brush, tone: Colour): void {
  brush.strokeStyle = css(tone);
  brush.lineWidth = 0.03;
  brush.lineCap = "round";
  brush.beginPath();
  for (const side of [-1, 1]) {
    brush.moveTo(side * 0.08, -0.84);
    brush.quadraticCurveTo(side * 0.22, -0.96, side * 0.2, -1.14);
    brush.moveTo(side * 0.16, -0.93);
    brush.lineTo(side * 0.31, -1.02);
    brush.moveTo(side * 0.2, -1.02);
    brush.lineTo(side * 0.1, -1.12);
  }
  brush.stroke();
}

function stripes(brush: Brush, tone: Colour, rows: readonly number[], reach: number, length: number): void {
  brush.strokeStyle = css(tone);
  brush.lineWidth = 0.028;
  brush.lineCap = "round";
  brush.beginPath();
  for (const side of [-1, 1]) {
    for (const y of rows) {
      brush.moveTo(side * (reach - 0.02), y);
      brush.lineTo(side * (reach - length), y + 0.02);
    }
  }
  brush.stroke();
}

/** A plain round spot, however small. */
export function dot(brush: Brush, x: number, y: number, radius: number): void {
  brush.beginPath();
  brush.arc(x, y, radius, 0, Math.PI * 2);
  brush.fill();
}

/** An oval lit from above on the left. */
export function oval(brush: Brush, x: number, y: number, wide: number, tall: number, light: Colour, dark: Colour): void {
  const gradient = brush.createRadialGradient(
    x - wide * 0.35,
    y - tall * 0.4,
    Math.min(wide, tall) * 0.1,
    x,
    y,
    Math.max(wide, tall) * 1.1,
  );
  gradient.addColorStop(0, css(lighten(light, 0.04)));
  gradient.addColorStop(0.6, css(light));
  gradient.addColorStop(1, css(dark));
  brush.fillStyle = gradient;
  brush.beginPath();
  brush.ellipse(x, y, wide, tall, 0, 0, Math.PI * 2);
  brush.fill();
}
