import assert from "node:assert/strict";
import { test } from "node:test";
import { discreet, refusalInside, refusalOf } from "./failure.ts";

const secret = "sk-live-abcdef123456";
const refusal = (status: number, body: unknown) => refusalOf({ status, headers: {}, body, text: JSON.stringify(body) }, secret);

const kept = [
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
  "Invalid value for 'key_frames_count': expected one of 1, 2.5 or 3.0.",
  "Invalid type for 'messages[0].content': expected a string, but got an object instead.",
  "The model gpt-4.1-mini does not take 'org_policy_names'; see google/gemma-2 or mistral-large-latest.",
  'Invalid schema: {"loc":["body","logit_bias"],"msg":"Extra inputs are not permitted"}',
];
for (const message of kept) {
  test(`"${message.slice(0, 50)}…" reaches the client as it is`, () => assert.equal(discreet(message, secret), message));
}

const hidden: [string, string][] = [
  [`No such size for ${secret}.`, "No such size for ***."],
  ["See https://platform.openai.com/docs?x=1 (or help.openai.com).", "See (address) (or (address))."],
  ["Key sk-proj-****cdef of org-a1b2c3d4e5 (req_0a1b2c3d4e) is wrong.", "Key *** of *** (***) is wrong."],
  ["AIzaSyA1234567890abcdef is no key of projects/my-project-1.", "*** is no key of projects/***."],
  ["Cannot reach 10.0.0.5:8000, localhost:11434 or vllm.default.svc:80.", "Cannot reach (address), (address) or (address)."],
  ["Write to ops@example.org about 8f14e45f-ceea-467f-a0e6-0123456789ab.", "Write to (address) about ***."],
  ["OpenAI does not allow this; neither does Azure.", "the provider does not allow this; neither does the provider."],
];
for (const [message, expected] of hidden) {
  test(`"${message.slice(0, 40)}…" says nothing of the upstream`, () => assert.equal(discreet(message, secret), expected));
}

test("a sentence is never endless", () => assert.equal(discreet("long ".repeat(400), secret).length, 499));

const classes: [string, number, unknown, string][] = [
  ["OpenAI's empty account", 429, { error: { code: "insufficient_quota", type: "insufficient_quota", message: "m" } }, "quota"],
  ["OpenAI's limit of requests", 429, { error: { code: "rate_limit_exceeded", message: "m" } }, "rate_limit"],
  ["Anthropic's empty account", 400, { error: { type: "invalid_request_error", message: "Your credit balance is too low" } }, "quota"],
  ["Anthropic's overload", 529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "transient"],
  [
    "Anthropic's filter",
    400,
    { error: { type: "invalid_request_error", message: "Output blocked by content filtering policy" } },
    "content_policy",
  ],
  [
    "Google's wrong key",
    400,
    { error: { code: 400, status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." } },
    "auth",
  ],
  ["Google's wrong country", 400, { error: { code: 400, message: "User location is not supported for the API use." } }, "unsupported"],
  ["Google's limit", 429, { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "m" } }, "rate_limit"],
  ["xAI's wrong key", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***" }, "auth"],
  ["Ollama's unable model", 400, { error: '"x" does not support tools' }, "unsupported"],
  ["llama.cpp while it loads", 503, { error: { code: 503, type: "unavailable_error", message: "Loading model" } }, "transient"],
  ["a context that is too long", 400, { error: { code: 400, type: "exceed_context_size_error", message: "m" } }, "invalid"],
  ["ElevenLabs' unknown voice", 404, { detail: { status: "voice_not_found", message: "m" } }, "invalid"],
  ["DashScope's inspection", 400, { error: { code: "data_inspection_failed", message: "m" } }, "content_policy"],
  ["DeepSeek's inspection", 400, { error: { type: "invalid_request_error", message: "Content Exists Risk" } }, "content_policy"],
  ["Ark's inspection", 400, { error: { code: "InputTextSensitiveContentDetected.PolicyViolation" } }, "content_policy"],
  ["a page of HTML", 502, undefined, "transient"],
];
for (const [name, status, body, expected] of classes) {
  test(`${name} means ${expected}`, () => assert.equal(refusal(status, body).class, expected));
}

test("only a wrong request is told what the upstream says, and which field is at fault", () => {
  const error = { message: "Bad 'size'.", param: "size", type: "invalid_request_error", code: null };
  const { says, param } = refusal(400, { error });
  assert.deepEqual([says, param], ["Bad 'size'.", "size"]);
  const trouble = refusal(500, { error });
  assert.deepEqual([trouble.says, trouble.param], ["The provider could not complete the request.", undefined]);
});

test("an error inside a stream has the class of its code", () => {
  assert.equal(refusalInside({ error: { code: 429, message: "slow down" } }, secret).class, "rate_limit");
  assert.equal(refusalInside({ type: "error", error: { type: "overloaded_error", message: "m" } }, secret).class, "transient");
  assert.equal(refusalInside({ error: "the runner has died" }, secret).class, "transient");
});
