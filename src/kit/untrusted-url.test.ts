import assert from "node:assert/strict";
import test from "node:test";
import { parseCidrs } from "./address.ts";
import { checkUntrustedUrl, resolveUntrusted, UntrustedUrlError } from "./untrusted-url.ts";

const none = parseCidrs([]);
const loopback = parseCidrs(["127.0.0.0/8"]);

const refused = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof UntrustedUrlError, String(error));
  assert.equal(error.reason, reason);
  return true;
};

test("ordinary web addresses pass unchanged", () => {
  for (const url of [
    "https://example.com/a.png?x=1",
    "http://example.com/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]:8443/",
    "http://example.com:8080/",
  ]) {
    assert.equal(checkUntrustedUrl(url, { allow: none }).href, url);
  }
});

test("text, schemes and credentials that have no place in a fetched URL are refused", () => {
  const wrong = [
    "",
    "example.com",
    "//example.com",
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "data:text/plain,hi",
    "javascript:1",
    "unix:/run/x.sock",
    "ws://example.com/",
    "https://",
    "http://a b/",
    "https://user@example.com/",
    "https://user:word@example.com/",
    "https://:word@example.com/",
    `https://example.com/${"a".repeat(9000)}`,
  ];
  for (const url of wrong) assert.throws(() => checkUntrustedUrl(url, { allow: none }), refused("invalid-url"), url);
});

test("low ports other than 80 and 443 are refused, except at an allowed address", () => {
  for (const port of [1, 22, 25, 81, 111, 1023]) {
    assert.throws(() => checkUntrustedUrl(`http://example.com:${port}/`, { allow: none }), refused("refused-port"));
    assert.throws(() => checkUntrustedUrl(`http://8.8.8.8:${port}/`, { allow: loopback }), refused("refused-port"));
    assert.equal(checkUntrustedUrl(`http://127.0.0.1:${port}/`, { allow: loopback }).port, String(port));
  }
  for (const port of [80, 443, 1024, 65535]) checkUntrustedUrl(`http://example.com:${port}/`, { allow: none });
});

test("names of the machine and of private networks are refused, and the sentence says what to set", () => {
  const names = [
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "a.localhost.",
    "printer.local",
    "metadata.google.internal",
    "metadata.google.internal.",
    "localhost.localdomain",
    "nas.home.arpa",
  ];
  for (const name of names) {
    assert.throws(
      () => checkUntrustedUrl(`http://${name}/`, { allow: none }),
      (error) => refused("refused-address")(error) && /outbound\.allow .*GENWAY_OUTBOUND_ALLOW/.test(String(error)),
      name,
    );
  }
  for (const name of ["localhost.example.com", "notlocalhost", "mylocal", "internal.example.com"])
    checkUntrustedUrl(`http://${name}/`, { allow: none });
});

test("an allowed network opens its literal addresses and localhost, not its neighbours", async () => {
  for (const host of ["127.0.0.1", "127.1", "2130706433", "localhost", "x.localhost.", "[::ffff:127.0.0.1]"]) {
    const url = checkUntrustedUrl(`http://${host}:9/`, { allow: loopback });
    assert.equal((await resolveUntrusted(url, { allow: loopback })).length, 1, host);
  }
  for (const host of ["[::1]", "10.0.0.1", "169.254.169.254", "0.0.0.0"]) {
    assert.throws(() => checkUntrustedUrl(`http://${host}/`, { allow: loopback }), refused("refused-address"), host);
  }
  assert.deepEqual(await resolveUntrusted(new URL("http://localhost/"), { allow: parseCidrs(["::1"]) }), ["::1"]);
});

const resolving = (addresses: string[], allow = none, url = "http://files.example/") =>
  resolveUntrusted(checkUntrustedUrl(url, { allow }), { allow, resolve: async () => addresses });

test("a name is refused when any one of its addresses is not public", async () => {
  assert.deepEqual(await resolving(["8.8.8.8", "2606:4700::1111"]), ["8.8.8.8", "2606:4700::1111"]);
  for (const bad of ["127.0.0.1", "10.0.0.1", "::1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "169.254.169.254", "not an address"]) {
    await assert.rejects(resolving(["8.8.8.8", bad]), refused("refused-address"), bad);
    await assert.rejects(resolving([bad, "8.8.8.8"]), refused("refused-address"), bad);
  }
});

test("a name with public and allowed addresses together passes", async () => {
  assert.deepEqual(await resolving(["8.8.8.8", "127.0.0.1"], loopback), ["8.8.8.8", "127.0.0.1"]);
});

test("an internal name needs every address to be allowed, even a public one", async () => {
  assert.deepEqual(await resolving(["127.0.0.9"], loopback, "http://db.internal:25/"), ["127.0.0.9"]);
  await assert.rejects(resolving(["8.8.8.8"], loopback, "http://db.internal/"), refused("refused-address"));
});

test("a name on a low port passes only when all its addresses are allowed", async () => {
  assert.deepEqual(await resolving(["127.0.0.9"], loopback, "http://mail.example:25/"), ["127.0.0.9"]);
  await assert.rejects(resolving(["8.8.8.8"], loopback, "http://mail.example:25/"), refused("refused-port"));
});

test("a name without an address or with a failing name server is unreachable, and the refusal never tells an address", async () => {
  await assert.rejects(resolving([]), refused("unreachable"));
  const failing = resolveUntrusted(new URL("http://files.example/"), {
    allow: none,
    resolve: () => Promise.reject(new Error("SERVFAIL at 10.9.8.7")),
  });
  await assert.rejects(failing, (error) => refused("unreachable")(error) && !String(error).includes("10.9.8.7"));
  await assert.rejects(resolving(["10.9.8.7"]), (error) => refused("refused-address")(error) && !String(error).includes("10.9.8.7"));
});
