import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { BrokenReply, type JsonObject } from "../../core/call.ts";
import { EngineError } from "../../engines/engine-error.ts";
import type { TextJob, TextPiece, TextResult, TokenChance } from "../../engines/job.ts";
import { callOf, eventsIn, textOfStream, workOf } from "../call/call.fixture.ts";
import { openShop, readOnePiece, refusalIn, valueOf, type Tricks } from "./local.fixture.ts";

function chance(text: string, logprob: number | null, top: [string, number][] = []): TokenChance {
  const bytesOf = (word: string): number[] => [...Buffer.from(word)];
  return { text, bytes: bytesOf(text), logprob, top: top.map(([word, share]) => ({ text: word, bytes: bytesOf(word), logprob: share })) };
}

/** A model that always writes these choices, piece by piece. */
function writing(choices: TextResult["choices"], jobs: TextJob[] = [], pieces: TextPiece[] = []): Tricks {
  return {
    async text(job, { onPiece }) {
      jobs.push(job);
      for (const piece of pieces) {
        onPiece?.(piece);
        await nextTurn();
      }
      return { model: "stories", choices, promptTokens: 3, completionTokens: 2 };
    },
  };
}

const one: TextResult["choices"] = [{ text: " blue sky", finish: "length" }];

test("a completion that asks for nothing but a prompt gets the dialect's usual values", async (t) => {
  const jobs: TextJob[] = [];
  const shop = await openShop(t, writing(one, jobs));
  const value = valueOf(await shop.ask(callOf("completion", { prompt: "The" })));
  const { outDir, cacheDir: _cacheDir, ...job } = jobs[0] ?? assert.fail();
  assert.ok(outDir.startsWith(shop.workDir));
  assert.deepEqual(job, {
    engine: "text",
    ask: { prompts: ["The"] },
    choices: 1,
    bestOf: 1,
    maxTokens: 16,
    temperature: 1,
    topP: 1,
    stop: [],
    frequencyPenalty: 0,
    presencePenalty: 0,
    logitBias: {},
    alternatives: null,
    echo: false,
  });
  assert.match(String(value.system_fingerprint), /^fp_[0-9a-f]{8}$/);
  assert.deepEqual(value, {
    id: "cmpl-1",
    object: "text_completion",
    created: 1_750_000_000,
    model: "shown-model",
    system_fingerprint: value.system_fingerprint,
    choices: [{ text: " blue sky", index: 0, logprobs: null, finish_reason: "length" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });
  assert.deepEqual(await shop.left(), []);
});

test("every wish of a completion reaches the model, and its fingerprint is that of the model's file", async (t) => {
  const jobs: TextJob[] = [];
  let modelPath: string | null = "/models/big.gguf";
  const shop = await openShop(t, writing(one, jobs), { modelPath: () => modelPath });
  const wishes: JsonObject = {
    prompt: ["a", "b"],
    max_tokens: 0,
    n: 2,
    best_of: 3,
    echo: true,
    logprobs: 0,
    stop: "\n",
    seed: 7,
    temperature: 0,
    top_p: 0.5,
    frequency_penalty: 1,
    presence_penalty: -1,
    logit_bias: { 5: -100 },
    suffix: "end",
  };
  const big = valueOf(await shop.ask(callOf("completion", wishes)));
  const { outDir: _outDir, cacheDir: _cacheDir, ...job } = jobs[0] ?? assert.fail();
  assert.deepEqual(job, {
    engine: "text",
    modelPath: "/models/big.gguf",
    ask: { prompts: ["a", "b"], suffix: "end" },
    choices: 2,
    bestOf: 3,
    maxTokens: 0,
    temperature: 0,
    topP: 0.5,
    seed: 7,
    stop: ["\n"],
    frequencyPenalty: 1,
    presencePenalty: -1,
    logitBias: { 5: -100 },
    alternatives: 0,
    echo: true,
  });
  modelPath = null;
  const small = valueOf(await shop.ask(callOf("completion", { prompt: "a" })));
  assert.notEqual(big.system_fingerprint, small.system_fingerprint);
});

test("a prompt may be text, texts, tokens or lists of tokens", async (t) => {
  const jobs: TextJob[] = [];
  const shop = await openShop(t, writing(one, jobs));
  for (const prompt of ["a", ["a", "b"], [1, 2], [[1, 2], [3]], undefined]) await shop.ask(callOf("completion", { prompt }));
  assert.deepEqual(
    jobs.map(({ ask }) => "prompts" in ask && ask.prompts),
    [["a"], ["a", "b"], [[1, 2]], [[1, 2], [3]], [""]],
  );
});

test("what cannot be meant is refused with the field at fault", async (t) => {
  const shop = await openShop(t, writing(one));
  const wrong: [JsonObject, string][] = [
    [{ prompt: "a", n: 3, best_of: 2 }, "best_of"],
    [{ prompt: "a", best_of: 2, stream: true }, "best_of"],
    [{ prompt: "a", logprobs: 6 }, "logprobs"],
    [{ prompt: "a", max_tokens: -1 }, "max_tokens"],
    [{ prompt: "a", max_tokens: 1.5 }, "max_tokens"],
    [{ prompt: "a", temperature: 3 }, "temperature"],
    [{ prompt: "a", stop: Array.from({ length: 17 }, String) }, "stop"],
    [{ prompt: "a", logit_bias: { 1: 101 } }, "logit_bias"],
    [{ prompt: "a", logit_bias: { word: 1 } }, "logit_bias"],
    [{ prompt: [] }, "prompt"],
    [{ prompt: [{ text: "a" }] }, "prompt"],
    [{ prompt: [[-1]] }, "prompt"],
  ];
  for (const [body, param] of wrong) {
    const refusal = refusalIn(await shop.ask(callOf("completion", body)));
    assert.equal(refusal.class, "invalid", JSON.stringify(body));
    assert.equal(refusal.param, param);
    assert.match(refusal.says ?? "", /^[A-Z'].*\.$/);
  }
  assert.equal((await shop.ask(callOf("completion", { prompt: "a", n: 2, best_of: 2, stream: true }))).state, "stream");
});

test("likelihoods are parallel lists whose offsets count from the start of the returned text, in characters", async (t) => {
  const half = { text: "bytes:\\xf0\\x9f", bytes: [0xf0, 0x9f], logprob: -1, top: [] };
  const rest = { text: "bytes:\\x98\\x80", bytes: [0x98, 0x80], logprob: -1.5, top: [] };
  const tokens = [
    chance("The", null),
    chance(" sky", -0.5, [
      [" sea", -0.1],
      [" sky", -0.5],
    ]),
    half,
    rest,
    chance("!", -3, [["?", -0.2]]),
  ];
  const shop = await openShop(t, writing([{ text: "The sky😀!", finish: "stop", tokens }]));
  const { choices } = valueOf(await shop.ask(callOf("completion", { prompt: "The", echo: true, logprobs: 1 })));
  assert.deepEqual(choices, [
    {
      text: "The sky😀!",
      index: 0,
      finish_reason: "stop",
      logprobs: {
        tokens: ["The", " sky", "bytes:\\xf0\\x9f", "bytes:\\x98\\x80", "!"],
        token_logprobs: [null, -0.5, -1, -1.5, -3],
        top_logprobs: [
          null,
          { " sea": -0.1, " sky": -0.5 },
          { "bytes:\\xf0\\x9f": -1 },
          { "bytes:\\x98\\x80": -1.5 },
          { "?": -0.2, "!": -3 },
        ],
        text_offset: [0, 3, 7, 7, 8],
      },
    },
  ]);
});

test("with no alternatives asked for, only the chosen tokens are told", async (t) => {
  const shop = await openShop(t, writing([{ text: " a b", finish: "stop", tokens: [chance(" a", -1), chance(" b", -2)] }]));
  const { choices } = valueOf(await shop.ask(callOf("completion", { prompt: "x", logprobs: 0 })));
  const [choice] = choices as [{ logprobs: JsonObject }];
  assert.deepEqual(choice.logprobs, { tokens: [" a", " b"], token_logprobs: [-1, -2], top_logprobs: null, text_offset: [0, 2] });
});

test("a stream tells pieces as they come, then the end of every choice, the use, and its end", async (t) => {
  const pieces: TextPiece[] = [
    { choice: 1, text: "no", tokens: [chance("no", -1)] },
    { choice: 0, text: "ye", tokens: [chance("ye", -2)] },
    { choice: 1, text: "!", tokens: [chance("!", -3)] },
  ];
  const shop = await openShop(
    t,
    writing(
      [
        { text: "ye", finish: "stop" },
        { text: "no!", finish: "length" },
      ],
      [],
      pieces,
    ),
  );
  const answer = await shop.ask(callOf("completion", { prompt: "?", n: 2, logprobs: 0, stream: true }));
  assert.ok(answer.state === "stream" && answer.mime === "text/event-stream");
  const events = eventsIn(await textOfStream(answer)) as JsonObject[];
  assert.equal(events.pop(), "[DONE]");
  for (const { id, object, model } of events) assert.deepEqual([id, object, model], ["cmpl-1", "text_completion", "shown-model"]);
  const told = (index: number, text: string, logprob: number, offset: number) => [
    {
      text,
      index,
      finish_reason: null,
      logprobs: { tokens: [text], token_logprobs: [logprob], top_logprobs: null, text_offset: [offset] },
    },
  ];
  assert.deepEqual(
    events.map(({ choices }) => choices),
    [
      told(1, "no", -1, 0),
      told(0, "ye", -2, 0),
      told(1, "!", -3, 2),
      [{ text: "", index: 0, logprobs: null, finish_reason: "stop" }],
      [{ text: "", index: 1, logprobs: null, finish_reason: "length" }],
      [],
    ],
  );
  assert.deepEqual(events.at(-1)?.usage, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
  assert.deepEqual(await shop.left(), []);
});

test("a stream that fails before its first word is refused, one that fails later breaks off", async (t) => {
  const early = await openShop(t, { text: () => Promise.reject(new EngineError("invalid", "This prompt is too long.")) });
  const refusal = refusalIn(await early.ask(callOf("completion", { prompt: "?", stream: true })));
  assert.deepEqual(refusal, { class: "invalid", says: "This prompt is too long." });
  assert.deepEqual(await early.left(), []);

  const late = await openShop(t, {
    async text(_job, { onPiece }) {
      onPiece?.({ choice: 0, text: "half" });
      throw new EngineError("crashed", "The generator's process ended unexpectedly.", "SIGSEGV");
    },
  });
  const answer = await late.ask(callOf("completion", { prompt: "?", stream: true }));
  assert.ok(answer.state === "stream");
  const read: string[] = [];
  await assert.rejects(
    async () => {
      for await (const piece of answer.pieces) read.push(Buffer.from(piece).toString());
    },
    (error) => error instanceof BrokenReply && error.refusal.class === "transient" && error.refusal.cause === "SIGSEGV",
  );
  assert.match(read.join(""), /"text":"half"/);
  assert.deepEqual(await late.left(), []);
});

test("a reader who leaves a stream stops the model, and so does a client who goes", async (t) => {
  const endless: Tricks = {
    text: (_job, { onPiece, signal }) =>
      new Promise((_resolve, reject) => {
        onPiece?.({ choice: 0, text: "word" });
        signal?.addEventListener("abort", () => reject(new EngineError("cancelled", "The job was cancelled.")));
      }),
  };
  const shop = await openShop(t, endless);
  const left = await shop.ask(callOf("completion", { prompt: "?", stream: true }));
  await readOnePiece(left);
  while ((await shop.left()).length > 0) await nextTurn();

  const gone = new AbortController();
  const answer = await shop.ask(callOf("completion", { prompt: "?", stream: true }), workOf({ signal: gone.signal }));
  const reading = textOfStream(answer);
  gone.abort();
  await assert.rejects(reading, (error) => error instanceof BrokenReply && error.refusal.class === "cancelled");
  assert.deepEqual(await shop.left(), []);
});
