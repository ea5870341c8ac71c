import assert from "node:assert/strict";
import { after, test } from "node:test";
import { plainWords } from "../../lab/calls/words.ts";
import { startStubUpstream } from "../sdk/stub-upstream.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { eventually } from "../support/eventually.ts";
import type { PlainError } from "../support/wire.ts";

const stub = await startStubUpstream();
const priced = "price: { input_per_million: 0.15, output_per_million: 0.60 }";
const { client, lab, gateway, end } = await startCallGateway({
  providers: [stub.provider],
  models: [`"stub-chat": { kinds: [chat], routes: [{ provider: stub, model: upstream-name }], ${priced} }`],
});
after(async () => {
  await end();
  await stub.end();
});

const path = "/v1/chat/completions";
const said = plainWords.slice(0, 12).join("");
type Choice = { index: number; message: { role: string; content: string | null; refusal: null }; logprobs: unknown; finish_reason: string };
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost: number };
type Chat = { id: string; object: string; created: number; model: string; choices: Choice[]; usage: Usage };
type Chunk = Omit<Chat, "choices" | "usage"> & {
  choices: { index: number; delta: { role?: string; content?: string }; finish_reason: string | null }[];
  usage?: Usage | null;
};

function ask(content: unknown, more: object = {}) {
  return client.post<Chat>(path, { model: "lab-chat", messages: [{ role: "user", content }], ...more });
}

function chunksOf(text: string): Chunk[] {
  const data = text
    .trimEnd()
    .split("\n\n")
    .map((event) => event.replace(/^data: /, ""));
  assert.equal(data.pop(), "[DONE]");
  return data.map((one) => JSON.parse(one) as Chunk);
}

async function spent(act: () => Promise<unknown>): Promise<number> {
  const available = async () => (await client.get<{ available_usd: number }>("/v1/balance")).body.available_usd;
  const before = await available();
  await act();
  return Math.round((before - (await available())) * 1e9);
}

test("an answer is the whole chat object, with its cost in body and header", async () => {
  const { status, body, headers } = await ask("hi", { temperature: 0, max_tokens: 20 });
  assert.equal(status, 200);
  assert.match(body.id, /^chatcmpl-/);
  assert.deepEqual([body.object, body.model], ["chat.completion", "lab-chat"]);
  assert.ok(Number.isInteger(body.created));
  const [choice] = body.choices;
  assert.deepEqual([choice?.index, choice?.message.role, choice?.message.content, choice?.finish_reason], [0, "assistant", said, "stop"]);
  const { prompt_tokens: prompt, completion_tokens: made, total_tokens: all, cost } = body.usage;
  assert.deepEqual([prompt, made, all, cost], [8, 12, 20, 0.0000084]);
  assert.deepEqual(
    ["x-genway-provider", "x-genway-attempts", "x-genway-cost"].map((name) => headers.get(name)),
    ["openai", "1", "0.0000084"],
  );
});

test("a stream has the role, the words, the reason and [DONE], and its use only where asked for", async () => {
  const { headers, text } = await ask("hi", { stream: true });
  assert.equal(headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.deepEqual([headers.get("x-genway-provider"), headers.get("x-genway-attempts")], ["openai", "1"]);
  const chunks = chunksOf(text);
  assert.equal(chunks[0]?.choices[0]?.delta.role, "assistant");
  assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), said);
  assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, "stop");
  assert.ok(chunks.every(({ choices, usage, object }) => choices.length === 1 && !usage && object === "chat.completion.chunk"));
  const told = chunksOf((await ask("hi", { stream: true, stream_options: { include_usage: true } })).text);
  const last = told.pop();
  assert.deepEqual(last?.choices, []);
  assert.deepEqual(
    [last?.usage?.prompt_tokens, last?.usage?.completion_tokens, last?.usage?.total_tokens, last?.usage?.cost],
    [8, 12, 20, 0.0000084],
  );
  assert.ok(told.every(({ usage }) => !usage));
});

test("it is the client's wish that decides, also where an upstream tells its use with the last words", async () => {
  const quiet = chunksOf((await ask("[lab:late-usage]", { stream: true })).text);
  const told = chunksOf((await ask("[lab:late-usage]", { stream: true, stream_options: { include_usage: true } })).text);
  assert.ok(
    quiet.every(({ usage }) => !usage),
    "nobody asked",
  );
  assert.deepEqual([told.at(-1)?.choices, told.at(-1)?.usage?.completion_tokens, (told.at(-1)?.usage?.cost ?? 0) > 0], [[], 12, true]);
});

