import assert from "node:assert/strict";
import { after, test } from "node:test";
import { plainWords } from "../../lab/calls/words.ts";
import { startStubUpstream } from "../sdk/stub-upstream.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import type { PlainError } from "../support/wire.ts";

const stub = await startStubUpstream();
const priced = "price: { input_per_million: 0.15, output_per_million: 0.60 }";
const { client, lab, end } = await startCallGateway({
  providers: [stub.provider],
  models: [
    `"stub-text": { kinds: [completion], routes: [{ provider: stub, model: upstream-name }], ${priced} }`,
    `"two-ways": { kinds: [completion], routes: [{ provider: azure, model: azure-lab, priority: 0 }, { provider: openai, model: lab-chat, priority: 1 }], ${priced} }`,
  ],
});
after(async () => {
  await end();
  await stub.end();
});

const path = "/v1/completions";
type Choice = { text: string; index: number; logprobs: unknown; finish_reason: string };
type Completion = {
  id: string;
  object: string;
  created: number;
  model: string;
  system_fingerprint: string;
  choices: Choice[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost: number };
};

function checkCompletion(body: Completion, model: string): void {
  assert.deepEqual(Object.keys(body).toSorted(), ["choices", "created", "id", "model", "object", "system_fingerprint", "usage"]);
  assert.ok(typeof body.id === "string" && body.id !== "");
  assert.deepEqual([body.object, body.model], ["text_completion", model]);
  assert.ok(Number.isInteger(body.created) && Math.abs(body.created - Date.now() / 1000) < 60);
  assert.ok(typeof body.system_fingerprint === "string" && body.system_fingerprint !== "");
  for (const [index, choice] of body.choices.entries()) {
    assert.deepEqual(Object.keys(choice).toSorted(), ["finish_reason", "index", "logprobs", "text"]);
    assert.ok(typeof choice.text === "string" && choice.index === index && ["stop", "length"].includes(choice.finish_reason));
  }
  const { prompt_tokens: prompt, completion_tokens: said, total_tokens: all, cost } = body.usage;
  assert.ok([prompt, said, all].every(Number.isInteger) && all === prompt + said && cost > 0);
}

/** The data of every event of a stream. */
function dataOf(text: string): string[] {
  assert.ok(text.endsWith("\n\n"));
  return text
    .trimEnd()
    .split("\n\n")
    .map((event) => event.replace(/^data: /, ""));
}

test("the reply to the four fields of the contract is the whole completion object", async () => {
  const { status, headers, body } = await client.post<Completion>(path, {
    model: "lab-chat",
    prompt: "Say this is a test",
    max_tokens: 7,
    temperature: 0,
  });
  assert.equal(status, 200);
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  checkCompletion(body, "lab-chat");
  assert.deepEqual(body.choices, [{ text: plainWords.slice(0, 7).join(""), index: 0, logprobs: null, finish_reason: "length" }]);
  assert.deepEqual([body.usage.prompt_tokens, body.usage.completion_tokens, body.usage.total_tokens], [5, 7, 12]);
});

test("headers tell who answered, in how many tries, and what it cost", async () => {
  const before = (await client.get<{ available_usd: number }>("/v1/balance")).body.available_usd;
  const { headers, body } = await client.post<Completion>(path, { model: "lab-chat", prompt: "Say this is a test", max_tokens: 7 });
  assert.deepEqual([headers.get("x-genway-provider"), headers.get("x-genway-attempts")], ["openai", "1"]);
  // Five tokens in and seven out at the prices of the model.
  assert.equal(headers.get("x-genway-cost"), "0.00000495");
  assert.equal(body.usage.cost, 0.00000495);
  const { available_usd: left } = (await client.get<{ available_usd: number }>("/v1/balance")).body;
  assert.equal(Math.round((before - left) * 1e9), 4950, "the balance is smaller by exactly that");
});

test("without max_tokens it is sixteen, as this dialect has it, so that no more is delivered than was set aside", async () => {
  const { body } = await client.post<Completion>(path, { model: "lab-chat", prompt: "[lab:tokens=40] go on" });
  checkCompletion(body, "lab-chat");
  assert.deepEqual([body.usage.completion_tokens, body.choices[0]?.finish_reason], [16, "length"]);
});

