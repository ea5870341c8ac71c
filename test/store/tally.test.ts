import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Store } from "../../src/core/ports.ts";
import type { TallyReply } from "../../src/core/counts.ts";
import { stores, type Opened } from "./fixture.ts";

type Said = { node: string; at: number; used?: number; running?: number; names?: string[]; forgetBefore?: number };

/** A node says the same of each name; what it says of running things counts for two seconds. */
function say(store: Store, { node, at, used = 0, running = 0, names = ["a"], forgetBefore }: Said): Promise<TallyReply> {
  return store.exchange({
    node,
    minute: at - (at % 60_000),
    now: at,
    until: at + 2_000,
    counts: names.map((name) => ({ name, used, running })),
    forgetBefore: forgetBefore ?? null,
  });
}

for (const [name, open] of Object.entries(stores)) {
  describe(`counts of nodes in the ${name} store`, () => {
    let opened: Opened | null = null;
    before(async () => {
      opened = await open();
    });
    after(() => opened?.end());

    // Each case has an hour of its own.
    let hour = 0;
    function check(says: string, act: (store: Store, now: number) => Promise<void>): void {
      hour += 3_600_000;
      const now = hour;
      test(says, async (context) => {
        if (opened === null) return context.skip("no PostgreSQL on this machine");
        await act(opened.store, now);
      });
    }

    check("each node hears what the others have counted in the same minute, and never its own", async (store, now) => {
      assert.deepEqual(await say(store, { node: "x", at: now, used: 3 }), [{ used: 0, running: 0 }]);
      assert.deepEqual(await say(store, { node: "y", at: now + 100, used: 5 }), [{ used: 3, running: 0 }]);
      assert.deepEqual(await say(store, { node: "z", at: now + 200 }), [{ used: 8, running: 0 }]);
      assert.deepEqual(await say(store, { node: "x", at: now + 300, used: 4 }), [{ used: 5, running: 0 }]);
      assert.deepEqual(
        await say(store, { node: "y", at: now + 400, used: 5 }),
        [{ used: 4, running: 0 }],
        "what was said before is replaced",
      );
    });

    check("what was counted in another minute does not count", async (store, now) => {
      await say(store, { node: "x", at: now + 59_999, used: 3 });
      assert.deepEqual(await say(store, { node: "y", at: now + 60_000 }), [{ used: 0, running: 0 }]);
      assert.deepEqual(await say(store, { node: "y", at: now + 59_999 }), [{ used: 3, running: 0 }]);
    });

    check("what runs counts in every minute, until its time is over", async (store, now) => {
      await say(store, { node: "x", at: now + 59_500, running: 2 });
      await say(store, { node: "y", at: now + 59_900, running: 1 });
      assert.deepEqual(await say(store, { node: "z", at: now + 61_000 }), [{ used: 0, running: 3 }]);
      assert.deepEqual(await say(store, { node: "z", at: now + 61_500 }), [{ used: 0, running: 1 }]);
      assert.deepEqual(await say(store, { node: "z", at: now + 61_900 }), [{ used: 0, running: 0 }]);
    });

    check("many names are told and heard in one go, each for itself and in order", async (store, now) => {
      const names = Array.from({ length: 700 }, (_none, key) => `key ${key} of ${now}`);
      await say(store, { node: "x", at: now, used: 1, names });
      await say(store, { node: "y", at: now, used: 10, running: 2, names: names.slice(100, 300) });
      const heard = await say(store, { node: "z", at: now, names: names.toReversed() });
      assert.deepEqual(
        heard.toReversed().map(({ used, running }) => `${used} ${running}`),
        names.map((_name, key) => (key >= 100 && key < 300 ? "11 2" : "1 0")),
      );
    });

    check("what nobody has renewed for long is forgotten, and the rest is kept", async (store, now) => {
      const old = `old of ${now}`;
      await say(store, { node: "x", at: now, used: 1, names: [old, "a"] });
      await say(store, { node: "x", at: now + 30_000, used: 2, names: ["a"] });
      await say(store, { node: "y", at: now + 31_000, names: [], forgetBefore: now + 2_001 });
      const heard = await say(store, { node: "y", at: now + 32_000, names: [old, "a"] });
      assert.deepEqual(
        heard.map(({ used }) => used),
        [0, 2],
      );
    });

    check("what ten nodes say at once is all heard, also where rows are forgotten meanwhile", async (store, now) => {
      const names = Array.from({ length: 50 }, (_none, key) => `busy ${key}`);
      for (let round = 1; round <= 10; round++) {
        const at = now + round * 10;
        await Promise.all(
          Array.from({ length: 10 }, (_none, node) =>
            say(store, { node: `${node}`, at, used: round, names: node % 2 === 0 ? names : names.toReversed(), forgetBefore: at + 1_995 }),
          ),
        );
      }
      assert.deepEqual(
        (await say(store, { node: "late", at: now + 200, names })).map(({ used }) => used),
        names.map(() => 100),
      );
    });
  });
}
