import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, embed, embedMany, generateImage, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { plainWords } from "../../lab/calls/words.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { png } from "../support/samples.ts";
import { startStubUpstream } from "./stub-upstream.ts";
import { startTargets, type Target } from "./target.ts";

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const targets = await startTargets();
for (const { end } of targets) after(end);

function providerFor({ url, key }: Pick<Target, "url" | "key">) {
  return createOpenAICompatible({ name: "genway", baseURL: `${url}/v1`, apiKey: key, includeUsage: true, supportsStructuredOutputs: true });
}

function everywhere(target: Target): void {
  const provider = providerFor(target);
  const chat = provider(target.models.chat);

  test("text is generated, with its use", async () => {
    const { text, usage, finishReason } = await generateText({
      model: chat,
      prompt: "Tell me about a dog.",
      maxOutputTokens: 8,
      maxRetries: 0,
    });
    assert.ok(text.trim() !== "" && ["stop", "length"].includes(finishReason));
    assert.equal(usage.totalTokens, (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
    assert.ok((usage.outputTokens ?? 0) >= 1);
  });

  test("text is streamed, with its use at the end", async () => {
    const stream = streamText({ model: chat, prompt: "Tell me about a dog.", maxOutputTokens: 8, maxRetries: 0 });
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    assert.ok(pieces.length > 1);
    assert.equal(pieces.join(""), await stream.text);
    const { outputTokens = 0 } = await stream.usage;
    assert.ok(outputTokens >= 1 && outputTokens <= 8);
  });

  test("a text is completed in the older dialect", async () => {
    const model = provider.completionModel(target.models.completion);
    const { text, usage } = await generateText({ model, prompt: "Once upon a time", maxOutputTokens: 8, maxRetries: 0 });
    assert.ok(text.trim() !== "" && (usage.outputTokens ?? 0) >= 1);
  });

  test("texts become vectors", async () => {
    const model = provider.embeddingModel(target.models.embedding);
    const { embedding, usage } = await embed({ model, value: "a fox", maxRetries: 0 });
    assert.ok(embedding.length >= 64 && usage.tokens >= 1);
    const { embeddings } = await embedMany({ model, values: ["a fox", "a report"], maxRetries: 0 });
    assert.deepEqual(
      embeddings.map(({ length }) => length),
      [embedding.length, embedding.length],
    );
  });

  test("a picture is made", async () => {
    const { image } = await generateImage({
      model: provider.imageModel(target.models.image),
      prompt: "a boat",
      size: "256x256",
      maxRetries: 0,
    });
    assert.equal(image.mediaType, "image/png");
    assert.equal(Buffer.from(image.uint8Array).toString("latin1", 1, 4), "PNG");
  });
}

function onTheLab(target: Target): void {
  const provider = providerFor(target);
  const said = plainWords.slice(0, 12).join("");
  const inputSchema = jsonSchema<{ place: string }>({ type: "object", properties: { place: { type: "string" } }, required: ["place"] });

  for (const name of ["lab-chat", "claude-lab", "gemini-lab"]) {
    test(`a tool is run and its result answered on ${name}`, async () => {
      const heard: unknown[] = [];
      const weather = tool({
        description: "the weather",
        inputSchema,
        execute: async (given) => {
          heard.push(given);
          return { sky: "clear" };
        },
      });
      const asked = { prompt: "[lab:tool=weather]", tools: { weather }, stopWhen: stepCountIs(3), maxRetries: 0 };
      const whole = await generateText({ model: provider(name), ...asked });
      assert.deepEqual([whole.text, whole.steps.length], [said, 2]);
      const stream = streamText({ model: provider(name), ...asked });
      assert.equal((await stream.text).trim(), said.trim());
      assert.deepEqual(heard, [{ place: "river stone" }, { place: "river stone" }]);
    });
  }

  test("a picture in the question is seen", async () => {
    const content = [
      { type: "text" as const, text: "what is this?" },
      { type: "file" as const, data: png(8, 8), mediaType: "image/png" },
    ];
    const { text } = await generateText({
      model: provider("lab-chat"),
      messages: [{ role: "user", content }],
      maxOutputTokens: 2,
      maxRetries: 0,
    });
    assert.equal(text, ` image${plainWords[0]}`);
  });

  test("an error is an APICallError with the service's message", async () => {
    await assert.rejects(generateText({ model: provider("nonsense"), prompt: "x", maxRetries: 0 }), (error) => {
      assert.ok(APICallError.isInstance(error));
      assert.deepEqual([error.statusCode, error.isRetryable], [404, false]);
      assert.match(error.message, /lab-chat/);
      return true;
    });
  });
}

test("an object of a schema is generated, whole and as a stream", async () => {
  const stub = await startStubUpstream();
  const { gateway, client, end } = await startCallGateway({
    providers: [stub.provider],
    models: ['"stub-chat": { kinds: [chat], routes: [{ provider: stub, model: upstream-name }], price: free }'],
  });
  after(async () => {
    await end();
    await stub.end();
  });
  const model = providerFor({ url: gateway.url, key: client.key ?? "" })("stub-chat");
  const schema = { type: "object", properties: { place: { type: "string" } }, required: ["place"], additionalProperties: false } as const;
  const asked = {
    model,
    output: Output.object({ schema: jsonSchema<{ place: string }>(schema), name: "place" }),
    prompt: "where?",
    maxRetries: 0,
  };
  const head = { id: "c", created: 1_794_700_000, model: "upstream-name" };
  const said = (content: string) => [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  stub.answer({ ...head, object: "chat.completion", choices: said('{"place":"Oslo"}') });
  assert.deepEqual((await generateText(asked)).output, { place: "Oslo" });
  const { response_format: format } = JSON.parse(stub.requests.at(-1)?.text ?? "") as {
    response_format: { type: string; json_schema: { schema: object } };
  };
  assert.deepEqual([format.type, format.json_schema.schema], ["json_schema", schema], "the schema reached the upstream");
  const chunk = (content: string, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
  stub.answer(`${chunk('{"place":', null)}${chunk('"Oslo"}', null)}${chunk("", "stop")}data: [DONE]\n\n`);
  assert.deepEqual(await streamText(asked).output, { place: "Oslo" });
});

for (const target of targets) {
  suite(`Vercel's AI SDK, ${target.name}`, () => everywhere(target));
  if (target.name === "lab") suite("Vercel's AI SDK on the lab's upstreams", () => onTheLab(target));
}