test("prompts may be one text, several, tokens or several lists of tokens", async () => {
  const cases: [unknown, number, number][] = [
    ["one", 1, 1],
    ["", 1, 0],
    [["one", "two", "three"], 3, 3],
    [[1, 2, 3], 1, 3],
    [[[1, 2], [3]], 2, 3],
  ];
  for (const [prompt, choices, tokens] of cases) {
    const { status, body, text } = await client.post<Completion>(path, { model: "lab-chat", prompt, max_tokens: 2 });
    assert.equal(status, 200, text);
    checkCompletion(body, "lab-chat");
    assert.deepEqual([body.choices.length, body.usage.prompt_tokens], [choices, tokens], JSON.stringify(prompt));
  }
});

test("a stream is one object a piece, its use only where asked for, and [DONE] last", async () => {
  const asked = { model: "lab-chat", prompt: "hello", max_tokens: 5, stream: true };
  for (const options of [{}, { stream_options: null }, { stream_options: {} }, { stream_options: { include_usage: false } }]) {
    const { status, headers, text } = await client.post(path, { ...asked, ...options });
    assert.deepEqual([status, headers.get("content-type")], [200, "text/event-stream; charset=utf-8"]);
    const data = dataOf(text);
    assert.equal(data.pop(), "[DONE]");
    const chunks = data.map((one) => JSON.parse(one) as Completion);
    assert.equal(chunks.map(({ choices }) => choices[0]?.text).join(""), plainWords.slice(0, 5).join(""));
    for (const chunk of chunks) {
      assert.deepEqual([chunk.object, chunk.model, chunk.choices.length, chunk.id], ["text_completion", "lab-chat", 1, chunks[0]?.id]);
      assert.ok(!chunk.usage, "nobody asked for the use");
    }
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, "length");
  }
  const told = dataOf((await client.post(path, { ...asked, stream_options: { include_usage: true } })).text);
  assert.equal(told.pop(), "[DONE]");
  const last = JSON.parse(told.at(-1) ?? "") as Completion;
  assert.deepEqual(last.choices, []);
  assert.deepEqual(
    [last.usage.prompt_tokens, last.usage.completion_tokens, last.usage.total_tokens, last.usage.cost],
    [1, 5, 6, 0.00000315],
  );
  assert.equal(told.filter((one) => Boolean((JSON.parse(one) as Completion).usage)).length, 1);
});

test("a stream costs what it delivered, whether the upstream tells or not", async () => {
  const spent = async (prompt: string) => {
    const before = (await client.get<{ available_usd: number }>("/v1/balance")).body.available_usd;
    await client.post(path, { model: "lab-chat", prompt, max_tokens: 10, stream: true });
    return Math.round((before - (await client.get<{ available_usd: number }>("/v1/balance")).body.available_usd) * 1e9);
  };
  const told = await spent("the use is told [lab:late-usage]");
  const counted = await spent("the use is hid [lab:no-usage]");
  const prompts = lab
    .calls()
    .filter(({ prompt }) => prompt.startsWith("the use is"))
    .map(({ promptTokens }) => promptTokens);
  assert.deepEqual(
    [told, counted],
    prompts.map((tokens) => tokens * 150 + 10 * 600),
  );
});

test("what an upstream leaves out is filled in, and its name of the model stays hidden", async () => {
  stub.answer({
    id: "x",
    object: "text_completion",
    created: 1_794_700_000,
    model: "upstream-name",
    choices: [{ text: " river", index: 0, logprobs: null, finish_reason: "stop" }],
  });
  const { body, headers } = await client.post<Completion>(path, { model: "stub-text", prompt: "hello", max_tokens: 4, top_k: 5 });
  assert.equal(body.model, "stub-text");
  assert.equal(typeof body.system_fingerprint, "string");
  assert.deepEqual([body.usage.prompt_tokens, body.usage.completion_tokens, body.usage.total_tokens], [1, 1, 2]);
  assert.ok(body.usage.cost > 0);
  assert.equal(headers.get("x-secret"), null, "its headers do not pass");
  const sent = stub.requests.at(-1);
  assert.deepEqual([sent?.path, sent?.headers.authorization], ["/v1/completions", "Bearer stub-key"]);
  assert.deepEqual(JSON.parse(sent?.text ?? ""), { model: "upstream-name", prompt: "hello", max_tokens: 4, top_k: 5 });
});

test("the next route answers when the first cannot, and the headers say so", async () => {
  const { status, headers, body } = await client.post<Completion>(path, {
    model: "two-ways",
    prompt: "over there [lab:500][lab:only=azure]",
    max_tokens: 3,
  });
  assert.deepEqual(
    [status, headers.get("x-genway-provider"), headers.get("x-genway-attempts"), body.model],
    [200, "openai", "2", "two-ways"],
  );
});

