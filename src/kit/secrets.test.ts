import assert from "node:assert/strict";
import { createDecipheriv } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { TestContext } from "node:test";
import fc from "fast-check";
import { openSecrets } from "./secrets.ts";

const given = "a master key from the environment, long enough";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "genway-secrets-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("the first start makes a key file for the owner alone, and the next start uses the same key", (t) => {
  const dir = join(folder(t), "new", "data");
  const sealed = openSecrets(dir, "").seal("hello", "here");
  assert.deepEqual(readdirSync(dir), ["master.key"]);
  assert.equal(statSync(join(dir, "master.key")).mode & 0o777, 0o600);
  assert.equal(openSecrets(dir, "").open(sealed, "here"), "hello");
});

test("the content of the key file given through the environment is the same key", (t) => {
  const dir = folder(t);
  const sealed = openSecrets(dir, "").seal("hello", "here");
  const text = readFileSync(join(dir, "master.key"), "utf8");
  assert.equal(openSecrets(folder(t), text).open(sealed, "here"), "hello");
});

test("a key from the environment needs no file and makes none", (t) => {
  const dir = folder(t);
  openSecrets(dir, given);
  assert.deepEqual(readdirSync(dir), []);
});

test("hex, base64 and any long text serve as key, and each is another one", (t) => {
  const keys = ["ab".repeat(32), Buffer.alloc(32, 7).toString("base64"), given];
  const derived = keys.map((key) => openSecrets(folder(t), key).derive("x").toString("hex"));
  assert.equal(new Set(derived).size, 3);
});

test("every label has bytes of its own, the same each time", () => {
  const secrets = openSecrets("", given);
  assert.equal(secrets.derive("a").length, 32);
  assert.deepEqual(secrets.derive("a"), openSecrets("", given).derive("a"));
  const labels = ["a", "b", "", "seal", "key id", "for a"];
  assert.equal(new Set(labels.map((label) => secrets.derive(label).toString("hex"))).size, labels.length);
});

test("no label gives the key that seals", () => {
  const secrets = openSecrets("", given);
  const [version = "", id = "", content = ""] = secrets.seal("hello", "here").split(".");
  const sealed = Buffer.from(content, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", secrets.derive("seal"), sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(`${version}.${id}.here`)).setAuthTag(sealed.subarray(-16));
  decipher.update(sealed.subarray(12, -16));
  assert.throws(() => decipher.final(), /authenticate/);
});

test("any text comes back as it was, and the sealed form neither shows nor repeats it", () => {
  const secrets = openSecrets("", given);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, context) => {
      const [first, second] = [secrets.seal(text, context), secrets.seal(text, context)];
      assert.equal(secrets.open(first, context), text);
      assert.notEqual(first, second);
      assert.match(first, /^s1\.[0-9a-f]{8}\.[\w-]+$/);
    }),
    { numRuns: 200 },
  );
});

test("a sealed value opens only in the place it was made for", () => {
  const secrets = openSecrets("", given);
  const sealed = secrets.seal("hello", "provider/1/key");
  assert.throws(() => secrets.open(sealed, "provider/2/key"), /damaged or was made for another place/);
});

test("a sealed value that was altered anywhere does not open", () => {
  const secrets = openSecrets("", given);
  const sealed = secrets.seal("hello", "here");
  for (let at = 0; at < sealed.length - 1; at++) {
    const altered = sealed.slice(0, at) + (sealed[at] === "b" ? "c" : "b") + sealed.slice(at + 1);
    assert.throws(() => secrets.open(altered, "here"), /^Error: A sealed value/, `character ${at}`);
  }
  for (const wrong of ["", "hello", "s1", sealed.slice(0, 30), sealed.slice(0, 14), `${sealed}=`, `${sealed}AAAA`]) {
    assert.throws(() => secrets.open(wrong, "here"), /^Error: A sealed value/, wrong);
  }
});

test("a value sealed with another master key is named as such, with both key ids", () => {
  const sealed = openSecrets("", given).seal("hello", "here");
  assert.throws(() => openSecrets("", `${given}!`).open(sealed, "here"), /made with master key [0-9a-f]{8}, and this one is [0-9a-f]{8}/);
});

test("a key that is short, empty or damaged stops the start and says where it is", (t) => {
  const dir = folder(t);
  const path = join(dir, "master.key");
  openSecrets(dir, "");
  const good = readFileSync(path, "utf8");
  const damaged = good.replace(/.\n/, (end) => (end.startsWith("0") ? "1\n" : "0\n"));
  const cases: [string, RegExp][] = [
    ["", /holds no master key/],
    ["short", /holds no master key/],
    ["\0".repeat(64), /holds no master key/],
    [damaged, /is damaged/],
    [good.slice(0, 40), /is damaged/],
    [good.replace("_", "_x"), /is damaged/],
  ];
  for (const [text, message] of cases) {
    writeFileSync(path, text);
    assert.throws(
      () => openSecrets(dir, ""),
      (error: Error) => message.test(error.message) && error.message.includes(path),
      text,
    );
  }
  assert.throws(() => openSecrets(dir, "too short"), /GENWAY_MASTER_KEY holds no master key/);
});

test("a key file that every user may read stops the start", { skip: process.platform === "win32" }, (t) => {
  const dir = folder(t);
  openSecrets(dir, "");
  chmodSync(join(dir, "master.key"), 0o644);
  assert.throws(() => openSecrets(dir, ""), /chmod 600/);
  chmodSync(join(dir, "master.key"), 0o660);
  openSecrets(dir, "");
});
