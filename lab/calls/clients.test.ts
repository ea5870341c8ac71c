import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI, { toFile } from "openai";
import { parse } from "yaml";
import { describeCallConfiguration, describeWholeConfiguration } from "../configuration.ts";
import { mediaBytes } from "../media.ts";
import { keyHeaders, labFor, pick } from "./ask.fixture.ts";
import { plainWords } from "./words.ts";

const said = plainWords.slice(0, 12).join("");

test("OpenAI's own client understands the lab", async (context) => {
  const lab = await labFor(context);
  const client = new OpenAI({ apiKey: "lab-key", baseURL: lab.baseUrl("openai/v1"), maxRetries: 0 });
  const asked = { model: "lab-chat", messages: [{ role: "user" as const, content: "x" }] };
  const runner = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } });
  const completion = await runner.finalChatCompletion();
  assert.deepEqual([completion.choices[0]?.message.content, completion.usage?.completion_tokens], [said, 12]);
  const response = await client.responses.stream({ model: "lab-chat", input: "x" }).finalResponse();
  assert.deepEqual([response.output_text, response.usage?.output_tokens], [said, 12]);
  const { data } = await client.embeddings.create({ model: "lab-embed", input: "x" });
  assert.equal(data[0]?.embedding.length, 384);
  const file = await toFile(mediaBytes("tone.wav"), "tone.wav");
  assert.equal((await client.audio.transcriptions.create({ model: "lab-transcription", file })).text, said.trim());
  await assert.rejects(
    client.chat.completions.create({ ...asked, messages: [{ role: "user", content: "[lab:429]" }] }),
    OpenAI.RateLimitError,
  );
  assert.equal((await client.models.list()).data.length, 7);
});

test("Anthropic's own client understands the lab", async (context) => {
  const lab = await labFor(context);
  const client = new Anthropic({ apiKey: "lab-key", baseURL: lab.baseUrl("anthropic"), maxRetries: 0 });
  const tools = [{ name: "weather", input_schema: { type: "object" as const, properties: { place: { type: "string" } } } }];
  const asked = (content: string) => ({ model: "claude-lab", max_tokens: 50, tools, messages: [{ role: "user" as const, content }] });
  const message = await client.messages.stream(asked("x")).finalMessage();
  assert.deepEqual([pick(message.content, "0.text"), message.usage.output_tokens], [said, 12]);
  const called = await client.messages.stream(asked("[lab:tool=weather]")).finalMessage();
  assert.deepEqual([called.stop_reason, pick(called.content, "0.input")], ["tool_use", { place: "river stone" }]);
  await assert.rejects(client.messages.create(asked("[lab:529]")), { status: 529 });
});

test("the configuration names every upstream where it answers, and each model's provider", async (context) => {
  const lab = await labFor(context);
  const { providers, models } = parse(describeCallConfiguration(lab, "lab-key")) as {
    providers: Record<string, { type: string; base_url: string }>;
    models: Record<string, { routes: { provider: string }[] }>;
  };
  assert.deepEqual(Object.keys(providers), ["openai", "azure", "anthropic", "gemini", "ollama", "elevenlabs"]);
  assert.ok(Object.values(models).every(({ routes }) => routes.every(({ provider }) => provider in providers)));
  const lists: Record<string, string> = {
    openai: "/models",
    azure: "/openai/v1/models",
    anthropic: "/models",
    gemini: "/models",
    ollama: "/api/tags",
    elevenlabs: "/voices",
  };
  for (const [name, path] of Object.entries(lists)) {
    const reply = await fetch(`${providers[name]?.base_url}${path}`, { headers: keyHeaders[name] });
    assert.equal(reply.status, 200, name);
  }
  const whole = parse(describeWholeConfiguration(lab, "lab-key")) as { providers: object; models: object };
  assert.ok("runway" in whole.providers && "openai" in whole.providers && "gen4.5" in whole.models && "lab-chat" in whole.models);
});
