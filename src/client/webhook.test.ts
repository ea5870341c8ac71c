import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { GenwayError } from "./genway-error.ts";
import { verifyWebhook } from "./webhook.ts";

const secret = `whsec_${Buffer.from("a secret of some length").toString("base64")}`;
const body = JSON.stringify({ type: "task.succeeded", timestamp: "2026-01-31T12:00:00.000Z", data: { id: "t" } });

function signed(at = new Date()): Record<string, string> {
  return {
    "webhook-id": "m1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("m1", at, body),
  };
}

test("a message that was signed is an event, whichever way its headers come", () => {
  const event = { type: "task.succeeded", timestamp: "2026-01-31T12:00:00.000Z", data: { id: "t" } };
  assert.deepEqual(verifyWebhook(body, signed(), secret), event);
  assert.deepEqual(verifyWebhook(body, new Headers(signed()), secret), event);
});

test("a message that was changed, is old, or is not signed is refused", () => {
  const refused = (error: unknown) => error instanceof GenwayError && error.code === "invalid_signature";
  assert.throws(() => verifyWebhook(`${body} `, signed(), secret), refused);
  assert.throws(() => verifyWebhook(body, signed(new Date(Date.now() - 600_000)), secret), refused);
  assert.throws(() => verifyWebhook(body, {}, secret), refused);
});
