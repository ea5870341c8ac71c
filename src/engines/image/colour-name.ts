/** Where each name of the wheel ends, in degrees. */
const wheel: readonly [until: number, name: string][] = [
  [14, "red"],
  [38, "orange"],
  [64, "golden yellow"],
  [82, "lime green"],
  [158, "green"],
  [194, "turquoise"],
  [248, "blue"],
  [284, "violet"],
  [322, "magenta"],
  [346, "pink"],
  [360, "red"],
];

/** The everyday name of a colour. */
export function colourName(r: number, g: number, b: number): string {
  const high = Math.max(r, g, b);
  const span = high - Math.min(r, g, b);
  if (high < 34) return "black";
  if (span < 14 + high * 0.09) return high < 78 ? "charcoal" : high < 175 ? "grey" : high < 226 ? "silver" : "white";
  const turn = high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  const hue = (turn * 60 + 360) % 360;
  const name = wheel.find(([until]) => hue < until)?.[1] ?? "red";
  if (hue >= 10 && hue < 46 && high < 165) return "brown";
  const shade = high < 105 ? "dark " : high > 205 && span < 90 ? "pale " : "";
  return `${shade}${name}`;
}
