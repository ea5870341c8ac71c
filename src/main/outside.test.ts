import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "../config/config.ts";
import { Failure } from "../core/errors.ts";
import { parseCidrs } from "../kit/address.ts";
import { UntrustedUrlError } from "../kit/fetch-untrusted.ts";
import { checkUrl, mediaFetcher } from "./outside.ts";

const everything = parseCidrs(["0.0.0.0/0", "::/0"]);
const providerAt = (baseUrl: string, allowPrivateNetwork: boolean): Config["providers"] => ({
  one: {
    type: "comfyui",
    baseUrl,
    keys: [],
    limits: { concurrent: null, perMinute: null },
    allowPrivateNetwork,
    webhookSecret: null,
    options: {},
  },
});

/** Why an address is not opened: nothing is sent, because the fetch is called off before it connects. */
async function refusal(url: string, allowPrivate: boolean, providers: Config["providers"] = {}): Promise<string> {
  const fetchMedia = mediaFetcher(
    () => everything,
    () => providers,
  );
  const leaving = new AbortController();
  const opening = fetchMedia(url, { maxBytes: 10, timeoutMs: 1_000, allowPrivate, signal: leaving.signal });
  leaving.abort();
  return opening.then(
    () => "opened",
    (error: unknown) => (error instanceof UntrustedUrlError ? error.reason : String(error)),
  );
}

const metadata = ["http://169.254.169.254/latest", "http://[fe80::1]/", "http://[::ffff:169.254.169.254]/", "http://100.100.100.200/"];

test("neither results nor inputs are fetched from link-local addresses, whatever is allowed", async () => {
  for (const url of metadata)
    for (const allowPrivate of [true, false]) assert.equal(await refusal(url, allowPrivate), "refused-address", url);
  assert.equal(await refusal("http://10.0.0.7/", true), "cancelled");
  for (const url of metadata)
    assert.throws(
      () => checkUrl(url, "image", everything),
      (error) => error instanceof Failure && error.code === "invalid_request",
    );
});

test("a result is fetched from the link-local address that its upstream is at, and from no other", async () => {
  const own = providerAt("http://169.254.10.20:8188/api", true);
  assert.equal(await refusal("http://169.254.10.20:8188/view", true, own), "cancelled");
  assert.equal(await refusal("http://169.254.169.254/", true, own), "refused-address");
  assert.equal(await refusal("http://169.254.10.20:8188/view", false, own), "refused-address");
  assert.equal(await refusal("http://169.254.10.20:8188/", true, providerAt("http://169.254.10.20:8188", false)), "refused-address");
  assert.equal(await refusal("http://[fe80::7]/", true, providerAt("http://[fe80::7]:8188", true)), "cancelled");
});
