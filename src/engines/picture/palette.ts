import type { Chance } from "../chance.ts";
import { blend, colour, tint, type Colour } from "./colour.ts";
import type { Hour, Place, Weather } from "./scene-words.ts";

/** The colours of a scene, from the top of the sky to what stands nearest. */
export type Palette = {
  skyTop: Colour;
  skyMiddle: Colour;
  skyLow: Colour;
  /** Sun or moon, and everything that it lights. */
  light: Colour;
  cloud: Colour;
  far: Colour;
  middle: Colour;
  near: Colour;
  water: Colour;
  accent: Colour;
};

type Setting = { place: Place; hour: Hour; weather: Weather; tints: readonly number[]; accent: number | null };

export function planPalette({ place, hour, weather, tints, accent }: Setting, chance: Chance): Palette {
  const turn = chance.range(-10, 10);
  const { skyTop, skyMiddle, skyLow, light, cloud } = skyOf(hour, turn);
  const [groundHue, groundSaturation] = grounds[place];
  const shade = shades[hour];
  const ground = colour(groundHue + chance.range(-12, 12), groundSaturation, 0.36 * shade);
  const base: Palette = {
    skyTop,
    skyMiddle,
    skyLow,
    light,
    cloud,
    far: blend(ground, skyLow, 0.62),
    middle: blend(ground, skyLow, 0.3),
    near: blend(ground, colour(skyTop.h, 0.35, 0.05), hour === "day" ? 0.35 : 0.62),
    water: blend(colour(205 + turn, 0.55, 0.3 * shade + 0.06), skyMiddle, 0.35),
    accent: colour(light.h + chance.pick([150, 180, 210, 330]), 0.75, 0.6),
  };
  const palette = weathered(tinted(base, tints), weather);
  return accent === null ? palette : { ...palette, accent: colour(accent, 0.8, 0.55) };
}

function skyOf(hour: Hour, turn: number): Record<SkyPart, Colour> {
  const turned = ([h, s, l]: Triple): Colour => colour(h + turn, s, l);
  const sky = skies[hour];
  return {
    skyTop: turned(sky.skyTop),
    skyMiddle: turned(sky.skyMiddle),
    skyLow: turned(sky.skyLow),
    light: turned(sky.light),
    cloud: turned(sky.cloud),
  };
}

function tinted(base: Palette, [first, second]: readonly number[]): Palette {
  if (first === undefined) return base;
  return {
    ...base,
    skyTop: tint(base.skyTop, first, 0.55),
    skyMiddle: tint(base.skyMiddle, first, 0.65),
    skyLow: tint(base.skyLow, second ?? first, 0.55),
    cloud: tint(base.cloud, second ?? first, 0.3),
    far: tint(base.far, first, 0.4),
    middle: tint(base.middle, first, 0.3),
    water: tint(base.water, first, 0.5),
    accent: colour(second ?? first, 0.85, 0.58),
  };
}

function weathered(base: Palette, weather: Weather): Palette {
  const [share, lightness] = veils[weather];
  const dim = (from: Colour): Colour => blend(from, colour(from.h, from.s * 0.4, from.l * lightness), share);
  const snowy = weather === "snow";
  return {
    ...base,
    skyTop: dim(base.skyTop),
    skyMiddle: dim(base.skyMiddle),
    skyLow: dim(base.skyLow),
    cloud: dim(base.cloud),
    far: snowy ? blend(base.far, colour(215, 0.25, 0.82), 0.6) : dim(base.far),
    middle: snowy ? blend(base.middle, colour(215, 0.25, 0.78), 0.5) : dim(base.middle),
    near: snowy ? blend(base.near, colour(215, 0.3, 0.6), 0.3) : base.near,
  };
}

type Triple = [hue: number, saturation: number, lightness: number];
type SkyPart = "skyTop" | "skyMiddle" | "skyLow" | "light" | "cloud";
const skies: Record<Hour, Record<SkyPart, Triple>> = {
  dawn: {
    skyTop: [238, 0.38, 0.45],
    skyMiddle: [318, 0.42, 0.68],
    skyLow: [28, 0.85, 0.8],
    light: [40, 0.95, 0.86],
    cloud: [345, 0.5, 0.86],
  },
  day: {
    skyTop: [212, 0.72, 0.47],
    skyMiddle: [204, 0.68, 0.66],
    skyLow: [196, 0.6, 0.86],
    light: [48, 0.95, 0.9],
    cloud: [205, 0.35, 0.97],
  },
  sunset: {
    skyTop: [258, 0.45, 0.28],
    skyMiddle: [338, 0.58, 0.5],
    skyLow: [24, 0.92, 0.64],
    light: [34, 1, 0.78],
    cloud: [14, 0.7, 0.68],
  },
  night: {
    skyTop: [228, 0.55, 0.08],
    skyMiddle: [224, 0.5, 0.15],
    skyLow: [214, 0.42, 0.27],
    light: [52, 0.35, 0.9],
    cloud: [222, 0.28, 0.42],
  },
};
const grounds: Record<Place, [number, number]> = {
  sea: [32, 0.35],
  lake: [140, 0.3],
  underwater: [190, 0.4],
  forest: [130, 0.36],
  city: [228, 0.24],
  mountain: [222, 0.25],
  desert: [28, 0.55],
  meadow: [104, 0.45],
  space: [255, 0.35],
  clouds: [215, 0.3],
  hills: [96, 0.38],
};
const shades: Record<Hour, number> = { dawn: 0.85, day: 1.1, sunset: 0.7, night: 0.4 };
/** How much the weather veils the colours, and how light it leaves them. */
const veils: Record<Weather, [number, number]> = {
  clear: [0, 1],
  cloudy: [0.3, 0.9],
  rain: [0.65, 0.72],
  storm: [0.85, 0.42],
  snow: [0.45, 1],
  fog: [0.5, 0.95],
};
