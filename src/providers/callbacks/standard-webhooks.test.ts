import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallbackMessage } from "../../core/provider.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

const secret = "whsec_dGVzdHNlY3JldHRlc3RzZWNyZXR0ZXN0c2VjcmV0MTI=";
const other = "v1,AAAAxv5zx1pmnKIkSMO9ROWJYYbodPecY2jo1BMY370=";

type Vector = { id: string; time: number; signature: string; body: string };

const plain: Vector = { id: "msg_1", time: 1_700_000_000, signature: "v1,0V1uxv5zx1pmnKIkSMO9ROWJYYbodPecY2jo1BMY370=", body: '{"a":1}' };
const kling: Vector = {
  id: "9876543210",
  time: 1_781_080_794,
  signature: "v1,UsKlJP00XoQyOn410NM9xv34sP+Gl0jnOO9Lcpr7NJ4=",
  body: '{"id":"1234567890","status":"succeeded","message":"","create_time":1781080778802,"update_time":1781080794151}',
};

async function heard({ id, time, signature, body }: Vector, { lateSeconds = 0, webhook }: { lateSeconds?: number; webhook?: string } = {}) {
  const headers = { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": signature };
  const message: CallbackMessage = {
    method: "POST",
    path: "/hooks/1",
    query: "",
    headers,
    body: Buffer.from(body),
    now: (time + lateSeconds) * 1_000,
  };
  const { state } = await standardWebhooks(message, { job: "", credential: "", webhook: webhook ?? secret, options: {} });
  return state;
}

test("a signed message is genuine, with the prefix of its secret or without", async () => {
  assert.equal(await heard(plain), "genuine");
  assert.equal(await heard(kling), "genuine");
  assert.equal(await heard(plain, { webhook: secret.replace("whsec_", "") }), "genuine");
});

test("one right signature among several is enough, whatever else the header holds", async () => {
  assert.equal(await heard({ ...plain, signature: `v1a,x ${other} ${plain.signature}` }), "genuine");
  assert.equal(await heard({ ...plain, signature: `v1a,x ${other}` }), "forged");
});

test("a message altered in its body, its id or its time is forged", async () => {
  assert.equal(await heard({ ...plain, body: '{"a":2}' }), "forged");
  assert.equal(await heard({ ...plain, id: "msg_2" }), "forged");
  assert.equal(await heard({ ...plain, time: plain.time + 1 }), "forged");
});

test("a message more than five minutes old, or from the future, is forged", async () => {
  assert.equal(await heard(plain, { lateSeconds: 300 }), "genuine");
  assert.equal(await heard(plain, { lateSeconds: 301 }), "forged");
  assert.equal(await heard(plain, { lateSeconds: -301 }), "forged");
});

test("a message without a signature, or without its parts, is forged", async () => {
  for (const lack of [{ signature: "" }, { signature: "v1," }, { id: "" }, { signature: plain.signature.slice(3) }])
    assert.equal(await heard({ ...plain, ...lack }), "forged", JSON.stringify(lack));
  assert.equal(await heard({ ...plain, time: Number.NaN }), "forged");
});

test("a secret of no bytes proves nothing", async () => {
  assert.equal(await heard(plain, { webhook: "whsec_" }), "forged");
  assert.equal(await heard(plain, { webhook: "***" }), "forged");
});

test("where the operator made no secret, the address alone vouches for a message", async () => {
  const message = { method: "POST", path: "/", query: "", headers: {}, body: new Uint8Array(), now: 0 };
  assert.deepEqual(await standardWebhooks(message, { job: "", credential: "", options: {} }), { state: "genuine" });
});
