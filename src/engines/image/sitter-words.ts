import { colour, type Colour } from "../picture/colour.ts";
import { vocabulary } from "../words.ts";
import type { Animal } from "./animal.ts";

/** What a still picture can show large; a film has other figures, which move. */
export const sitters = vocabulary({
  cat: "kitten kitty feline tabby",
  siamese: "birman ragdoll",
  tiger: "tigress",
  lion: "lioness",
  dog: "puppy hound retriever labrador poodle beagle spaniel",
  fox: "corgi shiba",
  wolf: "husky",
  rabbit: "bunny hare",
  bear: "teddy grizzly beaver",
  panda: "pandas",
  koala: "koalas",
  otter: "seal ferret",
  mouse: "hamster rat squirrel",
  pig: "piglet",
  cow: "calf bull ox",
  deer: "stag elk moose reindeer fawn",
  bird: "robin sparrow parrot chick duck duckling finch canary chicken",
  owl: "owlet",
  penguin: "penguins",
  person: "man woman girl boy child dancer wanderer traveler samurai hero hiker knight portrait lady king queen princess prince soldier",
  astronaut: "cosmonaut spaceman",
  robot: "android cyborg",
  apple: "fruit",
  heart: "love valentine",
  cup: "coffee tea mug teacup espresso latte cappuccino",
  gift: "present giftbox",
  flower: "rose tulip daisy sunflower",
  tree: "oak maple",
});
export type Sitter = typeof sitters extends Map<string, infer S> ? S : never;

/** What is only part of the scenery wherever there is one. */
export const scenery: ReadonlySet<Sitter> = new Set<Sitter>(["flower", "tree"]);

/** What is usually seen in a room. */
export const things: ReadonlySet<Sitter> = new Set<Sitter>(["apple", "heart", "cup", "gift", "robot"]);

const cream = colour(38, 0.45, 0.86);
const white = colour(40, 0.15, 0.95);

/** The animals among them, each as it usually looks. */
export const animals: Partial<Record<Sitter, Animal>> = {
  cat: { fur: colour(28, 0.6, 0.58), ears: "point", tail: "thin", pale: white, whiskers: true },
  siamese: { fur: cream, ears: "point", tail: "thin", points: colour(25, 0.35, 0.24), whiskers: true },
  tiger: { fur: colour(28, 0.85, 0.55), ears: "round", tail: "thin", pale: white, marks: "stripes", whiskers: true },
  lion: { fur: colour(38, 0.65, 0.6), ears: "round", tail: "thin", marks: "mane", whiskers: true },
  dog: { fur: colour(30, 0.5, 0.52), ears: "flop", tail: "thin", pale: cream },
  fox: { fur: colour(20, 0.8, 0.52), ears: "point", tail: "bushy", pale: white },
  wolf: { fur: colour(215, 0.1, 0.5), ears: "point", tail: "bushy", pale: colour(210, 0.15, 0.88) },
  rabbit: { fur: colour(30, 0.25, 0.7), ears: "long", tail: "none", pale: white, whiskers: true },
  bear: { fur: colour(24, 0.45, 0.34), ears: "round", tail: "none", pale: colour(32, 0.4, 0.62) },
  panda: { fur: white, ears: "round", tail: "none", marks: "eye patches" },
  koala: { fur: colour(215, 0.08, 0.58), ears: "round", tail: "none", pale: colour(210, 0.1, 0.85) },
  otter: { fur: colour(25, 0.38, 0.36), ears: "round", tail: "thin", pale: colour(34, 0.4, 0.76), whiskers: true },
  mouse: { fur: colour(25, 0.14, 0.6), ears: "round", tail: "thin", pale: cream, whiskers: true },
  pig: { fur: colour(348, 0.6, 0.8), ears: "side", tail: "none", marks: "snout" },
  cow: { fur: colour(30, 0.1, 0.9), ears: "side", tail: "thin", pale: colour(15, 0.3, 0.28), marks: "spots" },
  deer: { fur: colour(26, 0.48, 0.45), ears: "side", tail: "none", pale: cream, marks: "antlers" },
};

/** Colours that are no hue. */
export const greys: ReadonlyMap<string, Colour> = new Map([
  ["white", white],
  ["black", colour(240, 0.06, 0.16)],
  ["grey", colour(215, 0.06, 0.5)],
  ["gray", colour(215, 0.06, 0.5)],
  ["silver", colour(210, 0.1, 0.7)],
  ["brown", colour(25, 0.42, 0.34)],
  ["golden", colour(40, 0.65, 0.58)],
  ["orange", colour(26, 0.85, 0.55)],
]);
