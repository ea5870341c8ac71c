import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { loadConfig } from "../src/config/config.ts";
import { adapters } from "../src/providers/index.ts";
import { callEntries } from "./calls/call-configuration.ts";
import { callUpstreams } from "./calls/index.ts";
import { describeWholeConfiguration } from "./configuration.ts";
import { dialects } from "./dialects/index.ts";

const place = { baseUrl: (type: string) => `http://127.0.0.1:1/${type}` };

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function namesIn(lines: readonly string[]): string[] {
  return lines.map((line) => /^ {2}"?([^":]+)"?:/.exec(line)?.[1] ?? line);
}

test("no two upstreams have the same name, and no two models", () => {
  const calls = callEntries(place, "lab-key");
  assert.deepEqual(twice([...dialects.map(({ type }) => type), ...callUpstreams.keys()]), []);
  assert.deepEqual(twice([...dialects.map(({ type }) => type), ...namesIn(calls.providers)]), []);
  assert.deepEqual(twice([...dialects.flatMap(({ models }) => models.map(({ name }) => name)), ...namesIn(calls.models)]), []);
});

test("the lists of dialects are in the order of their types", () => {
  const types = dialects.map(({ type }) => type);
  assert.deepEqual(types, types.toSorted());
});

test("every dialect is a provider with its address, key and settings, and each of its models has a route to it", () => {
  const { providers, models }: { providers: Record<string, Record<string, unknown>>; models: Record<string, Record<string, unknown>> } =
    parse(describeWholeConfiguration(place, "lab-key"));
  for (const { type, adapter = type, keyless, credential, webhookSecret, options, models: offered } of dialects) {
    const base_url = place.baseUrl(type);
    const entry = providers[type] ?? assert.fail(type);
    assert.deepEqual(entry, {
      type: adapter,
      base_url,
      ...(!keyless && { keys: [credential?.("lab-key") ?? "lab-key"] }),
      allow_private_network: true,
      ...(webhookSecret !== undefined && { webhook_secret: webhookSecret }),
      ...(options && { options: options(base_url) }),
    });
    for (const { name, kind, model } of offered) {
      const { price, ...rest } = models[name] ?? assert.fail(name);
      assert.deepEqual(rest, { kinds: [kind], routes: [{ provider: type, ...(model !== undefined && { model }) }] });
      assert.ok(price);
    }
  }
});

test("the gateway takes the whole configuration", () => {
  const folder = mkdtempSync(join(tmpdir(), "genway-lab-"));
  try {
    writeFileSync(join(folder, "genway.yaml"), describeWholeConfiguration(place, "lab-key"));
    const { providers, models } = loadConfig({ env: {}, cwd: folder, adapters });
    assert.ok(Object.keys(providers).length > dialects.length && models.length > dialects.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
