import { createChance, type Chance } from "../chance.ts";
import { mentions, wordsOf } from "../words.ts";
import { planPalette, type Palette } from "./palette.ts";
import { hours, hues, paces, places, subjects, weathers, type Hour, type Place, type Subject, type Weather } from "./scene-words.ts";

/** Everything that is decided before the first stroke; the same prompt and seed give the same plan. */
export type ScenePlan = {
  place: Place;
  hour: Hour;
  weather: Weather;
  subjects: Subject[];
  palette: Palette;
  /** How quickly things move; 1 is usual. */
  pace: number;
  /** Which way the camera drifts. */
  drift: 1 | -1;
  /** Where the sun or moon stands, as shares of width and of the sky's height. */
  light: { x: number; y: number };
  chance: Chance;
};

export function planScene(prompt: string, seed = 0): ScenePlan {
  const words = wordsOf(prompt);
  const chance = createChance("scene", words.join(" "), seed);
  const choice = chance.branch("choice");
  const place = placeOf(words, choice);
  const hour = hourOf(words, place, choice);
  const weather = weatherOf(words, place, choice);
  const paceWord = mentions(words, paces)[0];
  return {
    place,
    hour,
    weather,
    subjects: subjectsOf(words, place, hour, choice),
    palette: planPalette({ place, hour, weather, ...tintsOf(words) }, chance.branch("palette")),
    pace: choice.range(0.85, 1.15) * (paceWord === "calm" ? 0.65 : paceWord === "lively" ? 1.6 : 1),
    drift: choice.maybe(0.5) ? 1 : -1,
    light: { x: choice.range(0.2, 0.8), y: hour === "sunset" || hour === "dawn" ? choice.range(0.78, 0.92) : choice.range(0.22, 0.42) },
    chance,
  };
}

/** Colours of the whole scene, and the colour of its subject: a red car does not make the sky red. */
function tintsOf(words: readonly string[]): { tints: number[]; accent: number | null } {
  const tints: number[] = [];
  let accent: number | null = null;
  words.forEach((word, index) => {
    const hue = hues.get(word);
    if (hue === undefined) return;
    if (mentions(words.slice(index + 1, index + 2), subjects).length > 0) accent = hue;
    else tints.push(hue);
  });
  return { tints, accent };
}

const anyPlace: [Place, ...Place[]] = ["sea", "lake", "forest", "city", "mountain", "desert", "meadow", "space", "clouds", "hills"];
const named = new Set(["sea", "lake", "underwater", "forest", "city", "mountain", "desert", "meadow", "space", "clouds", "hills"]);

function placeOf(words: readonly string[], choice: Chance): Place {
  const found = mentions(words, places);
  const fallback = choice.pick(anyPlace);
  // A place that is named outright ("forest") outranks one that a subject only suggests ("fish" suggests water).
  return found.find((place) => named.has(place) && words.includes(place)) ?? found[0] ?? fallback;
}

function hourOf(words: readonly string[], place: Place, choice: Chance): Hour {
  const usual = choice.pick<Hour>(["day", "day", "sunset", "sunset", "dawn", "night"]);
  const bright = choice.pick<Hour>(["day", "sunset", "dawn"]);
  return (
    mentions(words, hours)[0] ??
    (place === "space" ? "night" : place === "clouds" || place === "underwater" || place === "meadow" ? bright : usual)
  );
}

function weatherOf(words: readonly string[], place: Place, choice: Chance): Weather {
  const usual = choice.pick<Weather>(["clear", "clear", "clear", "cloudy", "cloudy"]);
  if (place === "space" || place === "underwater") return "clear";
  return mentions(words, weathers)[0] ?? (place === "clouds" ? "clear" : usual);
}

function subjectsOf(words: readonly string[], place: Place, hour: Hour, choice: Chance): Subject[] {
  const found = mentions(words, subjects).slice(0, 4);
  const likely: Partial<Record<Place, Subject>> = {
    sea: "boat",
    lake: "birds",
    underwater: "fish",
    hills: "house",
    clouds: "balloon",
    mountain: "birds",
  };
  const extra = likely[place];
  if (found.length === 0 && extra !== undefined && choice.maybe(0.7)) found.push(extra);
  if (hour === "night" && (place === "forest" || place === "meadow") && !found.includes("fireflies")) found.push("fireflies");
  return found;
}