test("a wrong field is named, with what is allowed", async () => {
  const good = { model: "lab-chat", prompt: "hello" };
  const cases: [string, object][] = [
    ["model", { prompt: "hello" }],
    ["model", { ...good, model: 5 }],
    ["model", { ...good, model: "" }],
    ["prompt", { model: "lab-chat" }],
    ["prompt", { ...good, prompt: null }],
    ["prompt", { ...good, prompt: 7 }],
    ["prompt", { ...good, prompt: [] }],
    ["prompt", { ...good, prompt: { text: "x" } }],
    ["max_tokens", { ...good, max_tokens: -1 }],
    ["max_tokens", { ...good, max_tokens: 1.5 }],
    ["max_tokens", { ...good, max_tokens: "7" }],
    ["temperature", { ...good, temperature: 2.1 }],
    ["temperature", { ...good, temperature: "hot" }],
    ["top_p", { ...good, top_p: 1.1 }],
    ["n", { ...good, n: 0 }],
    ["n", { ...good, n: 129 }],
    ["n", { ...good, n: 1.5 }],
    ["best_of", { ...good, best_of: 0 }],
    ["echo", { ...good, echo: "yes" }],
    ["logprobs", { ...good, logprobs: 6 }],
    ["logprobs", { ...good, logprobs: -1 }],
    ["stop", { ...good, stop: 5 }],
    ["frequency_penalty", { ...good, frequency_penalty: 3 }],
    ["presence_penalty", { ...good, presence_penalty: -3 }],
    ["stream", { ...good, stream: "true" }],
    ["stream_options", { ...good, stream: true, stream_options: 5 }],
    ["seed", { ...good, seed: 0.5 }],
    ["logit_bias", { ...good, logit_bias: { 50256: 101 } }],
  ];
  const calls = lab.calls().length;
  for (const [param, body] of cases) {
    const { status, body: reply, text } = await client.post<PlainError>(path, body);
    assert.equal(status, 400, `${JSON.stringify(body)} → ${text}`);
    assert.equal(reply.error.code, "invalid_request");
    assert.equal(reply.error.param?.split(/[./[]/)[0], param, `${JSON.stringify(body)} → ${text}`);
    assert.ok(reply.error.message.includes(`'${param}`), text);
  }
  assert.equal(lab.calls().length, calls, "nothing reached an upstream");
});

test("what may be left out may also be null", async () => {
  const names = ["max_tokens", "temperature", "top_p", "n", "best_of", "echo", "logprobs", "stop", "suffix", "seed"];
  const more = ["frequency_penalty", "presence_penalty", "logit_bias", "stream", "stream_options", "user"];
  const nothing = Object.fromEntries([...names, ...more].map((name) => [name, null]));
  const { status, body, text } = await client.post<Completion>(path, { model: "lab-chat", prompt: "hello", ...nothing });
  assert.equal(status, 200, text);
  checkCompletion(body, "lab-chat");
});

test("an unknown model lists those that complete text, and a model of another kind is none", async () => {
  for (const model of ["nonsense", "lab-embed", "claude-lab-2"]) {
    const { status, body } = await client.post<PlainError>(path, { model, prompt: "x" });
    assert.deepEqual([status, body.error.code, body.error.param], [404, "model_not_found", "model"]);
    assert.match(body.error.message, /lab-chat.*azure-lab/);
    assert.doesNotMatch(body.error.message, /lab-embed,|lab-image/);
  }
});

test("a body that is no JSON object, or too large, is refused", async () => {
  for (const [raw, status, code] of [
    ["{", 400, "invalid_request"],
    ["[]", 400, "invalid_request"],
    ["null", 400, "invalid_request"],
    ['"x"', 400, "invalid_request"],
    [JSON.stringify({ model: "lab-chat", prompt: "x".repeat(8 * 1024 * 1024) }), 413, "too_large"],
  ] as const) {
    const reply = await client.post<PlainError>(path, undefined, { raw, headers: { "content-type": "application/json" } });
    assert.deepEqual([reply.status, reply.body.error.code], [status, code], raw.slice(0, 20));
  }
  const form = await client.post<PlainError>(path, undefined, {
    raw: "model=lab-chat",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  assert.deepEqual([form.status, form.body.error.code], [415, "unsupported_media_type"]);
});

test("every reply of this journey keeps the contract", () => client.book.check());
