import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type OpenAI from "openai";
import { openaiFor, startTargets, type Target } from "./target.ts";

type Completion = OpenAI.Completion;
type Usage = { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost?: number };

function checkUsage(usage: Usage | null | undefined): Usage {
  assert.ok(usage);
  for (const count of [usage.prompt_tokens, usage.completion_tokens]) assert.ok(Number.isInteger(count) && count >= 0);
  assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
  assert.ok(typeof usage.cost === "number" && usage.cost > 0, `cost: ${usage.cost}`);
  return usage;
}

async function listed<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of stream) list.push(one);
  return list;
}

function textOf(completion: Completion, index = 0): string {
  const choice = completion.choices[index];
  assert.equal(choice?.index, index);
  return choice.text;
}

function completions(target: Target): void {
  const { completions: api } = openaiFor(target);
  const asked = { model: target.models.completion, prompt: "Once upon a time", max_tokens: 8, temperature: 0, seed: 7 };

  test("a completion has text, its use and its cost", async () => {
    const completion = await api.create(asked);
    assert.equal(completion.object, "text_completion");
    assert.equal(completion.model, asked.model);
    assert.ok(Math.abs(completion.created - Date.now() / 1000) < 60);
    assert.ok(textOf(completion).trim() !== "");
    assert.ok(["stop", "length"].includes(completion.choices[0]?.finish_reason ?? ""));
    assert.equal(completion.choices[0]?.logprobs, null);
    const { prompt_tokens: prompt, completion_tokens: said } = checkUsage(completion.usage);
    assert.ok(prompt >= 4 && said >= 1 && said <= 8);
  });

  test("the alternatives to each token come with their probabilities", async () => {
    const { choices } = await api.create({ ...asked, logprobs: 3 });
    const [choice] = choices;
    const { tokens = [], token_logprobs: chances = [], top_logprobs: top = [], text_offset: offsets = [] } = choice?.logprobs ?? {};
    assert.ok(tokens.length >= 1);
    assert.deepEqual([chances.length, top.length, offsets.length], [tokens.length, tokens.length, tokens.length]);
    assert.equal(tokens.join(""), choice?.text);
    for (const [index, token] of tokens.entries()) {
      const chance = chances[index] ?? 1;
      assert.ok(chance <= 0 && chance > -100, `${token}: ${chance}`);
      const rivals = Object.values(top[index] ?? {});
      assert.ok(rivals.length === 3 && rivals.every((rival) => rival <= 0), JSON.stringify(top[index]));
      assert.ok(rivals.reduce((sum, rival) => sum + Math.exp(rival), 0) <= 1.001 || target.name === "lab", "together no more than certain");
    }
  });

  test("several choices are numbered, for several prompts prompt by prompt", async () => {
    const several = await api.create({ ...asked, n: 2, temperature: 1 });
    assert.deepEqual(
      several.choices.map(({ index }) => index),
      [0, 1],
    );
    assert.notEqual(textOf(several, 0), textOf(several, 1));
    const both = await api.create({ ...asked, prompt: ["The sun", "The dark moon"], echo: true });
    assert.deepEqual(
      [both.choices.length, textOf(both, 0).startsWith("The sun"), textOf(both, 1).startsWith("The dark moon")],
      [2, true, true],
    );
  });

  test("tokens can stand for the prompt", async () => {
    assert.ok(textOf(await api.create({ ...asked, prompt: [1, 403, 407], max_tokens: 4 })) !== "");
    const lists = await api.create({ ...asked, prompt: [[403], [407, 261]], max_tokens: 2 });
    assert.equal(lists.choices.length, 2);
  });

  test("an echo begins with the prompt, also with probabilities", async () => {
    const plain = textOf(await api.create(asked));
    assert.equal(textOf(await api.create({ ...asked, echo: true })), asked.prompt + plain);
    const { choices } = await api.create({ ...asked, echo: true, logprobs: 1 });
    const { tokens = [], token_logprobs: chances = [] } = choices[0]?.logprobs ?? {};
    assert.equal(tokens.join(""), asked.prompt + plain);
    assert.equal(chances[0], null, "nothing comes before the first token");
    assert.ok(chances.slice(1).every((chance) => typeof chance === "number"));
  });

  test("a stop sequence ends the text before it", async () => {
    const whole = textOf(await api.create({ ...asked, max_tokens: 12 }));
    const stop = whole.trim().split(/\s+/)[3] ?? "";
    const { choices } = await api.create({ ...asked, max_tokens: 12, stop: [stop] });
    assert.equal(choices[0]?.finish_reason, "stop");
    assert.equal(choices[0]?.text.trimEnd(), whole.slice(0, whole.indexOf(stop)).trimEnd());
  });

  test("a stream says the same in pieces, and tells its use where that is asked for", async () => {
    const whole = await api.create(asked);
    const chunks = await listed(await api.create({ ...asked, stream: true, stream_options: { include_usage: true } }));
    const said = chunks.filter(({ choices }) => choices.length > 0);
    assert.equal(said.map(({ choices }) => choices[0]?.text).join(""), textOf(whole));
    assert.ok(said.length > 2, `${said.length} pieces`);
    assert.equal(said.at(-1)?.choices[0]?.finish_reason, whole.choices[0]?.finish_reason);
    const { usage, choices } = chunks.at(-1) ?? {};
    assert.deepEqual(choices, []);
    assert.deepEqual(checkUsage(usage), checkUsage(whole.usage));
    const quiet = await listed(await api.create({ ...asked, stream: true }));
    assert.ok(quiet.every((chunk) => !chunk.usage && chunk.choices.length > 0));
  });
}

