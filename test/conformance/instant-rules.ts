import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "./local-server.ts";
import { assertDiscreet, refusedClass } from "./provider-probe.ts";
import type { Probe } from "./provider-probe.ts";

/** What must hold where the answer to a start is the result itself. */
export function testInstants({ start }: Probe): void {
  test("work that fails over its content has that class and a sentence without the upstream's words", async () => {
    const started = await start("[lab:fail=policy]");
    assert.equal(refusedClass(started), "content_policy");
    assertDiscreet(started);
  });

  test("work that fails for reasons of the upstream's is no result", async () => {
    assert.match(refusedClass(await start("[lab:fail=internal]")), /^(unknown|transient)$/);
  });

  test("a redirect is not followed", async (context) => {
    const elsewhere = await startServer(() => ({ status: 200, body: {} }));
    context.after(elsewhere.close);
    assert.equal((await start(`[lab:redirect=${elsewhere.url}/]`)).state, "unknown");
    assert.equal(elsewhere.seen.length, 0);
  });
}
