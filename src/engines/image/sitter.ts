import type { Chance } from "../chance.ts";
import { colour, lighten, type Colour } from "../picture/colour.ts";
import { hues, places } from "../picture/scene-words.ts";
import type { Brush } from "../picture/stage.ts";
import { mentions, wordsOf } from "../words.ts";
import { drawAnimalSitting, type Animal } from "./animal.ts";
import { drawBirdPerched, drawPersonStanding, drawRobot } from "./figure.ts";
import { drawApple, drawCup, drawFlower, drawGift, drawHeart, drawTree } from "./object.ts";
import { animals, greys, scenery, sitters, type Sitter } from "./sitter-words.ts";

/** Someone or something that is shown large: draws itself one unit high with its foot on the origin. */
export type Figure = { name: Sitter; draw: (brush: Brush) => void };

/** The figures that a prompt asks for, in its order; `alone` also those that are usually scenery. */
export function figuresIn(prompt: string, chance: Chance, alone: boolean): Figure[] {
  const words = wordsOf(prompt);
  const found = mentions(words, sitters).filter((name) => alone || !scenery.has(name));
  // "A siamese cat" is one animal, not two.
  const names = found.filter((name) => !(name === "cat" && found.includes("siamese")) && !(name === "bear" && found.includes("panda")));
  return names.slice(0, 3).map((name) => ({ name, draw: drawingOf(name, colourBefore(words, name), words, chance.branch(name)) }));
}

/** The prompt without what belongs to its figures alone: a blue owl does not make the sky blue, and a dog may be at the beach. */
export function sceneryPrompt(prompt: string): string {
  const words = wordsOf(prompt);
  const isFigure = (word: string | undefined): boolean =>
    word !== undefined && mentions([word], sitters).some((name) => !scenery.has(name));
  const plain = words.filter(
    (word, index) => !((greys.has(word) || hues.has(word)) && (isFigure(words[index + 1]) || isFigure(words[index + 2]))),
  );
  const without = plain.filter((word) => !isFigure(word));
  return (mentions(without, places).length > 0 ? without : plain).join(" ");
}

/** The colour word that stands before the figure's name, with at most one word between. */
function colourBefore(words: readonly string[], name: Sitter): Colour | null {
  const at = words.findIndex((word) => mentions([word], sitters)[0] === name);
  for (const word of words.slice(Math.max(0, at - 2), at).toReversed()) {
    const grey = greys.get(word);
    if (grey !== undefined) return grey;
    const hue = hues.get(word);
    if (hue !== undefined) return colour(hue, 0.65, 0.5);
  }
  return null;
}

function drawingOf(name: Sitter, wish: Colour | null, words: readonly string[], chance: Chance): (brush: Brush) => void {
  const animal = animals[name];
  if (animal !== undefined) {
    const dressed = dress(animal, wish, chance);
    return (brush) => drawAnimalSitting(brush, dressed);
  }
  const tone = wish ?? usual[name] ?? colour(chance.range(0, 360), 0.6, 0.5);
  switch (name) {
    case "bird":
    case "owl":
    case "penguin":
      return (brush) => drawBirdPerched(brush, name, tone);
    case "robot":
      return (brush) => drawRobot(brush, tone, colour(chance.range(150, 200), 0.9, 0.62));
    case "apple":
      return (brush) => drawApple(brush, tone);
    case "heart":
      return (brush) => drawHeart(brush, tone);
    case "cup":
      return (brush) => drawCup(brush, tone);
    case "gift":
      return (brush) => drawGift(brush, tone);
    case "flower":
      return (brush) => drawFlower(brush, tone);
    case "tree":
      return (brush) => drawTree(brush, tone);
    default: {
      const helmet = name === "astronaut";
      const person = { coat: tone, helmet, longHair: longHair(words, chance), hair: pickHair(chance), skin: pickSkin(chance) };
      return (brush) => drawPersonStanding(brush, person);
    }
  }
}

/** A breed with points keeps its colours; any other coat takes the wished one, and its light parts follow. */
function dress(animal: Animal, wish: Colour | null, chance: Chance): Animal {
  if (animal.points !== undefined) return animal;
  if (wish === null) return { ...animal, fur: vary(animal.fur, chance) };
  return { ...animal, fur: wish, pale: lighten(wish, wish.l > 0.8 ? 0.03 : 0.16) };
}

const usual: Partial<Record<Sitter, Colour>> = {
  owl: colour(28, 0.35, 0.4),
  penguin: colour(222, 0.25, 0.2),
  robot: colour(208, 0.14, 0.66),
  astronaut: colour(215, 0.12, 0.9),
  apple: colour(358, 0.78, 0.46),
  heart: colour(350, 0.82, 0.52),
  cup: colour(36, 0.3, 0.9),
  flower: colour(338, 0.75, 0.62),
  tree: colour(112, 0.42, 0.36),
};

function vary(tone: Colour, chance: Chance): Colour {
  return colour(tone.h + chance.range(-6, 6), tone.s, tone.l + chance.range(-0.04, 0.04));
}

function longHair(words: readonly string[], chance: Chance): boolean {
  if (words.some((word) => ["woman", "girl", "lady", "queen", "princess"].includes(word))) return true;
  return words.some((word) => ["man", "boy", "king", "prince", "soldier", "samurai", "knight"].includes(word)) ? false : chance.maybe(0.4);
}

function pickHair(chance: Chance): Colour {
  return chance.pick([colour(25, 0.4, 0.16), colour(20, 0.3, 0.1), colour(30, 0.5, 0.28), colour(40, 0.6, 0.55), colour(15, 0.6, 0.36)]);
}

function pickSkin(chance: Chance): Colour {
  return chance.pick([colour(28, 0.6, 0.8), colour(27, 0.5, 0.68), colour(25, 0.45, 0.52), colour(22, 0.42, 0.36)]);
}
