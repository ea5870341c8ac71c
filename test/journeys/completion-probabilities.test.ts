import assert from "node:assert/strict";
import { after, test } from "node:test";
import { plainWords } from "../../lab/calls/words.ts";
import { startCallGateway } from "../support/call-gateway.ts";

const { client, end } = await startCallGateway();
after(end);

type Legacy = {
  tokens: string[];
  token_logprobs: (number | null)[];
  top_logprobs: (Record<string, number> | null)[] | null;
  text_offset: number[];
};
type Choice = { text: string; index: number; logprobs: Legacy | null; finish_reason: string | null };
type Completion = { choices: Choice[]; usage: { completion_tokens: number } };

function post(more: object, model = "lab-chat") {
  return client.post<Completion>("/v1/completions", { model, prompt: "hello there", max_tokens: 5, ...more });
}

function choiceOf({ choices: [choice] }: Completion): Choice & { logprobs: Legacy } {
  assert.ok(choice?.logprobs);
  return { ...choice, logprobs: choice.logprobs };
}

/** Every list is as long as the others, offsets count characters, and no chance is above certainty. */
function checkLists({ text, logprobs }: { text: string; logprobs: Legacy }, alternatives: number): void {
  const { tokens, token_logprobs: chances, top_logprobs: top, text_offset: offsets } = logprobs;
  assert.deepEqual(Object.keys(logprobs).toSorted(), ["text_offset", "token_logprobs", "tokens", "top_logprobs"]);
  assert.equal(tokens.join(""), text);
  assert.deepEqual([chances.length, offsets.length], [tokens.length, tokens.length]);
  for (const [index, token] of tokens.entries()) {
    assert.equal(text.slice(offsets[index], (offsets[index] ?? 0) + token.length), token);
    assert.ok(chances[index] === null || (chances[index] ?? 1) <= 0);
    if (alternatives > 0 && chances[index] !== null) {
      const rivals = Object.entries(top?.[index] ?? {});
      assert.equal(rivals.length, alternatives);
      assert.ok(rivals.every(([, chance]) => chance <= 0));
    }
  }
}

test("each position has as many alternatives as were asked for, one to five", async () => {
  for (const logprobs of [1, 2, 3, 4, 5]) {
    const choice = choiceOf((await post({ logprobs })).body);
    checkLists(choice, logprobs);
    assert.equal(choice.logprobs.tokens.length, 5);
    for (const [index, token] of choice.logprobs.tokens.entries())
      assert.equal(choice.logprobs.top_logprobs?.[index]?.[token], choice.logprobs.token_logprobs[index], "the chosen one is among them");
  }
});

test("zero tells the chosen tokens alone, and without the field there is null", async () => {
  const chosen = choiceOf((await post({ logprobs: 0 })).body);
  checkLists(chosen, 0);
  assert.ok(chosen.logprobs.token_logprobs.every((chance) => typeof chance === "number"));
  assert.ok((chosen.logprobs.top_logprobs ?? []).every((rivals) => rivals === null || Object.keys(rivals).length <= 1));
  for (const more of [{}, { logprobs: null }]) assert.equal((await post(more)).body.choices[0]?.logprobs, null);
});

test("an echoed prompt has probabilities too, except for its first token", async () => {
  const choice = choiceOf((await post({ logprobs: 2, echo: true })).body);
  checkLists(choice, 2);
  assert.equal(choice.text, `hello there${plainWords.slice(0, 5).join("")}`);
  assert.equal(choice.logprobs.token_logprobs[0], null);
  assert.ok(choice.logprobs.token_logprobs.slice(1).every((chance) => typeof chance === "number"));
});

test("a prompt can be judged without adding to it", async () => {
  const { body } = await post({ logprobs: 1, echo: true, max_tokens: 0 });
  const choice = choiceOf(body);
  checkLists(choice, 1);
  assert.deepEqual([choice.text, body.usage.completion_tokens], ["hello there", 0]);
});

test("each of several choices has its own", async () => {
  const { choices } = (await post({ logprobs: 1, n: 2, prompt: ["one", "two"] })).body;
  assert.deepEqual(
    choices.map(({ index }) => index),
    [0, 1, 2, 3],
  );
  for (const choice of choices) checkLists(choiceOf({ choices: [choice], usage: { completion_tokens: 0 } }), 1);
});

test("a stream has them piece by piece, with offsets that go on", async () => {
  const { text } = await post({ logprobs: 2, stream: true });
  const events = text
    .trimEnd()
    .split("\n\n")
    .map((event) => event.replace(/^data: /, ""));
  assert.equal(events.pop(), "[DONE]");
  const pieces = events.flatMap((event) => (JSON.parse(event) as Completion).choices);
  const parts = pieces.flatMap(({ logprobs }) => logprobs ?? []);
  const joined = {
    tokens: parts.flatMap(({ tokens }) => tokens),
    token_logprobs: parts.flatMap(({ token_logprobs: chances }) => chances),
    top_logprobs: parts.flatMap(({ top_logprobs: top }) => top ?? []),
    text_offset: parts.flatMap(({ text_offset: offsets }) => offsets),
  };
  const said = pieces.map(({ text: piece }) => piece).join("");
  checkLists({ text: said, logprobs: joined }, 2);
  assert.deepEqual(joined, choiceOf((await post({ logprobs: 2 })).body).logprobs);
});

test("upstreams that know chats alone tell them in the older form, or say that they cannot", async () => {
  const { status, body, text } = await post({ logprobs: 2 }, "ollama-lab");
  if (status === 200) checkLists(choiceOf(body), 2);
  else assert.equal(status, 400, text);
});

test("chats tell them token by token, with bytes", async () => {
  const asked = { model: "lab-chat", messages: [{ role: "user", content: "[lab:unicode]" }], max_tokens: 4, logprobs: true };
  type Token = { token: string; logprob: number; bytes: number[]; top_logprobs: { token: string; logprob: number; bytes: number[] }[] };
  type Chat = { choices: { message: { content: string }; logprobs: { content: Token[] } | null }[] };
  for (const top of [0, 1, 5, 20]) {
    const { status, body } = await client.post<Chat>("/v1/chat/completions", { ...asked, top_logprobs: top });
    assert.equal(status, 200);
    const [choice] = body.choices;
    const content = choice?.logprobs?.content ?? [];
    assert.equal(content.length, 4);
    assert.equal(Buffer.from(content.flatMap(({ bytes }) => bytes)).toString(), choice?.message.content);
    for (const { logprob, top_logprobs: rivals } of content) assert.ok(logprob <= 0 && rivals.length === top);
  }
  const wrong = await client.post("/v1/chat/completions", { ...asked, top_logprobs: 21 });
  assert.equal(wrong.status, 400);
  const none = await client.post<Chat>("/v1/chat/completions", { ...asked, logprobs: false });
  assert.equal(none.body.choices[0]?.logprobs ?? null, null);
});

test("every reply of this journey keeps the contract", () => client.book.check());
