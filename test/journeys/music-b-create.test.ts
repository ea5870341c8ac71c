import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { uuid } from "../support/samples.ts";
import type { Balance, Envelope, EnvelopeError, GenerationTask, Quote, TaskRecord } from "../support/wire.ts";

const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, (await gateway.customer(5)).key);
const path = "/musicB/submit/music";

const sample = {
  prompt: "electronic, rap",
  lyrics: "",
  lyrics_type: "generate",
  bypass_prompt_optimization: false,
  seed: -1,
  song_section_start: 0.4,
  prompt_strength: 0.5,
  clarity_strength: 0.25,
  lyrics_strength: 0.5,
  generation_quality: 0.75,
  model_type: "udio32-v1.5",
  config: { mode: "regular" },
};

async function accepted(gen_params: object, at = path): Promise<{ id: string; task: TaskRecord }> {
  const reply = await client.post<Envelope<string>>(at, { gen_params });
  assert.equal(reply.status, 200, `${JSON.stringify(gen_params)} → ${reply.text}`);
  const cancelled = await client.post<TaskRecord>(`/v1/tasks/${reply.body.data}/cancel`);
  assert.ok(cancelled.status === 200 || cancelled.status === 409, cancelled.text);
  return { id: reply.body.data, task: (await client.get<TaskRecord>(`/v1/tasks/${reply.body.data}`)).body };
}

test("the reply to the whole sample is exactly code, message and the id of the task", async () => {
  const { status, body, headers } = await client.post<Envelope<string>>(path, { gen_params: sample });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["code", "message", "data"]);
  assert.deepEqual([body.code, body.message], ["success", ""]);
  assert.match(body.data, uuid);
  assert.equal(headers.get("x-genway-provider"), "local");
  assert.equal(headers.get("x-genway-warning"), null);
  await client.post(`/v1/tasks/${body.data}/cancel`);
});

test("a prompt or lyrics are enough, and the model has a default", async () => {
  assert.equal((await accepted({ prompt: "jazz" })).task.model, "udio32-v1.5");
  assert.equal((await accepted({ lyrics: "[Verse]\nOne 🎷 line" })).task.model, "udio32-v1.5");
  assert.equal((await accepted({ prompt: "jazz", model_type: "udio130-v1.5" }, "/udio/submit/music")).task.model, "udio130-v1.5");
  await accepted({
    prompt: "jazz",
    lyrics: null,
    lyrics_type: "instrumental",
    seed: 0,
    config: null,
    generation_quality: 1,
    prompt_strength: 0,
  });
  await accepted({ prompt: "jazz", lyrics: "x", lyrics_type: "user", seed: 4_294_967_295 });
});

test("each field is checked: its type, its range, its words", async () => {
  const wrong: Record<string, unknown[]> = {
    prompt: [1, true, [], {}, "x".repeat(5001)],
    lyrics: [1, [], {}, "x".repeat(20_001)],
    lyrics_type: ["sung", 1, {}],
    bypass_prompt_optimization: ["yes", 1],
    seed: [1.5, "7", -2, true],
    song_section_start: ["0.4", -0.1, 1.1, []],
    prompt_strength: ["0.5", -0.1, 1.1],
    clarity_strength: [{}, 2],
    lyrics_strength: [true, -1],
    generation_quality: ["high", 1.01],
    model_type: [1, {}],
    config: ["regular", 1, []],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const reply = await client.post<EnvelopeError>(path, { gen_params: { ...sample, [field]: value } });
      assert.equal(reply.status, 400, `${field} = ${JSON.stringify(value).slice(0, 40)}`);
      assert.equal(reply.body.code, "invalid_request");
      assert.ok(reply.body.error.param?.startsWith(`gen_params.${field}`), reply.text);
    }
  }
  const mode = await client.post<EnvelopeError>(path, { gen_params: { prompt: "x", config: { mode: "sideways" } } });
  assert.deepEqual([mode.status, mode.body.error.param], [400, "gen_params.config.mode"]);
});

test("without prompt and lyrics, or without gen_params, there is nothing to do", async () => {
  for (const body of [{}, { gen_params: null }, { gen_params: [] }, { gen_params: "x" }, { prompt: "jazz" }])
    assert.equal((await client.post<EnvelopeError>(path, body)).body.error.param, "gen_params", JSON.stringify(body));
  for (const gen_params of [{}, { prompt: "" }, { prompt: "", lyrics: "" }, { prompt: null }, { seed: 3 }]) {
    const reply = await client.post<EnvelopeError>(path, { gen_params });
    assert.deepEqual([reply.status, reply.body.error.param], [400, "gen_params.prompt"], JSON.stringify(gen_params));
  }
});

test("a song to go on from must be there", async () => {
  const lacking = await client.post<EnvelopeError>(path, { gen_params: { prompt: "x", config: { mode: "continuation" } } });
  assert.deepEqual([lacking.status, lacking.body.error.param], [400, "gen_params.config.source.song_id"]);
  const source = { source_type: "song", song_id: "01234567-89ab-7def-8123-456789abcdef" };
  for (const mode of ["continuation", "precede"]) {
    const reply = await client.post<EnvelopeError>(path, { gen_params: { prompt: "x", config: { mode, source } } });
    assert.deepEqual([reply.status, reply.body.code], [404, "task_not_found"]);
  }
});

test("unknown fields are named wherever they stand", async () => {
  const gen_params = { prompt: "x", tempo: 120, config: { mode: "regular", swing: true } };
  const { headers, body } = await client.post<Envelope<string>>(path, { gen_params, extra: 1 });
  const warning = headers.get("x-genway-warning") ?? "";
  for (const pointer of ["/gen_params/tempo", "/gen_params/config/swing", "/extra"]) assert.ok(warning.includes(pointer), warning);
  await client.post(`/v1/tasks/${body.data}/cancel`);
});

test("a quote is what is held; waiting answers the record of a query", async () => {
  const quote = (await client.post<Quote>("/v1/quote", { path, body: { gen_params: sample } })).body;
  assert.equal(quote.amount_usd, 0.05);
  const reply = await client.post<Envelope<GenerationTask>>(path, { gen_params: sample }, { headers: { prefer: "wait=0" } });
  assert.equal(reply.headers.get("preference-applied"), "wait=0");
  assert.equal(reply.body.data.action, "udio-generate");
  assert.equal((await client.get<Balance>("/v1/balance")).body.held_usd, quote.amount_usd);
  await client.post(`/v1/tasks/${reply.body.data.task_id}/cancel`);
  assert.deepEqual((await client.get<Balance>("/v1/balance")).body, {
    object: "balance",
    currency: "usd",
    available_usd: 5,
    held_usd: 0,
    used_usd: 0,
  });
});

test("every reply of this journey keeps the contract", () => client.book.check());
