import assert from "node:assert/strict";
import { test } from "node:test";
import { callOf, testMint } from "../call/call.fixture.ts";
import { geminiChat, geminiChatPath, geminiEmbedding } from "./gemini.ts";

const chat = (body: Record<string, unknown>, model = "gemini-2.5-flash") =>
  callOf("chat", { messages: [{ role: "user", content: "hi" }], ...body }, { model });
const request = (body: Record<string, unknown>, model?: string): unknown => geminiChat(testMint()).request(chat(body, model));

test("a conversation with pictures and tools is said in turns and parts", () => {
  const tool = { type: "function", function: { name: "weather", description: "d", parameters: { type: "object" }, strict: true } };
  const messages = [
    { role: "developer", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "image_url", image_url: { url: "https://a.example/b.jpg?x=1", detail: "low" } },
        { type: "input_audio", input_audio: { data: "BBBB", format: "mp3" } },
        { type: "file", file: { filename: "c.pdf", file_data: "data:application/pdf;base64,CCCC" } },
      ],
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "weather", arguments: '{"in":"Rome"}' } },
        { id: "c2", type: "function", function: { name: "clock", arguments: "" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: '{"sky":"blue"}' },
    { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "noon" }] },
    { role: "user", content: "And now?" },
  ];
  assert.deepEqual(request({ messages, tools: [tool], tool_choice: { type: "function", function: { name: "weather" } } }), {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      {
        role: "user",
        parts: [
          { text: "What is this?" },
          { inlineData: { mimeType: "image/png", data: "AAAA" } },
          { fileData: { mimeType: "image/jpeg", fileUri: "https://a.example/b.jpg?x=1" } },
          { inlineData: { mimeType: "audio/mp3", data: "BBBB" } },
          { inlineData: { mimeType: "application/pdf", data: "CCCC" } },
        ],
      },
      {
        role: "model",
        parts: [
          { functionCall: { id: "c1", name: "weather", args: { in: "Rome" } } },
          { functionCall: { id: "c2", name: "clock", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "weather", response: { sky: "blue" } } },
          { functionResponse: { id: "c2", name: "clock", response: { output: "noon" } } },
        ],
      },
      { role: "user", parts: [{ text: "And now?" }] },
    ],
    tools: [{ functionDeclarations: [{ name: "weather", description: "d", parametersJsonSchema: { type: "object" } }] }],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["weather"] } },
  });
});

test("how to sample and what to answer goes into the configuration", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
  const asked = {
    temperature: 0,
    top_p: 0.9,
    max_completion_tokens: 50,
    max_tokens: 99,
    stop: "END",
    n: 2,
    seed: 7,
    presence_penalty: 0.1,
    frequency_penalty: -0.1,
    logprobs: true,
    top_logprobs: 3,
    response_format: { type: "json_schema", json_schema: { name: "x", schema, strict: true } },
    reasoning_effort: "medium",
  };
  assert.deepEqual(request(asked), {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    generationConfig: {
      temperature: 0,
      topP: 0.9,
      maxOutputTokens: 50,
      stopSequences: ["END"],
      candidateCount: 2,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: -0.1,
      responseLogprobs: true,
      logprobs: 3,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      thinkingConfig: { thinkingBudget: 8_192 },
    },
  });
  assert.deepEqual(request({ n: 1, logit_bias: {}, logprobs: false, top_logprobs: 0 }), {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
  });
});

test("how hard to think is said as the generation of the model wants it", () => {
  const thinking = (effort: string, model: string) =>
    (request({ reasoning_effort: effort }, model) as { generationConfig?: { thinkingConfig?: unknown } }).generationConfig?.thinkingConfig;
  assert.deepEqual(thinking("none", "gemini-2.5-flash"), { thinkingBudget: 0 });
  assert.deepEqual(thinking("none", "gemini-2.5-pro"), { thinkingBudget: 128 });
  assert.deepEqual(thinking("xhigh", "gemini-3-flash-preview"), { thinkingLevel: "high" });
  assert.deepEqual(thinking("none", "gemini-3.5-flash"), { thinkingLevel: "minimal" });
  assert.deepEqual(thinking("minimal", "gemini-3.1-pro-preview"), { thinkingLevel: "low" });
  assert.equal(thinking("high", "gemini-2.0-flash"), undefined);
  assert.equal(thinking("strange", "gemini-3-flash"), undefined);
});

test("a newer model gets the signature of its calls back, or a word in its place", () => {
  const call = (extra?: unknown) => ({ id: "c", type: "function", function: { name: "f", arguments: "{}" }, extra_content: extra });
  const signatures = (calls: unknown[], model: string) => {
    const { contents } = request({ messages: [{ role: "assistant", tool_calls: calls }] }, model) as {
      contents: { parts: { thoughtSignature?: string }[] }[];
    };
    return contents[0]?.parts.map(({ thoughtSignature }) => thoughtSignature);
  };
  assert.deepEqual(signatures([call({ google: { thought_signature: "S" } })], "gemini-3-pro"), ["S"]);
  assert.deepEqual(signatures([call(), call()], "gemini-3-pro"), ["skip_thought_signature_validator", undefined]);
  assert.deepEqual(signatures([call()], "gemini-2.5-pro"), [undefined]);
});

