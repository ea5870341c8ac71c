import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { plainWords } from "../../lab/calls/words.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { png } from "../support/samples.ts";

const { lab, gateway, client: plain, key, end } = await startCallGateway();
after(end);

function clientFor(apiKey: string, maxRetries = 0): Anthropic {
  return new Anthropic({ baseURL: gateway.url, apiKey, maxRetries });
}

const client = clientFor(plain.key ?? "");
const said = plainWords.slice(0, 12).join("");
const tools: Anthropic.Tool[] = [
  { name: "weather", input_schema: { type: "object", properties: { place: { type: "string" }, days: { type: "integer" } } } },
];
const input = { place: "river stone", days: 7 };

function textIn({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** One model whose upstream speaks this dialect, and others whose upstreams do not. */
function messages(model: string): void {
  const asked = (content: Anthropic.MessageParam["content"]) => ({
    model,
    max_tokens: 50,
    messages: [{ role: "user" as const, content }],
  });

  test("a message has text, a reason to end, and its use with its cost", async () => {
    const message = await client.messages.create({ ...asked("hello"), system: "Be brief." });
    assert.deepEqual([message.type, message.role, message.model], ["message", "assistant", model]);
    assert.match(message.id, /^msg_/);
    assert.deepEqual([textIn(message), message.stop_reason, message.stop_sequence], [said, "end_turn", null]);
    assert.equal(message.usage.output_tokens, 12);
    assert.ok(message.usage.input_tokens >= 8);
    assert.ok(Number(Reflect.get(message.usage, "cost")) > 0);
  });

  test("a stream tells its text as it comes, and the same message at the end", async () => {
    const deltas: string[] = [];
    const events: string[] = [];
    const stream = client.messages
      .stream(asked("hello"))
      .on("text", (delta) => deltas.push(delta))
      .on("streamEvent", ({ type }) => events.push(type));
    const message = await stream.finalMessage();
    assert.deepEqual([textIn(message), message.stop_reason, message.model], [said, "end_turn", model]);
    assert.equal(deltas.join(""), said);
    assert.equal(deltas.length, 12);
    assert.deepEqual(
      [events[0], events[1], events.at(-2), events.at(-1)],
      ["message_start", "content_block_start", "message_delta", "message_stop"],
    );
    const whole = await client.messages.create(asked("hello"));
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [whole.usage.input_tokens, whole.usage.output_tokens]);
  });

  test("a limit and a stop sequence end it with their reasons", async () => {
    const limited = await client.messages.create({ ...asked("hello"), max_tokens: 3 });
    assert.deepEqual([textIn(limited), limited.stop_reason], [plainWords.slice(0, 3).join(""), "max_tokens"]);
    const stopped = await client.messages.create({ ...asked("hello"), stop_sequences: ["garden"] });
    assert.equal(textIn(stopped), plainWords.slice(0, 4).join(""));
    // Only upstreams that speak this dialect tell which sequence it was.
    const reasons = model === "claude-lab" ? ["stop_sequence"] : ["stop_sequence", "end_turn"];
    assert.ok(reasons.includes(stopped.stop_reason ?? ""), String(stopped.stop_reason));
  });

  test("a tool is called, whole and as a stream, and its result is answered", async () => {
    const question = { ...asked("[lab:tool=weather]"), tools };
    for (const message of [await client.messages.create(question), await client.messages.stream(question).finalMessage()]) {
      const use = message.content.find(({ type }) => type === "tool_use");
      assert.ok(use?.type === "tool_use");
      assert.deepEqual([use.name, use.input, message.stop_reason], ["weather", input, "tool_use"]);
      const answer = await client.messages.create({
        ...question,
        messages: [
          ...question.messages,
          { role: "assistant", content: message.content },
          { role: "user", content: [{ type: "tool_result", tool_use_id: use.id, content: "sunny" }] },
        ],
      });
      assert.deepEqual([textIn(answer), answer.stop_reason], [said, "end_turn"]);
    }
  });

  test("a picture in the question is seen", async () => {
    const data = png(8, 8).toString("base64");
    const message = await client.messages.create({
      ...asked([
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
        { type: "text", text: "what is this?" },
      ]),
      max_tokens: 2,
    });
    assert.equal(textIn(message), ` image${plainWords[0]}`);
  });

  test("a stream that breaks off is an error after what came", async () => {
    let text = "";
    const stream = client.messages.stream(asked(`[lab:cut=4] ${model}`)).on("text", (delta) => (text += delta));
    await assert.rejects(stream.finalMessage(), (error) => {
      assert.ok(error instanceof Anthropic.APIError, String(error));
      assert.doesNotMatch(error.message, /lab-key|told to/);
      return true;
    });
    assert.equal(text, plainWords.slice(0, 4).join(""));
  });

  test("a client that leaves a stream stops the upstream", async () => {
    const prompt = `leave me [lab:tokens=5000][lab:pace=5] ${model}`;
    const stream = client.messages.stream({ ...asked(prompt), max_tokens: 5_000 }).on("error", () => undefined);
    let pieces = 0;
    stream.on("text", () => ++pieces === 5 && stream.abort());
    await assert.rejects(stream.done(), Anthropic.APIUserAbortError);
    const call = () => lab.calls().find((one) => one.prompt === prompt);
    await eventually(() => call()?.ended === "left", { everyMs: 10 });
    assert.ok((call()?.completionTokens ?? 0) < 500);
  });
}

for (const model of ["claude-lab", "lab-chat", "gemini-lab", "ollama-lab"]) suite(`Anthropic's client on ${model}`, () => messages(model));

const hello = { model: "claude-lab", max_tokens: 20, messages: [{ role: "user" as const, content: "hello" }] };

function typed(error: unknown): string {
  assert.ok(error instanceof Anthropic.APIError, String(error));
  const body = error.error as { type: string; error: { type: string; message: string } };
  assert.equal(body.type, "error");
  assert.ok(body.error.message.length > 3);
  return body.error.type;
}

test("errors have this dialect's shape and classes", async () => {
  await assert.rejects(clientFor("gw_wrong").messages.create(hello), (error) => {
    assert.ok(error instanceof Anthropic.AuthenticationError);
    return typed(error) === "authentication_error";
  });
  await assert.rejects(client.messages.create({ ...hello, model: "nonsense" }), (error) => {
    assert.ok(error instanceof Anthropic.NotFoundError);
    assert.match(error.message, /claude-lab/);
    return typed(error) === "not_found_error";
  });
  await assert.rejects(client.messages.create({ ...hello, messages: [] }), (error) => {
    assert.ok(error instanceof Anthropic.BadRequestError);
    return typed(error) === "invalid_request_error";
  });
  await assert.rejects(clientFor(await key({ scopes: ["images"] })).messages.create(hello), (error) => {
    assert.ok(error instanceof Anthropic.PermissionDeniedError);
    return typed(error) === "permission_error";
  });
  const { key: poor } = await gateway.customer(0);
  await assert.rejects(clientFor(poor).messages.create(hello), (error) => {
    assert.ok(error instanceof Anthropic.APIError && error.status === 402);
    return typed(error) === "billing_error";
  });
});

test("too many requests are a RateLimitError that says when to come back", async () => {
  const limited = clientFor(await key({ requests_per_minute: 1 }));
  await limited.messages.create(hello);
  await assert.rejects(limited.messages.create(hello), (error) => {
    assert.ok(error instanceof Anthropic.RateLimitError);
    assert.match(error.headers.get("retry-after") ?? "", /^\d+$/);
    return typed(error) === "rate_limit_error";
  });
});

test("what an upstream refuses keeps its class, but not its words", async () => {
  const refused = (mark: string) => client.messages.create({ ...hello, messages: [{ role: "user", content: mark }] });
  await assert.rejects(refused("[lab:refuse=content_policy]"), (error) => {
    assert.ok(error instanceof Anthropic.BadRequestError);
    return typed(error) === "invalid_request_error";
  });
  await assert.rejects(refused("[lab:529]"), (error) => {
    assert.ok(error instanceof Anthropic.InternalServerError);
    assert.doesNotMatch(error.message, /lab-key|told to/);
    return ["overloaded_error", "api_error"].includes(typed(error));
  });
});

test("the client waits and tries again", async () => {
  const prompt = "try again [lab:503=1 x2]";
  const message = await clientFor(plain.key ?? "", 1).messages.create({ ...hello, messages: [{ role: "user", content: prompt }] });
  assert.equal(message.stop_reason, "end_turn");
  assert.deepEqual(
    lab
      .calls()
      .filter((call) => call.prompt === prompt)
      .map(({ status }) => status),
    [503, 503, 200],
  );
});
