import assert from "node:assert/strict";
import { test } from "node:test";
import type { MediaStore, Store } from "./ports.ts";
import { readiness, type ReadinessNeeds } from "./readiness.ts";
import type { NodeRow } from "./records.ts";

const now = 1_000_000;
const node: NodeRow = { id: "n", name: "n", role: "both", version: "1", startedAt: 0, seenAt: now };
const store = { account: async () => null } as unknown as Store;
const media = { freeBytes: async () => 1e12 } as unknown as MediaStore;
const good = { entrySumNanos: 0, wrongAccounts: [], finishedWithHold: [], at: now };

function needs(more: Partial<ReadinessNeeds> = {}): ReadinessNeeds {
  const fleet = { nodes: () => [node], seenAt: () => now - 3_000 };
  return { store, media, clock: () => now, lastAudit: () => good, lastTickAt: () => now - 400, fleet, tellBooks: () => undefined, ...more };
}

test("a node that can do its work is ready", async () => {
  const checks = { store: "ok", dispatcher: "ok", disk: "ok", books: "ok", workers: "ok" };
  assert.deepEqual(await readiness(needs()), { ready: true, checks });
});

test("a database that answers but takes no writes makes a node red", async () => {
  const { ready, checks } = await readiness(needs({ fleet: { nodes: () => [node], seenAt: () => now - 11_000 } }));
  assert.deepEqual([ready, checks["store"]], [false, "takes no writes"]);
});

test("where nobody shares the database, nobody has to be told", async () => {
  assert.equal((await readiness(needs({ fleet: { nodes: () => [node], seenAt: () => null } }))).ready, true);
});

test("a database that refuses, a dispatcher that stands still and a full disk each make a node red", async () => {
  const refuses = { account: () => Promise.reject(new Error("no")) } as unknown as Store;
  const full = { freeBytes: async () => 1_000 } as unknown as MediaStore;
  const cases: [Partial<ReadinessNeeds>, string, string][] = [
    [{ store: refuses }, "store", "no answer"],
    [{ lastTickAt: () => now - 10_000 }, "dispatcher", "not running"],
    [{ media: full }, "disk", "less than 100 MiB free"],
  ];
  for (const [change, name, says] of cases) {
    const { ready, checks } = await readiness(needs(change));
    assert.deepEqual([ready, checks[name]], [false, says]);
  }
});

test("books that differ and a fleet without workers are told, and the node serves on", async () => {
  let told = 0;
  const { ready, checks } = await readiness(
    needs({
      lastAudit: () => ({ ...good, entrySumNanos: 1, wrongAccounts: ["a"] }),
      fleet: { nodes: () => [{ ...node, role: "gateway" }], seenAt: () => now },
      lastTickAt: null,
      tellBooks: (count) => void (told = count),
    }),
  );
  assert.deepEqual([ready, told], [true, 2]);
  assert.deepEqual(checks, { store: "ok", disk: "ok", books: "2 differences", workers: "none is alive; tasks wait" });
});
