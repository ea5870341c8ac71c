import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { configurationOf } from "../../scripts/provider-configuration.ts";
import { providerPages } from "../../scripts/provider-folder.ts";
import { loadConfig } from "../../src/config/config.ts";
import { callOperations } from "../../src/core/call.ts";
import { adapters, jobAdapters } from "../../src/providers/index.ts";

const folder = join(import.meta.dirname, "../../docs/providers");
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const settingsOf = (type: string) => ({ name: type, baseUrl: "https://upstream.example", allowPrivateNetwork: false, options: {} });

test("the pages of providers are what the adapters say; if not, run node run.mjs scripts/provider-pages.ts --write", () => {
  const pages = providerPages(textOf("index.md"));
  const written = globSync("*.md", { cwd: folder }).filter((file) => file !== "calls.md");
  assert.deepEqual(written.toSorted(), [...pages.keys()].toSorted());
  for (const [file, text] of pages) assert.equal(textOf(file), text, file);
});

test("every adapter with tasks has a page", () => {
  const types = adapters.filter(({ type, create }) => create(settingsOf(type)).tasks !== undefined).map(({ type }) => type);
  assert.ok(types.length > 25);
  assert.deepEqual(
    jobAdapters.map(({ type }) => type).toSorted(),
    types.toSorted(),
    "jobAdapters in src/providers/index.ts lists other types than those with tasks",
  );
});

test("the configuration on each page is accepted, and each kind that a type serves has its example", () => {
  const workplace = mkdtempSync(join(tmpdir(), "genway-pages-"));
  try {
    for (const adapter of jobAdapters) {
      const yaml = configurationOf(adapter);
      const env = Object.fromEntries(Array.from(yaml.matchAll(/\$\{(\w+)\}/g), ([, name = ""]) => [name, "a-key"]));
      writeFileSync(join(workplace, "genway.yaml"), yaml);
      const config = loadConfig({ env, cwd: workplace, adapters });
      const kinds = config.models.flatMap((model) => model.kinds);
      assert.deepEqual([...new Set<string>(kinds)].toSorted(), Object.keys(adapter.spec.models).toSorted(), adapter.type);
    }
  } finally {
    rmSync(workplace, { recursive: true });
  }
});

test("every type of provider that answers calls has its row, with its address and everything it offers", () => {
  const rows = new Map(
    textOf("calls.md")
      .split("\n")
      .map((line) => [/^\| `([\w-]+)` \| /.exec(line)?.[1], line]),
  );
  for (const { type, defaultBaseUrl, create } of adapters) {
    const { calls } = create(settingsOf(type));
    const row = rows.get(type) ?? "";
    if (calls === undefined) {
      assert.equal(row, "", `${type} answers no calls`);
      continue;
    }
    const [, , address = "", , offers = ""] = row.split("|").map((cell) => cell.trim());
    const edits = calls["image-edit"] === undefined ? "" : " with edits and variations";
    const names = callOperations.filter((name) => calls[name] !== undefined && !name.startsWith("image-"));
    const offered = names.map((name) => (name === "image" ? name + edits : name));
    assert.deepEqual(offers.split(", ").toSorted(), offered.toSorted(), type);
    assert.ok(address.startsWith(defaultBaseUrl === undefined ? "must be given" : `\`${defaultBaseUrl}\``), row);
  }
});