test("a stream without asking for its use costs the same", async () => {
  assert.deepEqual([await spent(() => ask("hi", { stream: true })), await spent(() => ask("hi"))], [8400, 8400]);
});

test("an upstream that never tells the use is counted", async () => {
  for (const stream of [false, true]) {
    const prompt = `hi [lab:no-usage] ${stream}`;
    const nanos = await spent(() => ask(prompt, { stream }));
    const call = lab.calls().findLast((one) => one.prompt === prompt);
    assert.equal(nanos, (call?.promptTokens ?? 0) * 150 + 12 * 600);
  }
  const { body } = await ask("hi [lab:no-usage]");
  assert.equal(body.usage.completion_tokens, 12, "and told");
});

test("a client that leaves pays for what was delivered, not for the rest", async () => {
  const prompt = "leave [lab:tokens=3000][lab:pace=4]";
  const { key } = await gateway.customer(1);
  const controller = new AbortController();
  const reply = await fetch(client.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "lab-chat", stream: true, max_tokens: 3000, messages: [{ role: "user", content: prompt }] }),
    signal: controller.signal,
  });
  const reader = reply.body?.getReader();
  for (let read = 0; read < 5; read++) await reader?.read();
  controller.abort();
  const nanos = await eventually(
    async () => Math.round((await client.as(key).get<{ used_usd: number }>("/v1/balance")).body.used_usd * 1e9) || null,
    { everyMs: 20, what: "the charge" },
  );
  const call = await eventually(() => lab.calls().findLast((one) => one.prompt === prompt && one.ended !== "open"));
  assert.equal(call.ended, "left");
  const words = (nanos - call.promptTokens * 150) / 600;
  assert.ok(words >= 1 && words <= call.completionTokens + 1, `${words} of ${call.completionTokens} words were paid`);
});

test("what the client sends arrives as it was sent, and only what is its business comes back", async () => {
  stub.answer({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "upstream-name",
    choices: [{ index: 0, message: { role: "assistant", content: '{"a":1}' }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    account: "kept",
  });
  const body = {
    model: "stub-chat",
    messages: [
      { role: "developer", content: "é\u2028 \ud83d\ude00" },
      { role: "user", content: [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }] },
    ],
    response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" }, strict: true } },
    top_k: 4,
    reasoning_effort: "low",
    metadata: { model: "not this one" },
  };
  const { status, body: reply, headers } = await client.post<Chat>(path, body);
  assert.equal(status, 200);
  assert.deepEqual([reply.model, reply.choices[0]?.message.content, reply.usage.cost], ["stub-chat", '{"a":1}', 0.00000165]);
  assert.equal(headers.get("x-secret"), null);
  const sent = stub.requests.at(-1);
  assert.deepEqual(JSON.parse(sent?.text ?? ""), { ...body, model: "upstream-name" });
  assert.equal(sent?.headers.authorization, "Bearer stub-key");
  assert.doesNotMatch(JSON.stringify(sent?.headers), new RegExp(client.key ?? "?"));
});

test("the model's other name stays hidden in a stream too, wherever the bytes are cut", async () => {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "upstream-name", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  stub.answer(`${chunk({ role: "assistant", content: "upstream-name" }, null)}${chunk({ content: " is said" }, "stop")}data: [DONE]\n\n`);
  const { text } = await client.post(path, { model: "stub-chat", messages: [{ role: "user", content: "x" }], stream: true });
  const chunks = chunksOf(text);
  assert.ok(
    chunks.every(({ model }) => model === "stub-chat"),
    text,
  );
  assert.equal(
    chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""),
    "upstream-name is said",
    "what is said is not changed",
  );
});

test("a small balance limits the answer to what it affords, and too small a one is 402", async () => {
  // The prompt counts by its bytes until its use is told.
  const poor = await gateway.customer(0.00006);
  const limited = await client
    .as(poor.key)
    .post<Chat>(path, { model: "lab-chat", messages: [{ role: "user", content: "[lab:tokens=2000]" }], max_tokens: 2000 });
  assert.equal(limited.status, 200, limited.text);
  assert.equal(limited.body.choices[0]?.finish_reason, "length");
  assert.ok(limited.body.usage.completion_tokens < 100);
  const balance = await client.as(poor.key).get<{ available_usd: number }>("/v1/balance");
  assert.ok(balance.body.available_usd >= 0);
  const broke = await gateway.customer(0.000001);
  const refused = await client.as(broke.key).post<PlainError>(path, { model: "lab-chat", messages: [{ role: "user", content: "x" }] });
  assert.deepEqual([refused.status, refused.body.error.code], [402, "insufficient_balance"]);
});

