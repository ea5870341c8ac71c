import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startGateway, type TestGateway } from "../support/gateway.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/text.md"), "utf8");
const examples = Array.from(page.matchAll(/^```ts runnable\n([\s\S]*?)^```$/gm), ([, code = ""]) => ({
  code,
  client: /from "([^"]+)"/.exec(code)?.[1] ?? "",
}));

describe("the examples of docs/text.md for clients that others made", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.end());

  test("there is one for each client", () => {
    assert.deepEqual(
      examples.map(({ client }) => client),
      ["openai", "@anthropic-ai/sdk", "@ai-sdk/openai-compatible"],
    );
  });

  for (const { client, code } of examples) {
    test(`${client} needs the address and the key alone`, async () => {
      const { exit, out, trouble } = await runModule(code.replace("http://127.0.0.1:8787", gateway.url), gateway.firstKey ?? "");
      assert.equal(exit, 0, trouble);
      assert.match(out, /[a-z]{3,}/i);
    });
  }
});

async function runModule(code: string, key: string): Promise<{ exit: number | null; out: string; trouble: string }> {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", code], {
    cwd: root,
    env: { ...process.env, KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let trouble = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (trouble += text));
  const [exit] = (await once(child, "close")) as [number | null];
  return { exit, out, trouble };
}
