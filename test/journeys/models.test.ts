import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import type { EnvelopeError, PlainError } from "../support/wire.ts";

const { client, gateway, account, end } = await startLabGateway({ types: ["runway", "suno-relay"] });
const local = await startGateway();
after(async () => {
  await end();
  await local.end();
});
const anonymous = createClient(local.url, null);

type Model = { id: string; object: string; created: number; owned_by: string; kinds: string[] };
type Models = { object: string; data: Model[] };

function checkModels({ object, data }: Models): void {
  assert.equal(object, "list");
  for (const model of data) {
    assert.equal(model.object, "model");
    assert.ok(Number.isInteger(model.created) && typeof model.owned_by === "string" && model.id !== "" && model.kinds.length > 0);
  }
  assert.equal(new Set(data.map(({ id }) => id)).size, data.length, "each model once");
}

test("the configured models are listed, each once", async () => {
  const { body } = await client.get<Models>("/v1/models");
  checkModels(body);
  assert.deepEqual(Object.fromEntries(body.data.map(({ id, kinds }) => [id, kinds])), {
    "gen4.5": ["video"],
    gen4_turbo: ["video"],
    "chirp-*": ["music"],
    lyrics: ["lyrics"],
  });
  assert.doesNotMatch(JSON.stringify(body), /runway|suno|relay|127\.0\.0\.1/, "who serves a model is nobody's business");
});

test("a model that can be asked for can be looked up, also behind a pattern", async () => {
  const known = await client.get<Model>("/v1/models/gen4.5");
  assert.deepEqual([known.status, known.body.id, known.body.kinds], [200, "gen4.5", ["video"]]);
  const matched = await client.get<Model>("/v1/models/chirp-v4");
  assert.deepEqual([matched.status, matched.body.id, matched.body.kinds], [200, "chirp-v4", ["music"]]);
});

test("an unknown model is not found, and the message lists what there is", async () => {
  const looked = await client.get<PlainError>("/v1/models/nonsense");
  assert.deepEqual([looked.status, looked.body.error.code], [404, "model_not_found"]);
  assert.match(looked.body.error.message, /gen4\.5/);
  const creates: [string, object, RegExp][] = [
    ["/custom_video/model/nonsense", { prompt: "x" }, /gen4\.5/],
    ["/custom_video/model/chirp-v4", { prompt: "x" }, /gen4_turbo/],
    ["/musicA/submit/music", { prompt: "x", mv: "nonsense" }, /chirp-\*/],
    ["/musicB/submit/music", { gen_params: { prompt: "x" } }, /chirp-\*/],
  ];
  for (const [path, body, says] of creates) {
    const reply = await client.post<EnvelopeError>(path, body);
    assert.deepEqual([reply.status, reply.body.code], [404, "model_not_found"], reply.text);
    assert.match(reply.body.message, says);
    assert.equal((await client.post("/v1/quote", { path, body })).status, 404);
  }
});

test("what a model cannot do is refused before anything is held", async () => {
  const cases: [string, object, string][] = [
    ["gen4_turbo", { prompt: "x", duration: 5 }, "image"],
    ["gen4.5", { prompt: "x", duration: 11 }, "duration"],
    ["gen4.5", { prompt: "x", duration: 1 }, "duration"],
    ["gen4.5", { prompt: "x", aspect_ratio: "5:4" }, "aspect_ratio"],
    ["gen4.5", { prompt: "x".repeat(1001) }, "prompt"],
  ];
  for (const [model, body, param] of cases) {
    const reply = await client.post<EnvelopeError>(`/custom_video/model/${model}`, body);
    assert.deepEqual([reply.status, reply.body.code, reply.body.error.param], [400, "not_supported", param], reply.text);
  }
  assert.equal((await client.get<{ held_usd: number }>("/v1/balance")).body.held_usd, 0);
});

test("a key limited to some models sees and uses only those", async () => {
  const { body } = await gateway.admin("POST", "/admin/v1/keys", { account, name: "limited", models: ["gen4.5", "chirp-v4", "gone"] });
  const limited = client.as(String(body["key"]));
  const list = (await limited.get<Models>("/v1/models")).body;
  checkModels(list);
  assert.deepEqual(list.data.map(({ id }) => id).toSorted(), ["chirp-v4", "gen4.5"]);
  assert.equal((await limited.get("/v1/models/gen4_turbo")).status, 404);
  const refused = await limited.post<EnvelopeError>("/musicA/submit/music", { prompt: "x", mv: "chirp-v3-5" });
  assert.deepEqual([refused.status, refused.body.code], [403, "not_allowed"]);
  const accepted = await limited.post("/musicA/submit/music", { prompt: "x", mv: "chirp-v4" });
  assert.equal(accepted.status, 200, accepted.text);
});

test("in local mode any name is a model", async () => {
  checkModels((await anonymous.get<Models>("/v1/models")).body);
  const { status, body } = await anonymous.get<Model>(`/v1/models/${encodeURIComponent("what you like")}`);
  assert.deepEqual([status, body.id], [200, "what you like"]);
  for (const kind of ["video", "music", "lyrics"]) assert.ok(body.kinds.includes(kind), kind);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await anonymous.book.check();
});