function chats(target: Target): void {
  const { completions: api } = openaiFor(target).chat;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Tell me about a small dog." },
  ];
  const asked = { model: target.models.chat, messages, max_tokens: 10, temperature: 0, seed: 7 };

  test("an answer has text, its use and its cost", async () => {
    const completion = await api.create(asked);
    assert.deepEqual([completion.object, completion.model], ["chat.completion", asked.model]);
    const [choice] = completion.choices;
    assert.equal(choice?.message.role, "assistant");
    assert.ok((choice?.message.content ?? "").trim() !== "");
    assert.ok(["stop", "length"].includes(choice?.finish_reason ?? ""));
    checkUsage(completion.usage);
  });

  test("the newer name of the limit counts as well", async () => {
    const { max_tokens: _, ...open } = asked;
    const { usage, choices } = await api.create({ ...open, max_completion_tokens: 3 });
    assert.equal(choices[0]?.finish_reason, "length");
    assert.equal(checkUsage(usage).completion_tokens, 3);
  });

  test("the tokens of an answer have probabilities and alternatives", async () => {
    const { choices } = await api.create({ ...asked, logprobs: true, top_logprobs: 2 });
    const content = choices[0]?.logprobs?.content ?? [];
    assert.ok(content.length >= 1);
    assert.equal(Buffer.from(content.flatMap(({ bytes }) => bytes ?? [])).toString(), choices[0]?.message.content);
    for (const { token, logprob, top_logprobs: top } of content) {
      assert.ok(logprob <= 0, `${token}: ${logprob}`);
      assert.equal(top.length, 2);
    }
  });

  test("several answers can be had at once", async () => {
    const { choices } = await api.create({ ...asked, n: 2, temperature: 1 });
    assert.deepEqual(
      choices.map(({ index }) => index),
      [0, 1],
    );
    assert.ok(choices.every(({ message }) => (message.content ?? "") !== ""));
  });

  test("the client's helper for streams puts the same answer together", async () => {
    const whole = await api.create(asked);
    const deltas: string[] = [];
    const stream = api.stream({ ...asked, stream_options: { include_usage: true } }).on("content", (delta) => deltas.push(delta));
    const completion = await stream.finalChatCompletion();
    assert.equal(completion.choices[0]?.message.content, whole.choices[0]?.message.content);
    assert.equal(deltas.join(""), whole.choices[0]?.message.content);
    assert.ok(deltas.length > 2);
    assert.deepEqual(checkUsage(completion.usage), checkUsage(whole.usage));
    assert.equal((await stream.totalUsage()).total_tokens, whole.usage?.total_tokens);
  });

  test("a stream that is iterated begins with the role and ends with the reason", async () => {
    const chunks = await listed(await api.create({ ...asked, stream: true }));
    assert.equal(chunks[0]?.choices[0]?.delta.role, "assistant");
    assert.ok(chunks.every(({ object, model, usage }) => object === "chat.completion.chunk" && model === asked.model && !usage));
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    assert.deepEqual(chunks.filter(({ choices }) => choices[0]?.finish_reason).length, 1);
  });
}

for (const target of await startTargets()) {
  after(target.end);
  suite(`text completions with OpenAI's client, ${target.name}`, () => completions(target));
  suite(`chats with OpenAI's client, ${target.name}`, () => chats(target));
}
