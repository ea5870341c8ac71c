import assert from "node:assert/strict";
import { test } from "node:test";
import { BrokenReply } from "../../core/call.ts";
import { chatWords, completionWords, messageWords, responseWords } from "./event-words.ts";
import { SseMeter, type EventWords } from "./sse-meter.ts";

type Options = { showsUse?: boolean; alias?: string | null; prompt?: number };

function meterOf(words: EventWords = chatWords, { showsUse = false, alias = null, prompt = 7 }: Options = {}): SseMeter {
  return new SseMeter({ words, showsUse, alias, countPrompt: () => Promise.resolve(prompt) });
}

const event = (value: unknown, name?: string) => `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`;
const word = (content: string) => event({ model: "up", choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null });
const end = event({ model: "up", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const use = (prompt: number, completion: number) =>
  event({ model: "up", choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } });
const done = "data: [DONE]\n\n";

/** Everything that the meter lets through of a text that comes in pieces of a size. */
function passed(meter: SseMeter, text: string, size = text.length): string {
  const bytes = Buffer.from(text);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = meter.pass(bytes.subarray(at, at + size));
    if (piece !== null) out.push(piece);
  }
  return Buffer.concat(out).toString();
}

test("events pass as the bytes they are, however they are cut", () => {
  const text = `: hello\n\n${word(" 😀 é")}${word(' "quoted" {usage} [DONE')}id: 4\n${word(" x")}`;
  for (const size of [1, 2, 3, 7, 64, 1000]) assert.equal(passed(meterOf(), text, size), text, `pieces of ${size}`);
});

test("other line ends pass likewise", () => {
  const text = `${word(" a")}${word(" b")}`.replaceAll("\n", "\r\n");
  for (const size of [1, 5, 1000]) assert.equal(passed(meterOf(), text, size), text);
});

test("half an event stays back", () => {
  const meter = meterOf();
  assert.equal(passed(meter, word(" a") + word(" b").slice(0, -1)), word(" a"));
  assert.equal(meter.isWhole(), false);
});

test("at the end of the stream an event that lacks only its empty line counts, and half an event is none", () => {
  const half = meterOf();
  passed(half, word(" a") + word(" b").slice(0, -30));
  assert.equal(half.flush(), null);
  const whole = meterOf();
  passed(whole, word(" a") + word(" b").slice(0, -2));
  assert.equal(
    Buffer.from(whole.flush() ?? "")
      .toString()
      .trim(),
    word(" b").trim(),
  );
  const last = meterOf();
  passed(last, word(" a") + end + "data: [DONE]");
  assert.equal(last.flush(), null);
  assert.equal(last.isWhole(), true);
});

test("what tells the use and ends the reply waits until it is paid for", () => {
  for (const size of [1, 9, 10_000]) {
    const meter = meterOf();
    assert.equal(passed(meter, word(" a") + end + use(9, 4) + done, size), word(" a") + end);
    assert.equal(meter.isWhole(), true);
    assert.deepEqual(meter.told(), { inputTokens: 9, outputTokens: 4 });
    assert.equal(Buffer.from(meter.last(0.5, { estimated: false })).toString(), done);
  }
});

test("a client that asked for the use gets it with the cost", () => {
  const meter = meterOf(chatWords, { showsUse: true });
  passed(meter, word(" a") + end + use(9, 4) + done);
  const last = Buffer.from(meter.last(0.5, { estimated: false })).toString();
  assert.ok(last.endsWith(done));
  assert.deepEqual(JSON.parse(last.split("\n")[0]?.slice(6) ?? ""), {
    model: "up",
    choices: [],
    usage: { prompt_tokens: 9, completion_tokens: 4, cost: 0.5 },
  });
});

test("the newest use counts, and what nobody told is counted", async () => {
  const meter = meterOf(completionWords);
  passed(meter, event({ choices: [{ text: " river" }] }) + event({ choices: [{ text: " stone" }] }));
  assert.equal(meter.told(), null);
  assert.deepEqual(await meter.counted(), { inputTokens: 7, outputTokens: 2 });
  passed(meter, event({ choices: [{ text: " light" }], usage: { prompt_tokens: 3, completion_tokens: 3 } }));
  passed(meter, use(3, 5));
  assert.deepEqual(meter.told(), { inputTokens: 3, outputTokens: 5 });
});

test("a use of nothing at all is not believed when there was a reply", async () => {
  const meter = meterOf();
  passed(meter, word(" river") + word(" stone") + end + use(0, 0) + done);
  assert.equal(meter.told(), null);
  assert.deepEqual(await meter.counted(), { inputTokens: 7, outputTokens: 2 });
});

test("a use that no reply can have is not believed", async () => {
  const meter = meterOf();
  passed(meter, word(" river") + end + use(7, 1e300) + done);
  assert.equal(meter.told(), null);
});

