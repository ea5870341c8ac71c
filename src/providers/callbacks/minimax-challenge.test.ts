import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallbackMessage } from "../../core/provider.ts";
import { minimaxChallenge } from "./minimax-challenge.ts";
import { unsigned } from "./unsigned.ts";

const keys = { job: "", credential: "", options: {} };
const messageOf = (body: string): CallbackMessage => ({
  method: "POST",
  path: "/",
  query: "",
  headers: {},
  body: Buffer.from(body),
  now: 0,
});

test("a challenge is answered with itself", async () => {
  assert.deepEqual(await minimaxChallenge(messageOf('{"challenge":"1a3cs1j"}'), keys), {
    state: "challenge",
    reply: { challenge: "1a3cs1j" },
  });
});

test("a status is a reason to ask, and so is what cannot be read", async () => {
  for (const body of ['{"task_id":"1","status":"success"}', '{"challenge":{"x":1}}', '{"challenge":""}', "challenge", ""])
    assert.deepEqual(await minimaxChallenge(messageOf(body), keys), { state: "genuine" }, body);
});

test("what an upstream does not sign is a reason to ask", async () => {
  assert.deepEqual(await unsigned(messageOf('{"id":"1"}'), keys), { state: "genuine" });
});
