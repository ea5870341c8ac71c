import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type OpenAI from "openai";
import { plainWords } from "../../lab/calls/words.ts";
import { png } from "../support/samples.ts";
import { openaiFor, startTarget } from "./target.ts";

const target = await startTarget("lab");
after(target.end);
const client = openaiFor(target);
const said = plainWords.slice(0, 12).join("");

const parameters = { type: "object", properties: { place: { type: "string" }, days: { type: "integer" } }, required: ["place"] };
const tools: OpenAI.ChatCompletionFunctionTool[] = [{ type: "function", function: { name: "weather", parameters } }];
const input = { place: "river stone", days: 7 };

function messages(content: string | OpenAI.ChatCompletionContentPart[]): OpenAI.ChatCompletionMessageParam[] {
  return [{ role: "user", content }];
}

/** Whatever an upstream speaks, OpenAI's client must not notice. */
function chats(model: string): void {
  const { completions: api } = client.chat;

  test("an answer comes whole and as a stream", async () => {
    const whole = await api.create({ model, messages: messages("hello") });
    assert.deepEqual([whole.model, whole.choices[0]?.message.content, whole.choices[0]?.finish_reason], [model, said, "stop"]);
    const stream = await api.stream({ model, messages: messages("hello"), stream_options: { include_usage: true } }).finalChatCompletion();
    assert.deepEqual([stream.model, stream.choices[0]?.message.content, stream.choices[0]?.finish_reason], [model, said, "stop"]);
    for (const { usage } of [whole, stream]) {
      assert.equal(usage?.completion_tokens, 12);
      assert.equal(usage?.total_tokens, 12 + (usage?.prompt_tokens ?? 0));
    }
    assert.equal(whole.usage?.prompt_tokens, stream.usage?.prompt_tokens);
  });

  test("words beyond ASCII and frames cut at odd places arrive whole", async () => {
    const asked = { model, messages: messages(`[lab:unicode][lab:split] ${model}`) };
    const whole = await api.create(asked);
    const stream = await api.stream(asked).finalChatCompletion();
    assert.match(whole.choices[0]?.message.content ?? "", /世界/);
    assert.equal(stream.choices[0]?.message.content, whole.choices[0]?.message.content);
  });

  test("a limit and a stop sequence are kept", async () => {
    const limited = await api.create({ model, messages: messages("hello"), max_completion_tokens: 3 });
    assert.deepEqual([limited.choices[0]?.message.content, limited.choices[0]?.finish_reason], [plainWords.slice(0, 3).join(""), "length"]);
    const stopped = await api.create({ model, messages: messages("hello"), stop: ["garden"] });
    assert.deepEqual([stopped.choices[0]?.message.content, stopped.choices[0]?.finish_reason], [plainWords.slice(0, 4).join(""), "stop"]);
  });

  test("a tool is called, whole and in streamed pieces", async () => {
    const asked = { model, messages: messages("[lab:tool=weather]"), tools };
    const whole = await api.create(asked);
    const stream = await api.stream(asked).finalChatCompletion();
    for (const { choices } of [whole, stream]) {
      const [call] = choices[0]?.message.tool_calls ?? [];
      assert.ok(call?.type === "function" && call.id !== "");
      assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ["weather", input]);
      assert.equal(choices[0]?.finish_reason, "tool_calls");
    }
  });

  test("the client runs a tool and hands its result back for the answer", async () => {
    const heard: unknown[] = [];
    const weather = {
      type: "function" as const,
      function: {
        name: "weather",
        description: "what the weather will be",
        parameters,
        parse: JSON.parse,
        function: (given: unknown) => {
          heard.push(given);
          return "sunny";
        },
      },
    };
    const runner = client.chat.completions.runTools({ model, stream: true, messages: messages("[lab:tool=weather]"), tools: [weather] });
    assert.equal(await runner.finalContent(), said);
    assert.deepEqual(heard, [input]);
    assert.deepEqual(
      runner.messages.map(({ role }) => role),
      ["user", "assistant", "tool", "assistant"],
    );
  });

  test("a picture in the question is seen", async () => {
    const url = `data:image/png;base64,${png(8, 8).toString("base64")}`;
    const parts: OpenAI.ChatCompletionContentPart[] = [
      { type: "text", text: "what is this?" },
      { type: "image_url", image_url: { url, detail: "low" } },
    ];
    const { choices } = await api.create({ model, messages: messages(parts), max_completion_tokens: 3 });
    assert.equal(choices[0]?.message.content, [" image", ...plainWords.slice(0, 2)].join(""));
  });

  test("an answer in JSON can be asked for", async () => {
    const schema = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"], additionalProperties: false };
    for (const format of [
      { type: "json_object" as const },
      { type: "json_schema" as const, json_schema: { name: "colour", schema, strict: true } },
    ]) {
      const { choices } = await api.create({ model, messages: messages("in JSON"), response_format: format });
      assert.equal(choices[0]?.message.content, said);
    }
  });
}

for (const model of ["lab-chat", "azure-lab", "claude-lab", "gemini-lab", "ollama-lab"])
  suite(`OpenAI's client on ${model}`, () => chats(model));

function responses(model: string): void {
  test("a response comes whole, with its text and use", async () => {
    const response = await client.responses.create({ model, input: "hello", instructions: "Be brief." });
    assert.deepEqual([response.object, response.status, response.model], ["response", "completed", model]);
    assert.equal(response.output_text, said);
    assert.equal(response.usage?.output_tokens, 12);
    assert.equal(response.usage?.total_tokens, 12 + (response.usage?.input_tokens ?? 0));
  });

  test("a response comes as a stream of numbered events", async () => {
    const types: string[] = [];
    const numbers: number[] = [];
    let text = "";
    const stream = client.responses.stream({ model, input: [{ role: "user", content: "hello" }] });
    for await (const event of stream) {
      types.push(event.type);
      numbers.push(event.sequence_number);
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    assert.equal(text, said);
    assert.deepEqual([types[0], types.at(-1)], ["response.created", "response.completed"]);
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, other) => one - other),
    );
    const { output_text: whole, usage, status } = await stream.finalResponse();
    assert.deepEqual([whole, usage?.output_tokens, status], [said, 12, "completed"]);
  });

  test("a response calls a tool", async () => {
    const asked = {
      model,
      input: "[lab:tool=weather]",
      tools: [{ type: "function" as const, name: "weather", parameters, strict: false }],
    };
    for (const response of [await client.responses.create(asked), await client.responses.stream(asked).finalResponse()]) {
      const call = response.output.find(({ type }) => type === "function_call");
      assert.ok(call?.type === "function_call");
      assert.deepEqual([call.name, JSON.parse(call.arguments)], ["weather", input]);
    }
  });
}

for (const model of ["lab-chat", "claude-lab", "gemini-lab"]) suite(`responses with OpenAI's client on ${model}`, () => responses(model));

test("a moderation tells what is flagged", async () => {
  const { results, model } = await client.moderations.create({ model: "lab-moderation", input: ["a walk", "[lab:flagged]"] });
  assert.deepEqual([model, results.map(({ flagged }) => flagged)], ["lab-moderation", [false, true]]);
  assert.deepEqual([results[0]?.categories.violence, results[1]?.categories.violence], [false, true]);
});

test("the models are listed, and each can be looked up", async () => {
  const ids: string[] = [];
  for await (const model of client.models.list()) {
    assert.equal(model.object, "model");
    ids.push(model.id);
  }
  for (const id of [...new Set(Object.values(target.models)), "claude-lab"]) {
    assert.ok(ids.includes(id), id);
    assert.equal((await client.models.retrieve(id)).id, id);
  }
});
