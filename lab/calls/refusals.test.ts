import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lab } from "../lab.ts";
import { ask, askRaw, chat, labFor, pick } from "./ask.fixture.ts";

/** One request of each dialect. */
const requests: Record<string, { place: string; body(prompt: string): object; message: string }> = {
  openai: { place: "openai/v1/chat/completions", body: (prompt) => chat(prompt), message: "error.message" },
  azure: { place: "azure/openai/v1/chat/completions", body: (prompt) => chat(prompt), message: "error.message" },
  anthropic: { place: "anthropic/v1/messages", body: (prompt) => ({ ...chat(prompt), max_tokens: 50 }), message: "error.message" },
  gemini: {
    place: "gemini/v1beta/models/gemini-lab:generateContent",
    body: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    message: "error.message",
  },
  ollama: { place: "ollama/api/chat", body: (prompt) => ({ ...chat(prompt), stream: false }), message: "error" },
  elevenlabs: { place: "elevenlabs/v1/text-to-speech/labvoice1", body: (text) => ({ text }), message: "detail.message" },
};

async function refused(lab: Lab, name: string, prompt: string) {
  const { place, body } = requests[name] ?? { place: "", body: () => ({}) };
  const reply = await ask(lab, place, body(prompt), name === "ollama" ? { authorization: "Bearer lab-key" } : {});
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

test("a status comes with the shape of its upstream, the wait, and the key in plain", async (context) => {
  const lab = await labFor(context);
  for (const [name, { message }] of Object.entries(requests)) {
    for (const mark of ["401", "404", "429=2", "500", "503=1", "529"]) {
      const { status, headers, body } = await refused(lab, name, `[lab:${mark}]`);
      assert.equal(status, Number(mark.slice(0, 3)), name);
      assert.match(String(pick(body, message)), /lab-key/, `${name} ${mark}`);
      assert.equal(headers.get("retry-after"), mark.split("=")[1] ?? null, `${name} ${mark}`);
    }
  }
  assert.ok(lab.calls().every(({ ended, status, completionTokens }) => ended === "refused" && status >= 401 && completionTokens === 0));
});

test("limits come with the upstream's own headers", async (context) => {
  const lab = await labFor(context);
  const header = async (name: string, field: string) => (await refused(lab, name, "[lab:429=2]")).headers.get(field);
  assert.equal(await header("openai", "x-ratelimit-reset-requests"), "2s");
  assert.equal(await header("anthropic", "anthropic-ratelimit-requests-remaining"), "0");
  assert.equal(await header("elevenlabs", "maximum-concurrent-requests"), "5");
  const { body } = await refused(lab, "gemini", "[lab:429=2]");
  assert.equal(pick(body, "error.details.0.retryDelay"), "2s");
});

test("refusals have the words of their upstream", async (context) => {
  const lab = await labFor(context);
  const words: [string, string, number, string, unknown][] = [
    ["openai", "content_policy", 400, "error.code", "content_policy_violation"],
    ["openai", "quota", 429, "error.code", "insufficient_quota"],
    ["openai", "auth", 401, "error.code", "invalid_api_key"],
    ["openai", "context", 400, "error.code", "context_length_exceeded"],
    ["openai", "invalid", 400, "error.type", "invalid_request_error"],
    ["azure", "content_policy", 400, "error.code", "content_filter"],
    ["anthropic", "quota", 402, "error.type", "billing_error"],
    ["anthropic", "auth", 401, "error.type", "authentication_error"],
    ["anthropic", "content_policy", 400, "error.type", "invalid_request_error"],
    ["gemini", "auth", 400, "error.details.0.reason", "API_KEY_INVALID"],
    ["gemini", "quota", 429, "error.status", "RESOURCE_EXHAUSTED"],
    ["gemini", "content_policy", 200, "promptFeedback.blockReason", "PROHIBITED_CONTENT"],
    ["elevenlabs", "context", 400, "detail.status", "max_character_limit_exceeded"],
    ["elevenlabs", "auth", 401, "detail.status", "invalid_api_key"],
  ];
  for (const [name, reason, status, path, value] of words) {
    const reply = await refused(lab, name, `[lab:refuse=${reason}]`);
    assert.deepEqual([reply.status, pick(reply.body, path)], [status, value], `${name} ${reason}`);
    assert.match(JSON.stringify(reply.body), /lab-key/);
  }
  const { body } = await refused(lab, "anthropic", "[lab:529]");
  assert.equal(pick(body, "error.type"), "overloaded_error");
});

test("a reset comes before any reply, and a page instead of one", async (context) => {
  const lab = await labFor(context);
  for (const [name, { place, body }] of Object.entries(requests)) {
    assert.deepEqual(await askRaw(lab, place, body("[lab:reset]")), { text: "", end: "ECONNRESET" }, name);
    const page = await ask(lab, place, body("[lab:html]"));
    assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html"]);
  }
  assert.deepEqual(
    lab
      .calls()
      .slice(0, 2)
      .map(({ ended, status }) => [ended, status]),
    [
      ["cut", 0],
      ["refused", 200],
    ],
  );
});

test("a truncated reply has half its JSON under the right length", async (context) => {
  const lab = await labFor(context);
  const whole = await (await ask(lab, "openai/v1/chat/completions", chat("twelve words please!"))).text();
  const reply = await ask(lab, "openai/v1/chat/completions", chat("[lab:truncated] please!"));
  const text = await reply.text();
  assert.equal(reply.headers.get("content-length"), String(text.length));
  assert.ok(Math.abs(text.length - whole.length / 2) < 10);
  assert.throws(() => JSON.parse(text));
  assert.equal(lab.calls()[1]?.ended, "cut");
});

test("marks count down, each for itself, and can be meant for one upstream only", async (context) => {
  const lab = await labFor(context);
  const statuses = [];
  for (let count = 0; count < 4; count++) statuses.push((await refused(lab, "openai", "[lab:503 x2] [lab:429 x1]")).status);
  assert.deepEqual(statuses, [503, 503, 429, 200]);
  const prompt = "[lab:only=openai] [lab:503]";
  assert.equal((await refused(lab, "openai", prompt)).status, 503);
  assert.equal((await refused(lab, "anthropic", prompt)).status, 200);
  assert.equal((await refused(lab, "openai", "[lab:only=claude-lab] [lab:503]")).status, 200);
});

test("a reply can be late", async (context) => {
  const lab = await labFor(context);
  const startedAt = performance.now();
  await refused(lab, "openai", "[lab:delay=60]");
  assert.ok(performance.now() - startedAt >= 59);
});

test("the script's rates spoil calls in their share", async (context) => {
  const lab = await labFor(context, { script: { limitRate: 0.2, errorRate: 0.2, malformedRate: 0.2 } });
  const seen = { 429: 0, 500: 0, 200: 0 };
  for (let count = 0; count < 200; count++) {
    const reply = await ask(lab, "openai/v1/chat/completions", chat(`call ${count}`));
    await reply.text();
    if (reply.status === 429 || reply.status === 500 || reply.status === 200) seen[reply.status]++;
  }
  assert.ok(seen[429] > 20 && seen[429] < 60 && seen[500] > 20 && seen[500] < 60, JSON.stringify(seen));
  const broken = lab.calls().filter(({ ended, status }) => status === 200 && ended !== "complete").length;
  assert.ok(broken > 20 && broken < 60, `${broken} were spoiled`);
});
