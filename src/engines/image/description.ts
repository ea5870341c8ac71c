import { openSourceImage } from "../picture/source-image.ts";
import type { MakeSurface } from "../picture/stage.ts";
import { maxSourcePixels } from "./collage.ts";
import { readPicture, type Blob, type Reading } from "./picture-reading.ts";

const readingSide = 96;

/** Four prompts that tell what can be measured of a picture (colours, light, layout, shapes), each from another side. */
export async function describePicture(path: string, surface: MakeSurface): Promise<string[]> {
  const image = await openSourceImage(path, { maxPixels: maxSourcePixels });
  const scale = readingSide / Math.max(image.width, image.height);
  const small = surface(Math.max(8, Math.round(image.width * scale)), Math.max(8, Math.round(image.height * scale)));
  const brush = small.getContext("2d");
  // What is transparent is seen on white paper.
  brush.fillStyle = "#ffffff";
  brush.fillRect(0, 0, small.width, small.height);
  brush.imageSmoothingQuality = "medium";
  brush.drawImage(image, 0, 0, small.width, small.height);
  const shape = shapeText(image.width, image.height);
  return textsOf(readPicture(small)).map((text) => `${text} --ar ${shape}`);
}

/** The four texts, without the shape. */
export function textsOf(reading: Reading): string[] {
  const { subject, upper, lower } = reading;
  const palette = paletteText(reading);
  const [main = "grey"] = reading.colours.map(({ name }) => name);
  const ground = subject === null ? layoutText(reading) : `${subjectText(subject)} in front of ${areaText(reading)}`;
  const planes = reading.horizon === null ? areaText(reading) : `${skyText(upper)} above ${lower} ground`;
  return [
    [ground, lightText(reading), `palette of ${palette}`],
    [`composition in ${palette}`, layoutText(reading), textureText(reading), contrastText(reading)],
    [subject === null ? planes : `${planes}, ${subjectText(subject)}`, glowText(reading), lightText(reading), "wide view"],
    [`${moodOf(reading)} picture, mostly ${main}`, toneText(reading), textureText(reading), contrastText(reading), layoutText(reading)],
  ].map((parts) => sentence(parts));
}

function sentence(parts: readonly string[]): string {
  const text = [...new Set(parts)].filter((part) => part !== "").join(", ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function paletteText({ colours }: Reading): string {
  const names = colours.filter(({ share }, index) => index === 0 || share > 0.07).map(({ name }) => name);
  const some = names.slice(0, 4);
  const last = some.pop() ?? "grey";
  return some.length === 0 ? last : `${some.join(", ")} and ${last}`;
}

function subjectText({ colour, x, y, width, height, fill }: Blob): string {
  const form = height > width * 1.7 ? "tall" : width > height * 1.7 ? "wide" : fill > 0.9 ? "square" : fill > 0.7 ? "round" : "irregular";
  const size = width * height > 0.2 ? "large" : width * height < 0.05 ? "small" : "";
  return `a ${[size, form, colour].filter(Boolean).join(" ")} shape ${placeText(x, y)}`;
}

function placeText(x: number, y: number): string {
  const column = x < 0.38 ? "left" : x > 0.62 ? "right" : "";
  const row = y < 0.36 ? "top" : y > 0.64 ? "bottom" : "";
  if (column === "" && row === "") return "in the middle";
  return column === "" || row === "" ? `at the ${row}${column}` : `at the ${row} ${column}`;
}

function areaText({ upper, lower }: Reading): string {
  return upper === lower ? `a ${upper} background` : `${upper} passing into ${lower}`;
}

function layoutText(reading: Reading): string {
  const { horizon, upper, lower } = reading;
  if (horizon === null) return upper === lower ? `even ${upper} area` : `${upper} above, ${lower} below`;
  const where = horizon < 0.4 ? "high" : horizon > 0.62 ? "low" : "in the middle";
  return `horizon ${where}, ${upper} above and ${lower} below`;
}

function skyText(upper: string): string {
  return /^(dark|black|charcoal)/.test(upper) ? `${upper} night sky` : `${upper} sky`;
}

function lightText({ lightness, warmth }: Reading): string {
  const tone = warmth > 22 ? "warm " : warmth < -22 ? "cool " : "";
  if (lightness < 55) return `dark, ${tone}low light`;
  if (lightness < 100) return `dim ${tone}light`;
  return lightness < 170 ? `soft ${tone}daylight` : `bright ${tone}light`;
}

function toneText({ warmth }: Reading): string {
  return warmth > 22 ? "warm tones" : warmth < -22 ? "cool tones" : "balanced tones";
}

function contrastText({ contrast }: Reading): string {
  return contrast < 26 ? "soft, low contrast" : contrast > 66 ? "strong contrast" : "moderate contrast";
}

function textureText({ lines: { across, down } }: Reading): string {
  const detail = across + down;
  const kind = detail < 5 ? "smooth flat areas" : detail < 16 ? "soft shapes" : "fine detail";
  if (across > down * 1.6) return `${kind} with upright lines`;
  return down > across * 1.6 ? `${kind} with level bands` : kind;
}

function glowText({ glow }: Reading): string {
  return glow === null ? "" : `a bright light ${placeText(glow.x, glow.y)}`;
}

function moodOf({ lightness, contrast, warmth }: Reading): string {
  if (lightness < 70) return contrast > 50 ? "dramatic" : "quiet, nocturnal";
  if (contrast < 26) return "calm, minimal";
  return warmth > 22 ? "sunny" : warmth < -22 ? "fresh" : "clear";
}

/** The nearest ratio of small whole numbers, none above 8 to 1: prompts may not ask for more. */
export function shapeText(width: number, height: number): string {
  let best: [number, number] = [1, 1];
  const off = ([wide, tall]: [number, number]): number => Math.abs(Math.log((width * tall) / (height * wide)));
  for (let wide = 1; wide <= 21; wide++)
    for (let tall = Math.ceil(wide / 8); tall <= Math.min(21, wide * 8); tall++)
      if (off([wide, tall]) < off(best) - 0.004) best = [wide, tall];
  return best.join(":");
}