const unsayable: [string, Record<string, unknown>, string, string][] = [
  ["a bias of tokens", { logit_bias: { 50: 1 } }, "not_supported", "logit_bias"],
  ["a tool of another type", { tools: [{ type: "custom" }] }, "not_supported", "tools[0]"],
  ["sound in the answer", { modalities: ["text", "audio"] }, "not_supported", "modalities"],
  ["a part of another type", { messages: [{ role: "user", content: [{ type: "odd" }] }] }, "not_supported", "messages[0].content[0]"],
  [
    "an uploaded file",
    { messages: [{ role: "user", content: [{ type: "file", file: { file_id: "f" } }] }] },
    "not_supported",
    "messages[0].content[0].file",
  ],
  ["a role of old", { messages: [{ role: "function", name: "f", content: "" }] }, "not_supported", "messages[0].role"],
  ["an answer to no call", { messages: [{ role: "tool", tool_call_id: "x", content: "" }] }, "invalid_request", "messages[0].tool_call_id"],
  ["no messages", { messages: [] }, "invalid_request", "messages"],
  ["a stop that is no text", { stop: [1] }, "invalid_request", "stop"],
];
for (const [name, body, code, param] of unsayable) {
  test(`${name} is refused by the name of its field`, () => assert.throws(() => request(body), { code, param }));
}

test("a system that speaks alone is heard as a user", () => {
  assert.deepEqual(request({ messages: [{ role: "system", content: "Say hi." }] }), {
    contents: [{ role: "user", parts: [{ text: "Say hi." }] }],
  });
});

const usageMetadata = {
  promptTokenCount: 10,
  toolUsePromptTokenCount: 2,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 7,
  cachedContentTokenCount: 4,
  totalTokenCount: 24,
};
const usage = {
  prompt_tokens: 12,
  completion_tokens: 12,
  total_tokens: 24,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 7 },
};

test("a reply with thoughts, text, likelihoods and calls becomes a chat completion", () => {
  const value = {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "hm", thought: true }, { text: "It " }, { text: "is." }] },
        finishReason: "MAX_TOKENS",
        logprobsResult: {
          chosenCandidates: [{ token: "It", tokenId: 1, logProbability: -0.5 }],
          topCandidates: [
            {
              candidates: [
                { token: "It", logProbability: -0.5 },
                { token: "Ö", logProbability: -1 },
              ],
            },
          ],
        },
      },
      { index: 1, content: { parts: [{ functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "S" }] }, finishReason: "STOP" },
    ],
    usageMetadata,
  };
  const top = [
    { token: "It", logprob: -0.5, bytes: [73, 116] },
    { token: "Ö", logprob: -1, bytes: [195, 150] },
  ];
  assert.deepEqual(geminiChat(testMint()).reply(value, chat({})), {
    id: "chatcmpl-2",
    object: "chat.completion",
    created: 1_750_000_000,
    model: "shown-model",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "It is.", refusal: null, reasoning_content: "hm" },
        logprobs: { content: [{ token: "It", logprob: -0.5, bytes: [73, 116], top_logprobs: top }], refusal: null },
        finish_reason: "length",
      },
      {
        index: 1,
        message: {
          role: "assistant",
          content: null,
          refusal: null,
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "f", arguments: '{"a":1}' },
              extra_content: { google: { thought_signature: "S" } },
            },
          ],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ],
    usage,
  });
});

test("a blocked prompt and a blocked answer end as content_filter", () => {
  const finish = (value: unknown) => {
    const { choices } = geminiChat(testMint()).reply(value, chat({})) as {
      choices: { message: { content: unknown }; finish_reason: string }[];
    };
    return choices.map(({ message, finish_reason: reason }) => [message.content, reason]);
  };
  assert.deepEqual(finish({ promptFeedback: { blockReason: "SAFETY" } }), [["", "content_filter"]]);
  assert.deepEqual(finish({ candidates: [{ finishReason: "RECITATION" }] }), [["", "content_filter"]]);
  assert.throws(() => finish({}), /no candidates/);
});

test("texts are embedded together, in the encoding that was asked for", () => {
  const call = callOf("embedding", { input: ["a", "b"], dimensions: 3 }, { model: "gemini-embedding-001" });
  const one = (text: string) => ({ model: "models/gemini-embedding-001", content: { parts: [{ text }] }, outputDimensionality: 3 });
  assert.deepEqual(geminiEmbedding.request(call), { requests: [one("a"), one("b")] });
  const value = { embeddings: [{ values: [1, -2, 0.5] }, { values: [0, 0, 1] }] };
  assert.deepEqual(geminiEmbedding.reply(value, call), {
    object: "list",
    data: [
      { object: "embedding", index: 0, embedding: [1, -2, 0.5] },
      { object: "embedding", index: 1, embedding: [0, 0, 1] },
    ],
    model: "shown-model",
  });
  const packed = geminiEmbedding.reply(
    { embeddings: [{ values: [1, -2, 0.5] }] },
    callOf("embedding", { input: "a", encoding_format: "base64" }),
  );
  assert.deepEqual(packed["data"], [{ object: "embedding", index: 0, embedding: "AACAPwAAAMAAAAA/" }]);
  assert.throws(() => geminiEmbedding.reply({ embeddings: [] }, call), /0 vectors for 2 texts/);
  assert.throws(() => geminiEmbedding.request(callOf("embedding", { input: [1, 2] })), { code: "not_supported", param: "input" });
  assert.throws(() => geminiEmbedding.request(callOf("embedding", { input: [""] })), { code: "invalid_request", param: "input" });
});

test("a model of one's own keeps its whole name in the address", () => {
  assert.equal(geminiChatPath({ model: "tunedModels/mine", stream: false }), "/tunedModels/mine:generateContent");
  assert.equal(geminiChatPath({ model: "a?b", stream: false }), "/models/a%3Fb:generateContent");
});