test("a wrong field is named, with what is allowed", async () => {
  const good = { model: "lab-chat", messages: [{ role: "user", content: "x" }] };
  const cases: [string, object][] = [
    ["messages", { model: "lab-chat" }],
    ["messages", { ...good, messages: [] }],
    ["messages", { ...good, messages: "hello" }],
    ["messages", { ...good, messages: ["hello"] }],
    ["messages", { ...good, messages: [{ content: "no role" }] }],
    ["messages", { ...good, messages: null }],
    ["model", { messages: good.messages }],
    ["n", { ...good, n: 0 }],
    ["max_tokens", { ...good, max_tokens: "12" }],
    ["max_completion_tokens", { ...good, max_completion_tokens: -5 }],
    ["temperature", { ...good, temperature: -0.1 }],
    ["top_logprobs", { ...good, logprobs: true, top_logprobs: 21 }],
    ["logprobs", { ...good, logprobs: 3 }],
    ["tools", { ...good, tools: {} }],
    ["tools", { ...good, tools: [{ function: { name: "x" } }] }],
    ["stop", { ...good, stop: [5] }],
    ["stream", { ...good, stream: 1 }],
    ["stream_options", { ...good, stream: true, stream_options: { include_usage: "yes" } }],
  ];
  const calls = lab.calls().length;
  for (const [param, body] of cases) {
    const { status, body: reply, text } = await client.post<PlainError>(path, body);
    assert.equal(status, 400, `${JSON.stringify(body)} → ${text}`);
    assert.equal(reply.error.param?.split(/[./[]/)[0], param, `${JSON.stringify(body)} → ${text}`);
  }
  assert.equal(lab.calls().length, calls);
});

test("an unknown model lists those that chat", async () => {
  for (const model of ["nonsense", "lab-image"]) {
    const { status, body } = await client.post<PlainError>(path, { model, messages: [{ role: "user", content: "x" }] });
    assert.deepEqual([status, body.error.code, body.error.param], [404, "model_not_found", "model"]);
    assert.match(body.error.message, /lab-chat.*claude-lab/);
  }
});

test("faults of an upstream come out in our own words", async () => {
  const cases: [string, string, number, string][] = [
    ["azure-lab", "[lab:401]", 503, "upstream_unavailable"],
    ["azure-lab", "[lab:refuse=quota]", 503, "upstream_unavailable"],
    ["gemini-lab", "[lab:html]", 502, "upstream_error"],
    ["claude-lab", "[lab:truncated]", 502, "upstream_error"],
    ["ollama-lab", "[lab:reset]", 502, "upstream_error"],
    ["lab-chat", "[lab:429=9]", 429, "rate_limited"],
    ["lab-chat", "[lab:refuse=context]", 400, "invalid_request"],
  ];
  for (const [model, prompt, status, code] of cases) {
    const reply = await ask(prompt, { model });
    const { error } = reply.body as unknown as PlainError;
    assert.deepEqual([reply.status, error.code], [status, code], `${model} ${prompt} ${reply.text}`);
    assert.doesNotMatch(reply.text, /lab-key|127\.0\.0\.1|openai|anthropic|gemini|told to refuse \(key lab/i);
    if (status === 429) assert.equal(reply.headers.get("retry-after"), "9");
  }
});

test("what calls cost is told beside the ledger until it stands there", async () => {
  const ledger = async () => (await client.get<{ data: { balance_usd: number }[]; unposted_usd: number }>("/v1/ledger")).body;
  const available = async () => (await client.get<{ available_usd: number }>("/v1/balance")).body.available_usd;
  const earlier = (await ledger()).unposted_usd;
  const cost = (await ask("hi")).body.usage.cost;
  const { data, unposted_usd: unposted } = await ledger();
  assert.ok(cost > 0 && Math.abs(unposted - earlier - cost) < 1e-9, `${unposted} after ${earlier} and ${cost}`);
  assert.ok(Math.abs((data[0]?.balance_usd ?? 0) - unposted - (await available())) < 1e-9);
});

test("every reply of this journey keeps the contract", () => client.book.check());
