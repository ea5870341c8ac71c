import assert from "node:assert/strict";
import { test } from "node:test";
import { describeWholeConfiguration } from "../../lab/configuration.ts";
import { createLab } from "../../lab/lab.ts";
import { startGateway } from "../support/gateway.ts";

const [right, wrong] = ["sk-right-0123456789-abcd", "sk-wrong-0123456789-efgh"];
type Tried = { name: string; ok: boolean; says: string };

/** What a test of every provider of the lab says, with one key for all. */
async function triedWith(key: string): Promise<Tried[]> {
  const lab = await createLab({ keys: [right] });
  const gateway = await startGateway({ yaml: describeWholeConfiguration(lab, key) });
  try {
    const names = ((await gateway.admin("GET", "/admin/v1/providers")).body["data"] as { name: string }[]).map(({ name }) => name);
    const found: Tried[] = [];
    for (const name of names) {
      const { body } = await gateway.admin("POST", `/admin/v1/providers/${name}/test`);
      found.push({ name, ok: body["ok"] === true, says: String(body["says"]) });
    }
    assert.equal(lab.jobs().length, 0, "nothing is made");
    return found;
  } finally {
    await gateway.end();
    await lab.close();
  }
}

test("every provider that is there and takes its key passes its test", async () => {
  const tried = await triedWith(right);
  assert.ok(tried.length > 30);
  for (const { name, ok, says } of tried) assert.ok(ok, `${name}: ${says}`);
});

test("a key that is refused is told, and where it was not tried that is told; the key itself never is", async () => {
  for (const { name, ok, says } of await triedWith(wrong)) {
    assert.ok(!ok || /not tried|wants no key|asks the other providers/.test(says), `${name}: ${says}`);
    assert.ok(!says.includes("0123456789"), `${name}: ${says}`);
  }
});
