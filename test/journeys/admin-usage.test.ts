import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
});
after(() => gateway.end());

test("an operator sees what was made, for whom, and what it cost", async () => {
  const reply = await fetch(`${gateway.url}/musicA/submit/lyrics`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "wait=30" },
    body: JSON.stringify({ prompt: "a kite" }),
  });
  assert.equal(reply.status, 200);
  const { status, body } = await gateway.admin("GET", "/admin/v1/usage?account=local");
  assert.equal(status, 200);
  const [row] = body["data"] as Record<string, unknown>[];
  assert.deepEqual(
    { ...row, account: "" },
    { account: "", kind: "lyrics", model: "lyrics", tasks: 1, succeeded: 1, failed: 0, cost_usd: 0.005 },
  );
  assert.equal((await gateway.admin("GET", "/admin/v1/usage?account=nobody")).status, 404);
  assert.equal((await gateway.admin("GET", "/admin/v1/usage?created_after=yesterday")).status, 400);
});

test("an operator sees the webhooks of all accounts, never their secrets", async () => {
  const { key, account } = await gateway.customer(1);
  const made = await fetch(`${gateway.url}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "http://127.0.0.1:9/hook" }),
  });
  assert.equal(made.status, 200);
  const { body } = await gateway.admin("GET", "/admin/v1/webhooks");
  const [row] = body["data"] as Record<string, unknown>[];
  assert.equal(row?.["account"], account);
  assert.equal(row?.["url"], "http://127.0.0.1:9/hook");
  assert.ok(!JSON.stringify(body).includes("whsec_"));
  assert.equal((await fetch(`${gateway.url}/admin/v1/webhooks`, { headers: { authorization: `Bearer ${key}` } })).status, 403);
});
