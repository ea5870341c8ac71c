import assert from "node:assert/strict";
import { test } from "node:test";
import type { Token } from "node-llama-cpp";
import { createChance } from "../chance.ts";
import { createSampler, type Taste } from "./sampler.ts";

const plain: Taste = { temperature: 1, topP: 1, frequencyPenalty: 0, presencePenalty: 0, logitBias: {} };
const offer = (...chances: number[]): Map<Token, number> => new Map(chances.map((share, token) => [token as Token, share]));

function shares(changes: Partial<Taste>, offered: Map<Token, number>, draws = 4000): number[] {
  const counts = Array.from(offered, () => 0);
  for (let draw = 0; draw < draws; draw++) {
    const token = createSampler({ ...plain, ...changes }, createChance("draw", draw)).pick(offered);
    counts[token] = (counts[token] ?? 0) + 1 / draws;
  }
  return counts;
}

function near(found: number[], expected: number[]): void {
  for (const [index, share] of expected.entries()) {
    assert.ok(Math.abs((found[index] ?? 0) - share) < 0.03, `token ${index} was drawn ${found[index]}, not ${share}`);
  }
}

test("draws follow the probabilities, sharpened or flattened by the temperature", () => {
  near(shares({}, offer(0.6, 0.3, 0.1)), [0.6, 0.3, 0.1]);
  near(shares({ temperature: 0.5 }, offer(0.6, 0.3, 0.1)), [0.36 / 0.46, 0.09 / 0.46, 0.01 / 0.46]);
  near(shares({ temperature: 0 }, offer(0.6, 0.3, 0.1), 50), [1, 0, 0]);
});

test("top-p keeps the fewest likeliest tokens that make up the share, and at least one", () => {
  near(shares({ topP: 0.85 }, offer(0.6, 0.3, 0.1)), [2 / 3, 1 / 3, 0]);
  near(shares({ topP: 0 }, offer(0.6, 0.3, 0.1), 50), [1, 0, 0]);
});

test("a bias shifts, forbids and commands, even what is told as impossible", () => {
  near(shares({ logitBias: { 1: Math.log(2) } }, offer(0.5, 0.25, 0.25)), [0.4, 0.4, 0.2]);
  near(shares({ logitBias: { 0: -100 } }, offer(0.5, 0.25, 0.25)), [0, 0.5, 0.5]);
  near(shares({ logitBias: { 2: 100 }, temperature: 0 }, offer(0.9, 0.1, 1e-30), 20), [0, 0, 1]);
});

test("penalties lower what was chosen before, once for its presence and again for every use", () => {
  const chosen = (changes: Partial<Taste>): Token[] => {
    const sampler = createSampler({ ...plain, temperature: 0, ...changes }, createChance("none"));
    return Array.from({ length: 5 }, () => sampler.pick(offer(0.6, 0.3, 0.1)));
  };
  assert.deepEqual(chosen({}), [0, 0, 0, 0, 0]);
  assert.deepEqual(chosen({ presencePenalty: 1 }), [0, 1, 0, 0, 0]);
  assert.deepEqual(chosen({ frequencyPenalty: 1 }), [0, 1, 0, 1, 2]);
});
