import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { CallbackMessage } from "../../core/provider.ts";
import type { Verifier } from "../job/spec.ts";
import { elevenLabs } from "./elevenlabs.ts";
import { kie } from "./kie.ts";
import { openRouter } from "./openrouter.ts";
import { openRouterOrStandard } from "./openrouter-or-standard.ts";
import { sharedSecret } from "./shared-secret.ts";

type Vector = {
  name: string;
  verify: Verifier;
  webhook: string;
  headers: Record<string, string>;
  body: string;
  altered: string;
  windowSeconds: number;
};

const sentAt = 1_700_000_000;

const vectors: readonly Vector[] = [
  {
    name: "elevenlabs",
    verify: elevenLabs,
    webhook: "wsec_test",
    headers: { "elevenlabs-signature": "t=1700000000,v0=46c80693bcd6e7899b680f38f4ceb87fc5b1833ada76ac45f80bebd8e2bec959" },
    body: '{"a":1}',
    altered: '{"a":2}',
    windowSeconds: 1_800,
  },
  {
    name: "openrouter",
    verify: openRouter,
    webhook: "or_secret",
    headers: { "x-openrouter-signature": "t=1700000000,v1=14e01d2016c016d21cdd963e52d285aa808741784061af1c843940236fa83636" },
    body: '{"a":1}',
    altered: '{"a":1} ',
    windowSeconds: 300,
  },
  {
    name: "kie",
    verify: kie,
    webhook: "kie_key",
    headers: { "x-webhook-timestamp": "1700000000", "x-webhook-signature": "vuOcp2JCvsFzAYAL3USkAupf5KAVRXoRxsfyP5ECBAw=" },
    body: '{"code":200,"data":{"callbackType":"complete","task_id":"task_1"}}',
    altered: '{"code":200,"data":{"callbackType":"complete","task_id":"task_2"}}',
    windowSeconds: 300,
  },
];

async function hear(vector: Vector, change: Partial<CallbackMessage> & { text?: string; webhook?: string | null } = {}): Promise<string> {
  const { text = vector.body, webhook = vector.webhook, ...rest } = change;
  const message: CallbackMessage = {
    method: "POST",
    path: "/callbacks/x",
    query: "",
    headers: vector.headers,
    body: Buffer.from(text),
    now: sentAt * 1_000,
    ...rest,
  };
  const keys = { job: "job-secret", credential: "credential", options: {}, ...(webhook !== null && { webhook }) };
  return (await vector.verify(message, keys)).state;
}

for (const vector of vectors) {
  const { name, windowSeconds } = vector;

  test(`${name}: a message signed with the secret is genuine`, async () => {
    assert.equal(await hear(vector), "genuine");
  });

  test(`${name}: a message that was altered, or signed with another secret, is forged`, async () => {
    assert.equal(await hear(vector, { text: vector.altered }), "forged");
    assert.equal(await hear(vector, { webhook: "another" }), "forged");
    for (const [header, value] of Object.entries(vector.headers)) {
      const wrong = value.replace(/.(=?)$/, (_end, sign: string) => `Z${sign}`);
      assert.equal(await hear(vector, { headers: { ...vector.headers, [header]: wrong } }), "forged", header);
      assert.equal(await hear(vector, { headers: { ...vector.headers, [header]: value.slice(0, -5) } }), "forged", header);
    }
  });

  test(`${name}: a message is good for ${windowSeconds} seconds before and after its time, not longer`, async () => {
    for (const seconds of [windowSeconds, -windowSeconds]) assert.equal(await hear(vector, { now: (sentAt + seconds) * 1_000 }), "genuine");
    for (const seconds of [windowSeconds + 1, -windowSeconds - 1])
      assert.equal(await hear(vector, { now: (sentAt + seconds) * 1_000 }), "forged");
  });

  test(`${name}: a message without a signature, or whose header is nonsense, is forged`, async () => {
    assert.equal(await hear(vector, { headers: {} }), "forged");
    for (const value of ["", ",", "t=,", "=", "t=NaN,v0=0,v1=0", "🎵"])
      assert.equal(
        await hear(vector, { headers: Object.fromEntries(Object.keys(vector.headers).map((header) => [header, value])) }),
        "forged",
        value,
      );
  });

  test(`${name}: without a secret of the operator every message is a hint to ask`, async () => {
    assert.equal(await hear(vector, { webhook: null, headers: {}, text: "nonsense" }), "genuine");
  });
}

test("kie: a body that is no JSON or names no task is forged", async () => {
  const vector = vectors.find(({ name }) => name === "kie");
  assert.ok(vector);
  for (const text of ["", "{", "[]", '{"data":{}}', '{"data":null}']) assert.equal(await hear(vector, { text }), "forged", text);
});

test("elevenlabs: one good signature among several is enough, as while a secret is changed", async () => {
  const vector = vectors.find(({ name }) => name === "elevenlabs");
  assert.ok(vector);
  const [time = "", right = ""] = (vector.headers["elevenlabs-signature"] ?? "").split(",");
  assert.equal(await hear(vector, { headers: { "elevenlabs-signature": `${time}, v0=${"0".repeat(64)}, ${right}` } }), "genuine");
});

test("a secret that is repeated must be the job's own, and one that is left out is no offence", async () => {
  const [vector] = vectors;
  assert.ok(vector);
  const repeats = (headers: Record<string, string>) => hear({ ...vector, verify: sharedSecret }, { headers });
  assert.equal(await repeats({ "x-webhook-secret": "job-secret" }), "genuine");
  assert.equal(await repeats({}), "genuine");
  for (const wrong of ["job-secre", "job-secret ", "JOB-SECRET"])
    assert.equal(await repeats({ "x-webhook-secret": wrong }), "forged", wrong);
});

test("messages about videos of OpenAI's wire are judged by the signature that they carry", async () => {
  const vector = vectors.find(({ name }) => name === "openrouter");
  assert.ok(vector);
  const either = { ...vector, verify: openRouterOrStandard };
  assert.equal(await hear(either), "genuine");
  assert.equal(await hear(either, { text: either.altered }), "forged");
  assert.equal(await hear(either, { headers: {} }), "forged");
  const key = Buffer.from("a secret of sixteen bytes or more");
  const signature = createHmac("sha256", key).update(`msg_1.${sentAt}.${either.body}`).digest("base64");
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(sentAt), "webhook-signature": `v1,${signature}` };
  assert.equal(await hear(either, { headers, webhook: `whsec_${key.toString("base64")}` }), "genuine");
  assert.equal(await hear(either, { headers, webhook: `whsec_${key.toString("base64")}`, text: "{}" }), "forged");
});
