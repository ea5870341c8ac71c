import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyPairToken, signJwt } from "./jwt.ts";

const vector =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJha190ZXN0IiwiZXhwIjoxNzAwMDAxODAwLCJuYmYiOjE2OTk5OTk5OTV9.eDa_F6Qhv7yHoYstKBIL6uubYWDLHLekl_49ClsUCf4";
const start = 1_700_000_000_000;

test("claims are signed with HS256", () => {
  assert.equal(signJwt({ iss: "ak_test", exp: 1_700_001_800, nbf: 1_699_999_995 }, "sk_test"), vector);
});

test("a pair of keys becomes a token that is valid from now on for half an hour", () => {
  assert.equal(createKeyPairToken()("ak_test:sk_test", start), vector);
});

test("a token is used again until two minutes before it ends, and by its own pair of keys alone", () => {
  const token = createKeyPairToken();
  assert.equal(token("ak_test:sk_test", start), vector);
  assert.equal(token("ak_test:sk_test", start + 1_679_000), vector);
  assert.notEqual(token("ak_test:sk_other", start), vector);
  const next = token("ak_test:sk_test", start + 1_680_000);
  assert.notEqual(next, vector);
  assert.equal(token("ak_test:sk_test", start + 1_800_000), next);
});

test("a clock that is set back gets a token that is valid there", () => {
  const token = createKeyPairToken();
  token("ak_test:sk_test", start + 3_600_000);
  assert.equal(token("ak_test:sk_test", start), vector);
});

test("a secret that holds a colon is whole, and a key that is no pair is shown as it is", () => {
  const token = createKeyPairToken();
  assert.equal(token("ak_test:a:b", start), signJwt({ iss: "ak_test", exp: 1_700_001_800, nbf: 1_699_999_995 }, "a:b"));
  assert.equal(token("plain-key", start), "plain-key");
  assert.equal(token(":b", start), ":b");
});
