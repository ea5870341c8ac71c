import assert from "node:assert/strict";
import { test } from "node:test";
import { orderRoutes } from "./routing.ts";

test("the lowest priority number goes first, and weights decide inside", () => {
  const route = (provider: string, priority: number, weight: number) => ({ provider, model: "m", priority, weight });
  const routes = [route("backup", 1, 100), route("heavy", 0, 9), route("light", 0, 1)];
  const random = fixedRandom();
  const firsts = Array.from({ length: 2_000 }, () => orderRoutes(routes, random)[0]?.provider);
  const heavy = firsts.filter((name) => name === "heavy").length / firsts.length;
  assert.ok(!firsts.includes("backup"));
  assert.ok(heavy > 0.85 && heavy < 0.95, `heavy came first in ${heavy}`);
});

function fixedRandom(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
