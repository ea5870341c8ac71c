import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { bfl } from "./bfl.ts";

const right = "sha256=1bb60c6f104facff474d88be1c5aabbc678d2fcd671be8aa6b08cdd1bca2cd24";

async function heard({
  signature = right,
  body = '{"a":1}',
  job = "bfl_secret",
}: { signature?: string; body?: string; job?: string } = {}) {
  const headers = signature === "" ? {} : { "x-bfl-signature": signature };
  const message = { method: "POST", path: "/hooks/1", query: "", headers, body: Buffer.from(body), now: 0 };
  return (await bfl(message, { job, credential: "", options: {} })).state;
}

test("a message signed with the job's own secret is genuine", async () => {
  assert.equal(await heard(), "genuine");
});

test("a message altered in its body, its signature or signed for another job is forged", async () => {
  assert.equal(await heard({ body: '{"a":2}' }), "forged");
  assert.equal(await heard({ signature: right.replace("1bb6", "1bb7") }), "forged");
  assert.equal(await heard({ job: "another_secret" }), "forged");
});

test("a message without a signature, or with half of one, is forged", async () => {
  for (const signature of ["", "sha256=", right.slice(0, -2), right.replace("sha256=", "")])
    assert.equal(await heard({ signature }), "forged");
});

test("nothing is genuine for a job that carried no secret", async () => {
  const signature = `sha256=${createHmac("sha256", "").update('{"a":1}').digest("hex")}`;
  assert.equal(await heard({ job: "", signature }), "forged");
});
