import assert from "node:assert/strict";
import { after, test } from "node:test";
import { plainWords } from "../../lab/calls/words.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { createClient } from "../support/client.ts";
import { timeInTheMinute } from "../support/time-in-the-minute.ts";
import type { PlainError } from "../support/wire.ts";

const { client, gateway, lab, key, end } = await startCallGateway();
after(end);
// Its errors have a shape of their own, and so a book of their own.
const anthropic = createClient(client.url, client.key);

const said = plainWords.slice(0, 12).join("");
type Event = { event: string; data: Record<string, unknown> };
type Usage = { input_tokens: number; output_tokens: number; cost: number };
type Message = {
  id: string;
  type: string;
  role: string;
  model: string;
  content: { type: string; text: string }[];
  stop_reason: string;
  usage: Usage;
};
type MessageError = { type: string; error: { type: string; message: string; code: string } };

function eventsOf(text: string): Event[] {
  return text
    .trimEnd()
    .split("\n\n")
    .map((block) => {
      const [, event = "", data = ""] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as Record<string, unknown> };
    });
}

function message(model: string, content: unknown, more: object = {}) {
  return { model, max_tokens: 50, messages: [{ role: "user", content }], ...more };
}

test("a message has Anthropic's form whoever answers, with its cost", async () => {
  for (const [model, provider] of [
    ["claude-lab", "anthropic"],
    ["lab-chat", "openai"],
    ["gemini-lab", "gemini"],
  ] as const) {
    const { status, body, headers, text } = await anthropic.post<Message>("/v1/messages", message(model, "hi"));
    assert.equal(status, 200, text);
    assert.match(body.id, /^msg_/);
    assert.deepEqual([body.type, body.role, body.model, body.stop_reason], ["message", "assistant", model, "end_turn"]);
    assert.deepEqual(body.content, [{ type: "text", text: said }]);
    assert.equal(headers.get("x-genway-provider"), provider);
    assert.equal(Number(headers.get("x-genway-cost")), body.usage.cost);
    assert.equal(Math.round(body.usage.cost * 1e9), body.usage.input_tokens * 150 + body.usage.output_tokens * 600);
  }
});

test("a streamed message is named events in their order, the use in the last but one, and no [DONE]", async () => {
  for (const model of ["claude-lab", "lab-chat"]) {
    const { headers, text } = await anthropic.post("/v1/messages", message(model, "hi", { stream: true }));
    assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.doesNotMatch(text, /\[DONE\]/);
    const events = eventsOf(text);
    assert.ok(events.every(({ event, data }) => event === data["type"]));
    const names = events.map(({ event }) => event).filter((name) => name !== "ping");
    assert.deepEqual(names, [
      "message_start",
      "content_block_start",
      ...Array.from({ length: 12 }, () => "content_block_delta"),
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    const { usage, delta } = (events.at(-2)?.data ?? {}) as { usage: Usage; delta: { stop_reason: string } };
    assert.equal(usage.output_tokens, 12);
    assert.equal(delta.stop_reason, "end_turn");
    assert.equal(usage.cost, 0.0000084);
  }
});

test("the key may come as x-api-key, and the version header is not needed", async () => {
  const { status } = await anthropic.post("/v1/messages", message("claude-lab", "hi"), {
    key: null,
    headers: { "x-api-key": client.key ?? "" },
  });
  assert.equal(status, 200);
});

test("errors of messages have Anthropic's form", async () => {
  const cases: [object, number, string, string][] = [
    [{ model: "claude-lab", messages: [{ role: "user", content: "x" }] }, 400, "invalid_request_error", "max_tokens"],
    [message("claude-lab", "x", { max_tokens: 0 }), 400, "invalid_request_error", "max_tokens"],
    [message("claude-lab", "x", { messages: [] }), 400, "invalid_request_error", "messages"],
    [message("claude-lab", "x", { messages: [{ role: "robot", content: "x" }] }), 400, "invalid_request_error", "role"],
    [message("claude-lab", "x", { temperature: 1.5 }), 400, "invalid_request_error", "temperature"],
    [message("nonsense", "x"), 404, "not_found_error", "claude-lab"],
    [message("lab-embed", "x"), 404, "not_found_error", "claude-lab"],
    [message("claude-lab", "[lab:refuse=context]"), 400, "invalid_request_error", "too long"],
    [message("claude-lab", "[lab:refuse=auth]"), 503, "overloaded_error", "available"],
  ];
  for (const [body, status, type, says] of cases) {
    const reply = await anthropic.post<MessageError>("/v1/messages", body);
    assert.deepEqual(
      [reply.status, reply.body.type, reply.body.error?.type],
      [status, "error", type],
      `${JSON.stringify(body)} → ${reply.text}`,
    );
    assert.ok(reply.body.error.message.includes(says), reply.text);
    assert.doesNotMatch(reply.text, /lab-key/);
    assert.match(reply.headers.get("x-request-id") ?? "", /^[\w-]{8,}$/);
  }
  const unknown = await anthropic.as("gw_wrong").post<MessageError>("/v1/messages", message("claude-lab", "x"));
  assert.deepEqual([unknown.status, unknown.body.error.type], [401, "authentication_error"]);
  const notJson = await anthropic.post<MessageError>("/v1/messages", undefined, {
    raw: "{",
    headers: { "content-type": "application/json" },
  });
  assert.deepEqual([notJson.status, notJson.body.type, notJson.body.error?.type], [400, "error", "invalid_request_error"]);
  const method = await anthropic.get<MessageError>("/v1/messages");
  assert.deepEqual([method.status, method.body.type], [405, "error"]);
  const { key: poor } = await gateway.customer(0);
  const broke = await anthropic.as(poor).post<MessageError>("/v1/messages", message("claude-lab", "x"));
  assert.deepEqual([broke.status, broke.body.error.type], [402, "billing_error"]);
  await timeInTheMinute();
  const limited = anthropic.as(await key({ requests_per_minute: 1 }));
  await limited.post("/v1/messages", message("claude-lab", "x"));
  const late = await limited.post<MessageError>("/v1/messages", message("claude-lab", "x"));
  assert.deepEqual([late.status, late.body.error.type, late.headers.has("retry-after")], [429, "rate_limit_error", true]);
});

test("a message stream that breaks off ends in an error event", async () => {
  for (const model of ["claude-lab", "lab-chat"]) {
    const { text } = await anthropic.post("/v1/messages", message(model, `[lab:cut=3] ${model}`, { stream: true }));
    const last = eventsOf(text).at(-1);
    assert.deepEqual([last?.event, last?.data["type"]], ["error", "error"]);
    assert.doesNotMatch(text, /message_stop/);
  }
});

test("a response has OpenAI's newer form, whole and as events, whoever answers", async () => {
  type Response = {
    object: string;
    status: string;
    model: string;
    output: { type: string; content: { type: string; text: string }[] }[];
    usage: Usage;
  };
  for (const model of ["lab-chat", "claude-lab"]) {
    const { status, body, text: whole } = await client.post<Response>("/v1/responses", { model, input: "hi" });
    assert.equal(status, 200, whole);
    assert.deepEqual([body.object, body.status, body.model, body.output[0]?.type], ["response", "completed", model, "message"]);
    assert.equal(body.output[0]?.content[0]?.text, said);
    assert.equal(Math.round(body.usage.cost * 1e9), body.usage.input_tokens * 150 + body.usage.output_tokens * 600);
    const { text } = await client.post("/v1/responses", { model, input: "hi", stream: true });
    const events = eventsOf(text);
    assert.deepEqual([events[0]?.event, events.at(-1)?.event], ["response.created", "response.completed"]);
    assert.ok(events.every(({ event, data }) => event === data["type"]));
    assert.deepEqual(
      events.map(({ data }) => data["sequence_number"]),
      events.map((_, index) => index),
    );
    const last = events.at(-1)?.data["response"] as Response;
    assert.deepEqual([last.output[0]?.content[0]?.text, last.usage.output_tokens, last.usage.cost], [said, 12, body.usage.cost]);
  }
});

test("a response continues what the client sends, and refuses what would need a memory", async () => {
  const items = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "output_text", text: "hello" }] },
    { role: "user", content: [{ type: "input_text", text: "and now?" }] },
  ];
  const { status, text } = await client.post("/v1/responses", {
    model: "lab-chat",
    input: items,
    instructions: "Be brief.",
    max_output_tokens: 16,
  });
  assert.equal(status, 200, text);
  assert.equal(lab.calls().at(-1)?.prompt, "and now?");
  const remembered = await client.post<PlainError>("/v1/responses", { model: "lab-chat", input: "x", previous_response_id: "resp_1" });
  assert.deepEqual([remembered.status, remembered.body.error.param], [400, "previous_response_id"], remembered.text);
});