test("a long stream is counted by a part of it, within one in a hundred", async () => {
  const meter = meterOf();
  for (let n = 0; n < 5_000; n++) passed(meter, word([" river", " stone", " mountain", " light"][n % 4] ?? ""));
  const { outputTokens = 0 } = await meter.counted();
  assert.ok(Math.abs(outputTokens - 5_000) < 50, String(outputTokens));
});

test("an error inside the stream breaks it, and its words are not repeated", () => {
  for (const [type, why] of [
    ["server_error", "transient"],
    ["rate_limit_error", "rate_limit"],
    ["content_filter", "content_policy"],
  ] as const) {
    const told = event({ error: { type, message: "the key sk-secret is bad at 10.0.0.1" } });
    assert.throws(
      () => passed(meterOf(), word(" a") + told),
      (error) => error instanceof BrokenReply && error.refusal.class === why && !String(error.refusal.cause).includes("sk-secret"),
    );
  }
});

test("an error that is only a text breaks the stream too", () => {
  assert.throws(() => passed(meterOf(), event({ error: "model crashed at 10.0.0.1" })), BrokenReply);
});

test("an event that does not end is given up", () => {
  const meter = meterOf();
  const piece = Buffer.alloc(1024 * 1024, "a");
  assert.throws(() => {
    for (let n = 0; n < 10; n++) meter.pass(piece);
  }, BrokenReply);
});

test("the client's name of the model is shown from the first event to the last", () => {
  const meter = meterOf(chatWords, { alias: 'mein "Modell"', showsUse: true });
  const out =
    passed(meter, word(' say "model":"up"') + word(" é") + end + use(1, 1) + done, 11) +
    Buffer.from(meter.last(0, { estimated: false })).toString();
  assert.equal(out.split('"model":"mein \\"Modell\\""').length - 1, 4);
  assert.ok(!out.includes('"model":"up"'));
  assert.ok(out.includes('say \\"model\\":\\"up\\"') && out.includes(" é"));
});

test("an event of several lines keeps its form beside one that waits", () => {
  const lines = 'data: {"choices":[{"delta":\ndata: {"content":" a"}}]}\n\n';
  const out = passed(meterOf(), lines + done);
  const values = out.split("\n\n").filter((block) => block !== "");
  assert.equal(values.length, 1);
  const data = values[0]?.split("\n").map((line) => line.replace(/^data: /, "")) ?? [];
  assert.doesNotThrow(() => JSON.parse(data.join("\n")) as unknown);
  assert.ok(values[0]?.split("\n").every((line) => line.startsWith("data: ")));
});

test("a chat that has its last word but no mark of the end is whole; one that lacks it is not", () => {
  const whole = meterOf();
  passed(whole, word(" a") + end);
  assert.equal(whole.isWhole(), true);
  const half = meterOf();
  passed(half, word(" a"));
  assert.equal(half.isWhole(), false);
});

test("Anthropic's last two events wait, and tell the use beside what the first one told", () => {
  const meter = meterOf(messageWords, { showsUse: true });
  const start = event(
    { type: "message_start", message: { model: "up", usage: { input_tokens: 11, cache_read_input_tokens: 5 } } },
    "message_start",
  );
  const delta = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " river" } }, "content_block_delta");
  const last = event({ type: "message_delta", delta: {}, usage: { output_tokens: 4 } }, "message_delta");
  const stop = event({ type: "message_stop" }, "message_stop");
  assert.equal(passed(meter, start + delta + last + stop), start + delta);
  assert.deepEqual(meter.told(), { inputTokens: 16, outputTokens: 4 });
  assert.match(
    Buffer.from(meter.last(0.25, { estimated: false })).toString(),
    /event: message_delta\ndata: .*"cost":0\.25.*\n\nevent: message_stop\n/,
  );
});

test("a response that failed or told an error is not passed on in the upstream's words", () => {
  const failed = event(
    { type: "response.failed", response: { status: "failed", error: { code: "x", message: "at 10.0.0.1" } } },
    "response.failed",
  );
  assert.throws(() => passed(meterOf(responseWords), failed), BrokenReply);
  const error = event({ type: "error", code: "server_error", message: "at 10.0.0.1", param: null }, "error");
  assert.throws(() => passed(meterOf(responseWords), error), BrokenReply);
});

test("a response's last event repeats the whole and waits", () => {
  const meter = meterOf(responseWords, { showsUse: true });
  const delta = event({ type: "response.output_text.delta", delta: " river" }, "response.output_text.delta");
  const last = event({ type: "response.completed", response: { usage: { input_tokens: 3, output_tokens: 1 } } }, "response.completed");
  assert.equal(passed(meter, delta + last), delta);
  assert.equal(meter.isWhole(), true);
  assert.deepEqual(meter.told(), { inputTokens: 3, outputTokens: 1 });
});
