import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { CallbackMessage } from "../../core/provider.ts";
import { vidu } from "./vidu.ts";

const key = "vda_test_key";
const date = "Tue, 06 May 2025 12:09:42 GMT";

const vector: CallbackMessage = {
  method: "POST",
  path: "/vidu/callback",
  query: "name=james&age=36",
  headers: {
    date,
    "x-request-nonce": "123e4567-e89b-12d3-a456-426614174000",
    "x-hmac-signed-headers": "Date;x-request-nonce",
    "x-hmac-algorithm": "hmac-sha256",
    "x-hmac-access-key": "vidu",
    "x-hmac-signature": "uDl3Wvgx6utIjKWRnCyt4OhsefE06Qj8cCg41RV4aeE=",
  },
  body: Buffer.from("{}"),
  now: Date.parse(date),
};

/** The same message with a nonce of its own, rightly signed. */
function fresh(nonce: string): CallbackMessage {
  const text = ["POST", vector.path, vector.query, "vidu", date, `Date:${date}`, `x-request-nonce:${nonce}`, ""].join("\n");
  const signature = createHmac("sha256", key).update(text).digest("base64");
  return { ...vector, headers: { ...vector.headers, "x-request-nonce": nonce, "x-hmac-signature": signature } };
}

async function heard(message: CallbackMessage, credential = key) {
  return (await vidu(message, { job: "", credential, options: {} })).state;
}

test("a signed message is genuine once, and forged when it comes again", async () => {
  assert.equal(await heard(vector), "genuine");
  assert.equal(await heard(vector), "forged");
  assert.equal(await heard({ ...vector, now: vector.now + 300_000 }), "forged");
});

test("a message altered in its path, its query, a signed header or its key is forged", async () => {
  const message = fresh("altered");
  assert.equal(await heard({ ...message, path: "/vidu/other" }), "forged");
  assert.equal(await heard({ ...message, query: "name=james&age=37" }), "forged");
  assert.equal(await heard({ ...message, method: "PUT" }), "forged");
  assert.equal(await heard({ ...message, headers: { ...message.headers, "x-request-nonce": "another" } }), "forged");
  assert.equal(await heard({ ...message, headers: { ...message.headers, date: "Tue, 06 May 2025 12:09:43 GMT" } }), "forged");
  assert.equal(await heard(message, "vda_other_key"), "forged");
  assert.equal(await heard(message), "genuine", "what was forged has not used the nonce up");
});

test("a message more than five minutes old, from the future or without a date is forged", async () => {
  const message = fresh("old");
  assert.equal(await heard({ ...message, now: vector.now + 300_001 }), "forged");
  assert.equal(await heard({ ...message, now: vector.now - 300_001 }), "forged");
  assert.equal(await heard({ ...message, headers: { ...message.headers, date: "" } }), "forged");
  assert.equal(await heard({ ...message, now: vector.now + 300_000 }), "genuine");
});

test("a message without a signature, or whose nonce is not signed, is forged", async () => {
  const { headers } = fresh("unsigned");
  assert.equal(await heard({ ...vector, headers: {} }), "forged");
  assert.equal(await heard({ ...vector, headers: { ...headers, "x-hmac-signature": "" } }), "forged");
  assert.equal(await heard({ ...vector, headers: { ...headers, "x-hmac-access-key": "other" } }), "forged");
  const text = ["POST", vector.path, vector.query, "vidu", date, `Date:${date}`, ""].join("\n");
  const signature = createHmac("sha256", key).update(text).digest("base64");
  const bare = { ...headers, "x-hmac-signed-headers": "Date", "x-hmac-signature": signature };
  assert.equal(await heard({ ...vector, headers: bare }), "forged");
});
