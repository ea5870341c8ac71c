import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askJson, eventsIn, labFor, pick, valuesIn } from "./ask.fixture.ts";
import { encode, loadTokens } from "./tokens.ts";
import { plainWords } from "./words.ts";

await loadTokens();
const completions = "openai/v1/completions";
const responses = "openai/v1/responses";
const said = (count: number) => plainWords.slice(0, count).join("");

test("prompts come as text, texts, tokens or lists of tokens, and choices follow their order", async (context) => {
  const lab = await labFor(context);
  const tokens = encode("the sky is");
  const count = async (prompt: unknown, more: object = {}) => {
    const reply = await askJson(lab, completions, { model: "lab-chat", prompt, max_tokens: 2, ...more });
    const choices = pick(reply, "choices");
    return [
      pick(reply, "usage.prompt_tokens"),
      pick(reply, "usage.completion_tokens"),
      Array.isArray(choices) && choices.map(({ index }) => index),
    ];
  };
  assert.deepEqual(await count("the sky is"), [tokens.length, 2, [0]]);
  assert.deepEqual(await count(["the sky is", "the sky is"]), [tokens.length * 2, 4, [0, 1]]);
  assert.deepEqual(await count(tokens), [tokens.length, 2, [0]]);
  assert.deepEqual(await count([tokens, tokens], { n: 2 }), [tokens.length * 2, 8, [0, 1, 2, 3]]);
});

test("a text completion repeats its prompt and tells its probabilities in four arrays", async (context) => {
  const lab = await labFor(context);
  const asked = { model: "lab-chat", prompt: "the sky", max_tokens: 2, echo: true, logprobs: 1 };
  const reply = await askJson(lab, completions, asked);
  assert.match(String(pick(reply, "id")), /^cmpl-/);
  assert.equal(pick(reply, "object"), "text_completion");
  assert.equal(pick(reply, "choices.0.text"), "the sky river stone");
  assert.equal(pick(reply, "choices.0.finish_reason"), "length");
  const logprobs = pick(reply, "choices.0.logprobs");
  assert.deepEqual(pick(logprobs, "tokens"), ["the", " sky", " river", " stone"]);
  assert.deepEqual(pick(logprobs, "text_offset"), [0, 3, 7, 13]);
  assert.equal(pick(logprobs, "token_logprobs.0"), null);
  assert.deepEqual(Object.keys(Object(pick(logprobs, "top_logprobs.2"))), [" river"]);

  const chunks = valuesIn(await (await ask(lab, completions, { ...asked, stream: true })).text());
  assert.equal(chunks.map((chunk) => pick(chunk, "choices.0.text")).join(""), "the sky river stone");
  assert.deepEqual(
    chunks.flatMap((chunk) => pick(chunk, "choices.0.logprobs.text_offset") ?? []),
    [0, 3, 7, 13],
  );
  assert.equal(lab.calls()[1]?.completionTokens, 2);
  const scored = await askJson(lab, completions, { ...asked, max_tokens: 0 });
  assert.deepEqual([pick(scored, "choices.0.text"), pick(scored, "usage.completion_tokens")], ["the sky", 0]);
});

test("a streamed text completion tells usage in a chunk of its own when asked", async (context) => {
  const lab = await labFor(context);
  const asked = { model: "lab-chat", prompt: ["a", "b"], max_tokens: 3, stream: true, stream_options: { include_usage: true } };
  const chunks = valuesIn(await (await ask(lab, completions, asked)).text());
  assert.equal(chunks.length, 6 + 2 + 1);
  assert.deepEqual([pick(chunks.at(-1), "choices"), pick(chunks.at(-1), "usage.total_tokens")], [[], 2 + 6]);
  assert.equal((await ask(lab, completions, { ...asked, best_of: 2 })).status, 400);
});

test("a response is an object with its output, and streams as named events in order", async (context) => {
  const lab = await labFor(context);
  const asked = { model: "lab-chat", input: "x", instructions: "Be brief." };
  const reply = await askJson(lab, responses, asked);
  assert.deepEqual([pick(reply, "status"), pick(reply, "output.0.content.0.text")], ["completed", said(12)]);
  assert.equal(pick(reply, "usage.input_tokens"), 3 + 4 + encode("Be brief.").length + 4 + 1);
  assert.equal(pick(reply, "usage.output_tokens"), 12);

  const events = eventsIn(await (await ask(lab, responses, { ...asked, stream: true })).text());
  assert.deepEqual(
    [...new Set(events.map(({ event }) => event))],
    [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ],
  );
  const values = events.map(({ data }) => JSON.parse(data) as unknown);
  assert.deepEqual(
    values.map((value) => pick(value, "sequence_number")),
    Array.from(values.keys()),
  );
  assert.equal(values.map((value) => pick(value, "delta") ?? "").join(""), said(12));
  assert.equal(pick(values.at(-1), "response.usage.output_tokens"), 12);

  const short = await askJson(lab, responses, { ...asked, max_output_tokens: 4 });
  assert.deepEqual([pick(short, "status"), pick(short, "incomplete_details.reason")], ["incomplete", "max_output_tokens"]);
});

test("a response calls a tool in the flat shape, and reads items", async (context) => {
  const lab = await labFor(context);
  const tools = [{ type: "function", name: "weather", parameters: { type: "object", properties: { place: { type: "string" } } } }];
  const input = [
    {
      role: "user",
      content: [
        { type: "input_text", text: "[lab:tool=weather]" },
        { type: "input_image", image_url: "data:," },
      ],
    },
  ];
  const reply = await askJson(lab, responses, { model: "lab-chat", input, tools });
  assert.deepEqual([pick(reply, "output.0.type"), pick(reply, "output.0.name")], ["function_call", "weather"]);
  const values = valuesIn(await (await ask(lab, responses, { model: "lab-chat", input, tools, stream: true })).text());
  const deltas = values.filter((value) => pick(value, "type") === "response.function_call_arguments.delta");
  assert.equal(deltas.map((value) => pick(value, "delta")).join(""), pick(reply, "output.0.arguments"));
  const after = [...input, pick(reply, "output.0"), { type: "function_call_output", call_id: "x", output: "sunny" }];
  const told = await askJson(lab, responses, { model: "lab-chat", input: after, tools });
  assert.match(String(pick(told, "output.0.content.0.text")), /^ image river/);
});
