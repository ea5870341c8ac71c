import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Store } from "../../src/core/ports.ts";
import { booksAgree, stores, type Opened } from "./fixture.ts";

export type Check = (says: string, act: (store: Store) => Promise<void>) => void;

/** Runs the same cases on a fresh store of each kind; after each of them the books agree. */
export function onEachStore(what: string, cases: (check: Check) => void): void {
  for (const [name, open] of Object.entries(stores)) {
    describe(`${what} in the ${name} store`, () => {
      let opened: Opened | null = null;
      before(async () => {
        opened = await open();
      });
      after(() => opened?.end());
      cases((says, act) =>
        test(says, async (context) => {
          if (opened === null) return context.skip("no PostgreSQL on this machine");
          await act(opened.store);
          assert.ok(await booksAgree(opened.store), "the books agree");
        }),
      );
    });
  }
}
