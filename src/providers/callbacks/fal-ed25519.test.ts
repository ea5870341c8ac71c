import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { CallbackMessage } from "../../core/provider.ts";
import { falEd25519 } from "./fal-ed25519.ts";

const x = "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg";
const other = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const signature =
  "f9530bb7e6551249eebb9c26b2a110daf853eb06bdadc702df380dfce3c7117a8effd497fe7e58ecd512585c2fcaca5ab9185e4924ac1c3e71fd923992aff709";

const vector: CallbackMessage = {
  method: "POST",
  path: "/hooks/1",
  query: "",
  headers: {
    "x-fal-webhook-request-id": "req_1",
    "x-fal-webhook-user-id": "user_1",
    "x-fal-webhook-timestamp": "1700000000",
    "x-fal-webhook-signature": signature,
  },
  body: Buffer.from('{"a":1}'),
  now: 1_700_000_000_000,
};

let stub: Awaited<ReturnType<typeof createStub>>;
let isDown = false;
before(async () => {
  stub = await createStub(({ url }) => {
    if (isDown) return { status: 503, body: { detail: "down" } };
    return {
      body: {
        keys:
          url === "/others"
            ? [{ x: other }, { x: "short" }]
            : [
                { kty: "OKP", x: other },
                { kty: "OKP", crv: "Ed25519", x },
              ],
      },
    };
  });
});
after(() => stub.close());

async function heard(message: CallbackMessage, path = "/jwks") {
  return (await falEd25519(message, { job: "", credential: "", options: { jwks_url: `${stub.url}${path}` } })).state;
}

test("a message signed with one of the published keys is genuine, and the keys are fetched once a day", async () => {
  const asked = () => stub.requests.filter(({ url }) => url === "/daily").length;
  assert.deepEqual(await Promise.all([heard(vector, "/daily"), heard(vector, "/daily")]), ["genuine", "genuine"]);
  assert.equal(asked(), 1);
  const nextDay = { ...vector, now: vector.now + 86_400_000, headers: { ...vector.headers, "x-fal-webhook-timestamp": "1700086400" } };
  assert.equal(await heard(nextDay, "/daily"), "forged", "another time has another signature");
  assert.equal(asked(), 2);
});

test("a message altered in its body, its ids or its signature is forged", async () => {
  const altered = (name: string, value: string) => ({ ...vector, headers: { ...vector.headers, [`x-fal-webhook-${name}`]: value } });
  assert.equal(await heard({ ...vector, body: Buffer.from('{"a":2}') }), "forged");
  assert.equal(await heard(altered("request-id", "req_2")), "forged");
  assert.equal(await heard(altered("user-id", "user_2")), "forged");
  assert.equal(await heard(altered("timestamp", "1700000001")), "forged");
  assert.equal(await heard(altered("signature", signature.replace("f953", "f954"))), "forged");
  assert.equal(await heard(altered("signature", signature.slice(2))), "forged");
});

test("a message more than five minutes old, or from the future, is forged", async () => {
  assert.equal(await heard({ ...vector, now: vector.now + 301_000 }), "forged");
  assert.equal(await heard({ ...vector, now: vector.now - 301_000 }), "forged");
  assert.equal(await heard({ ...vector, now: vector.now + 300_000 }), "genuine");
});

test("a message without a signature, or of a key that is not published, is forged", async () => {
  assert.equal(await heard({ ...vector, headers: {} }), "forged");
  assert.equal(await heard(vector, "/others"), "forged");
});

test("keys that cannot be fetched make nothing genuine, and are asked for again", async () => {
  isDown = true;
  assert.equal(await heard(vector, "/later"), "forged");
  isDown = false;
  assert.equal(await heard(vector, "/later"), "genuine");
});
