import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { dialects } from "../../lab/dialects/index.ts";
import type { Adapter } from "../../src/core/provider.ts";
import { adapters } from "../../src/providers/index.ts";
import { testCallbacks } from "./callback-rules.ts";
import { testInstants } from "./instant-rules.ts";
import { testPolls } from "./poll-rules.ts";
import { createProbe } from "./provider-probe.ts";
import { testStarts } from "./start-rules.ts";

function hasTasks(adapter: Adapter): boolean {
  return adapter.create({ name: "x", baseUrl: "https://upstream.example", allowPrivateNetwork: false, options: {} }).tasks !== undefined;
}

test("every adapter with tasks has a lab script", () => {
  const scripted = new Set(dialects.map(({ type, adapter = type }) => adapter));
  const tested = adapters.filter(hasTasks).map(({ type }) => type);
  assert.deepEqual(
    tested.filter((type) => !scripted.has(type)),
    [],
  );
});

for (const dialect of dialects) {
  const { type, adapter: spoken = type } = dialect;
  const adapter = adapters.find((one) => one.type === spoken);
  if (!adapter) {
    test(`${type} has an adapter`, () => assert.fail(`the lab speaks ${spoken}, but no adapter of that type is listed`));
    continue;
  }
  describe(type, () => {
    const probe = createProbe(adapter, dialect);
    before(probe.open);
    after(probe.close);
    testStarts(probe);
    if (probe.isInstant) testInstants(probe);
    else {
      testPolls(probe);
      testCallbacks(probe);
    }
  });
}
