import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { png } from "../support/samples.ts";

let gateway: TestGateway;
let key = "";

before(async () => {
  gateway = await startGateway();
  key = gateway.firstKey ?? "";
});
after(() => gateway.end());

async function create(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("image", new Blob([png(16, 9)], { type: "image/png" }), "a.png");
  const reply = await fetch(`${gateway.url}/custom_video/model/m`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form,
  });
  await reply.text();
  return reply.status;
}

async function uploads(): Promise<number> {
  const reply = await fetch(`${gateway.url}/v1/files`, { headers: { authorization: `Bearer ${key}` } });
  return ((await reply.json()) as { data: unknown[] }).data.length;
}

test("a form that is refused leaves none of its files behind", async () => {
  assert.equal(await create({ duration: "99" }), 400);
  assert.equal(await create({ duration: "1", aspect_ratio: "1:100" }), 400);
  assert.equal(await uploads(), 0);
});

test("a form that is sent again under its key leaves the files of the first time alone", async () => {
  const again = { "idempotency-key": "same form" };
  assert.equal(await create({ duration: "1", prompt: "a wave" }, again), 200);
  assert.equal(await create({ duration: "1", prompt: "a wave" }, again), 200);
  assert.equal(await uploads(), 1);
});
