import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import { Webhook } from "standardwebhooks";
import { createWebhookSecret, signMessage } from "./sign.ts";

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const message = { id: "msg_1", timestampMs: 1_700_000_000_999, secrets: [secret], body: '{"type":"task.succeeded","text":"héllo ☃"}' };
const now = () => ({ ...message, timestampMs: Date.now() });

test("a message carries the id, whole seconds and the signature of id, time and body", () => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`msg_1.1700000000.${message.body}`).digest("base64");
  assert.deepEqual(signMessage(message), {
    "webhook-id": "msg_1",
    "webhook-timestamp": "1700000000",
    "webhook-signature": `v1,${signature}`,
  });
});

test("the signature of a fixed message does not change from release to release", () => {
  assert.equal(signMessage({ ...message, body: "{}" })["webhook-signature"], "v1,fhksJF5ElKjlPoT/jtefCO5XjQPvhf7Dhf/8R1ad9yU=");
});

test("a receiver accepts a good message and reads its content", () => {
  assert.deepEqual(new Webhook(secret).verify(message.body, signMessage(now())), JSON.parse(message.body));
});

test("a receiver refuses an altered body, id, time or signature", () => {
  const receiver = new Webhook(secret);
  const headers = signMessage(now());
  assert.throws(() => receiver.verify(`${message.body} `, headers), /No matching signature/);
  assert.throws(() => receiver.verify(message.body, { ...headers, "webhook-id": "msg_2" }), /No matching signature/);
  assert.throws(
    () => receiver.verify(message.body, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }),
    /No matching signature/,
  );
  assert.throws(
    () => receiver.verify(message.body, { ...headers, "webhook-signature": headers["webhook-signature"]?.replace("v1,", "v2,") ?? "" }),
    /No matching signature/,
  );
  assert.throws(() => new Webhook(createWebhookSecret()).verify(message.body, headers), /No matching signature/);
});

test("a receiver refuses a message that is replayed later, and a time that was moved to hide it", () => {
  const receiver = new Webhook(secret);
  const headers = signMessage({ ...message, timestampMs: Date.now() - 6 * 60_000 });
  assert.throws(() => receiver.verify(message.body, headers), /too old/);
  assert.throws(
    () => receiver.verify(message.body, { ...headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000)) }),
    /No matching signature/,
  );
});

test("while a secret changes, receivers with the old and the new one both accept", () => {
  const next = createWebhookSecret();
  const headers = signMessage({ ...now(), secrets: [next, secret] });
  assert.equal(headers["webhook-signature"]?.split(" ").length, 2);
  for (const known of [secret, next]) new Webhook(known).verify(message.body, headers);
  assert.throws(() => new Webhook(createWebhookSecret()).verify(message.body, headers), /No matching signature/);
});

test("a message without a secret or with an empty one is never sent unsigned", () => {
  assert.throws(() => signMessage({ ...message, secrets: [] }), /at least one secret/);
  assert.throws(() => signMessage({ ...message, secrets: ["whsec_"] }), /empty/);
});

test("secrets are 32 random bytes", () => {
  const made = Array.from({ length: 50 }, createWebhookSecret);
  assert.equal(new Set(made).size, 50);
  for (const text of made) assert.equal(Buffer.from(text.replace(/^whsec_/, ""), "base64").length, 32);
});
