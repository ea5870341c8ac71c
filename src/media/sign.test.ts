import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import { createSigner } from "./sign.ts";

const signer = createSigner(Buffer.alloc(32, 7));
const expiry = 1_800_000_000_000;

test("a signed query opens its asset in its way until its moment", () => {
  for (const disposition of ["inline", "attachment"] as const) {
    const query = signer.sign("asset-1", expiry, disposition);
    assert.deepEqual(signer.verify("asset-1", query, 0), { disposition });
    assert.deepEqual(signer.verify("asset-1", query, expiry - 1), { disposition });
    assert.equal(signer.verify("asset-1", query, expiry), "expired");
    assert.deepEqual(signer.verify("asset-1", Object.fromEntries(new URLSearchParams(query)), 0), { disposition });
    assert.match(query, /^e=\d+&d=[ia]&s=[\w-]{43}$/);
  }
});

test("another asset, key, way, moment or signature is invalid, even when expired", () => {
  const query = signer.sign("asset-1", expiry, "attachment");
  const wrong = [
    query.replace("d=a", "d=i"),
    query.replace("e=1", "e=2"),
    query.replace("e=", "e=0"),
    query.slice(0, -2),
    `${query}A`,
    query.replace(/s=.*/, "s="),
    query.replace(/s=./, (s) => (s === "s=A" ? "s=B" : "s=A")),
    "",
    "e=1",
    "s=",
    query.replace("d=a", "d=attachment"),
    query.replace("e=", "e=+"),
    query.replace(/e=\d+/, "e=NaN"),
    query.replace(/e=\d+/, "e=99999999999999999999"),
  ];
  for (const nowMs of [0, expiry + 1]) {
    for (const text of wrong) assert.equal(signer.verify("asset-1", text, nowMs), "invalid", text);
    assert.equal(signer.verify("asset-2", query, nowMs), "invalid");
    assert.equal(createSigner(randomBytes(32)).verify("asset-1", query, nowMs), "invalid");
  }
});

test("a query of other shapes is invalid, not an error", () => {
  const [e, d, s] = [...new URLSearchParams(signer.sign("asset-1", expiry, "inline")).values()];
  for (const query of [{}, { e, d }, { e: [e, e], d, s }, { e, d, s: [s] }, { e: Number(e), d, s }, { e, d: null, s }]) {
    assert.equal(signer.verify("asset-1", query, 0), "invalid", JSON.stringify(query));
  }
});

test("no two different questions share a signature", () => {
  const question = fc.tuple(fc.string(), fc.nat({ max: 10 ** 6 }), fc.constantFrom("inline" as const, "attachment" as const));
  fc.assert(
    fc.property(question, question, ([id, at, way], [otherId, otherAt, otherWay]) => {
      const same = id === otherId && Math.ceil(at / 1000) === Math.ceil(otherAt / 1000) && way === otherWay;
      assert.equal(signer.sign(id, at, way).split("s=")[1] === signer.sign(otherId, otherAt, otherWay).split("s=")[1], same);
    }),
  );
});