test("a moderation judges one text or several", async () => {
  type Moderation = {
    id: string;
    model: string;
    results: { flagged: boolean; categories: Record<string, boolean>; category_scores: Record<string, number> }[];
  };
  const { status, body, headers } = await client.post<Moderation>("/v1/moderations", {
    model: "lab-moderation",
    input: ["a walk", "[lab:flagged]"],
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map(({ flagged }) => flagged),
    [false, true],
  );
  assert.equal(body.results[1]?.categories["violence"], true);
  assert.ok(Number(headers.get("x-genway-cost")) > 0);
  for (const [param, wrong] of [
    ["input", { model: "lab-moderation" }],
    ["input", { model: "lab-moderation", input: [] }],
    ["input", { model: "lab-moderation", input: 5 }],
  ] as const) {
    const reply = await client.post<PlainError>("/v1/moderations", wrong);
    assert.deepEqual([reply.status, reply.body.error.param], [400, param], reply.text);
  }
});

test("a ranking puts the documents that answer first", async () => {
  type Ranking = {
    results: { index: number; relevance_score: number; document?: { text: string } }[];
    usage: { total_tokens: number; cost: number };
  };
  const asked = { model: "lab-rerank", query: "red boat", documents: ["a green hill", "a red boat", { text: "a red house" }] };
  const { status, body, text } = await client.post<Ranking>("/v1/rerank", { ...asked, top_n: 2, return_documents: true });
  assert.equal(status, 200, text);
  assert.deepEqual(
    body.results.map(({ index }) => index),
    [1, 2],
  );
  assert.equal(body.results[0]?.document?.text, "a red boat");
  assert.ok((body.results[0]?.relevance_score ?? 0) > (body.results[1]?.relevance_score ?? 1) && body.usage.cost > 0);
  for (const [param, wrong] of [
    ["query", { ...asked, query: "" }],
    ["documents", { ...asked, documents: [] }],
    ["top_n", { ...asked, top_n: 0 }],
  ] as const) {
    const reply = await client.post<PlainError>("/v1/rerank", wrong);
    assert.deepEqual([reply.status, reply.body.error.param], [400, param], reply.text);
  }
});

test("every reply of this journey keeps the contract", () => client.book.check());
