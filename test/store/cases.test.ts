import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { pointReadNames, wideReadNames } from "../../src/store/reads.ts";
import { verbNames } from "../../src/store/verbs.ts";

test("every verb and every read of the store has a case that runs on both stores", () => {
  const texts = globSync(["*.test.ts", "fixture.ts"], { cwd: import.meta.dirname }).map((file) =>
    readFileSync(`${import.meta.dirname}/${file}`, "utf8"),
  );
  const onBoth = texts.filter((text) => /onEachStore\(|\(stores\)|booksAgree/.test(text)).join("\n");
  const names = [...verbNames, ...pointReadNames, ...wideReadNames];
  assert.deepEqual(
    names.filter((name) => !onBoth.includes(`store.${name}(`)),
    [],
  );
});
