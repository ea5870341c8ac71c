import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import type { PlainError } from "../support/wire.ts";

const gateway = await startGateway({
  yaml: "local: true\nmodels:\n  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: { per_call: 0.01 } }\n",
});
after(() => gateway.end());

test("what PostgreSQL cannot hold is refused before it gets there", async () => {
  const client = createClient(gateway.url, (await gateway.customer(1)).key);
  const operations: [string, string][] = [
    ["GET", "/custom_video/fetch/%00"],
    ["GET", "/musicA/fetch/a%00b"],
    ["GET", "/musicB/fetch/%00"],
    ["GET", "/v1/tasks/%00"],
    ["POST", "/v1/tasks/%00/cancel"],
    ["DELETE", "/v1/tasks/%00"],
    ["GET", "/v1/tasks?after=%00"],
    ["GET", "/v1/tasks?model=%00"],
    ["GET", "/v1/files/%00"],
    ["GET", "/v1/files?after=%00"],
    ["GET", "/v1/webhooks/%00"],
    ["GET", "/v1/models/%00"],
  ];
  for (const [method, path] of operations) {
    const { status, body } = await client.call<PlainError>(method, path);
    assert.deepEqual([status, body.error.code], [400, "invalid_request"], `${method} ${path}`);
  }
  for (const body of [{ ids: ["\ud800", "x".repeat(100), "'; --"] }, { ids: ["🦊"] }])
    assert.equal((await client.post("/musicA/fetch", body)).status, 200);
  for (const prompt of ["\ud800 unpaired", "🦊 مرحبا", "\u0001\u001f"]) {
    const reply = await client.post<{ data: { status: string } }>("/musicA/submit/lyrics", { prompt }, { headers: { prefer: "wait=30" } });
    assert.deepEqual([reply.status, reply.body.data.status], [200, "SUCCESS"], reply.text);
  }
  await client.book.check();
});
