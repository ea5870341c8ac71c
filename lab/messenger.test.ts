import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { Dialect } from "./dialect.ts";
import { createLab } from "./lab.ts";
import type { Script } from "./script.ts";
import { toy } from "./toy.fixture.ts";

type Message = { path: string; state: string; id: string; isSigned: boolean };
type Answer = { status?: number; body?: string };

async function openReceiver(context: TestContext, answer: (count: number, body: string) => Answer) {
  const messages: Message[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const signature = createHmac("sha256", "toy-secret").update(body).digest("hex");
    const { state = "" }: { state?: string } = JSON.parse(body);
    const id = String(request.headers["x-id"]);
    messages.push({ path: request.url ?? "", state, id, isSigned: request.headers["x-signature"] === signature });
    const { status = 200, body: said = "" } = answer(messages.length, body);
    response.writeHead(status).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/hook`, messages };
}

type Told = { script?: Partial<Script>; dialect?: Dialect; answer?: (count: number, body: string) => Answer };

/** Carries one job through all its states, and gives back what was told of it. */
async function carry(context: TestContext, prompt: string, { script = {}, dialect = toy, answer = () => ({}) }: Told = {}) {
  let now = 1_000_000;
  const times = { minSeconds: 100, maxSeconds: 100, queueSeconds: 10 };
  const lab = await createLab({ dialects: [dialect], now: () => now, script: { ...times, ...script } });
  context.after(() => lab.close());
  const { url, messages } = await openReceiver(context, answer);
  const headers = { authorization: "Bearer lab-key", "content-type": "application/json" };
  await fetch(`${lab.baseUrl("toy")}/jobs`, { method: "POST", headers, body: JSON.stringify({ prompt, hook: url }) });
  for (const seconds of [0, 20, 100]) {
    now += seconds * 1_000;
    await lab.sendCallbacks();
  }
  return { lab, messages, states: messages.map(({ state }) => state) };
}

test("each change of a job is told to its address, signed with the secret that came along, and logged", async (context) => {
  const { lab, messages, states } = await carry(context, "waves");
  assert.deepEqual(states, ["queued", "running", "done"]);
  assert.ok(messages.every(({ isSigned, path }) => isSigned && path === "/hook"));
  assert.deepEqual(
    lab.callbacks().map(({ state, attempt, fate, status }) => [state, attempt, fate, status]),
    [
      ["queued", 1, "sent", 200],
      ["running", 1, "sent", 200],
      ["done", 1, "sent", 200],
    ],
  );
  const listed: unknown = await (await fetch(`${lab.url}/lab/callbacks?prompt=wave`)).json();
  assert.equal(Array.isArray(listed) && listed.length, 3);
});

test("marks lose callbacks, send them twice, turn their order, or forge them", async (context) => {
  assert.deepEqual((await carry(context, "[lab:callback=lost]")).states, []);
  const twice = await carry(context, "[lab:callback=twice]");
  assert.deepEqual(twice.states, ["queued", "queued", "running", "running", "done", "done"]);
  assert.equal(twice.messages[0]?.id, twice.messages[1]?.id);
  assert.deepEqual((await carry(context, "[lab:callback=late]")).states, ["done", "running", "queued"]);
  const forged = await carry(context, "[lab:callback=forged]");
  assert.deepEqual(
    forged.messages.map(({ isSigned }) => isSigned),
    [false, false, false],
  );
});

test("where nothing is signed, a forged message goes to another address", async (context) => {
  const unsigned: Dialect = { ...toy, callback: ({ state }) => ({ headers: {}, body: JSON.stringify({ state }) }) };
  const { messages } = await carry(context, "[lab:callback=forged]", { dialect: unsigned });
  assert.equal(messages.length, 3);
  assert.ok(messages.every(({ path }) => path !== "/hook" && path.length === 5));
});

test("rates decide over callbacks too", async (context) => {
  assert.deepEqual((await carry(context, "waves", { script: { callbackLossRate: 1 } })).states, []);
  assert.equal((await carry(context, "waves", { script: { callbackDuplicateRate: 1 } })).states.length, 6);
  assert.deepEqual((await carry(context, "waves", { script: { callbackReorderRate: 1 } })).states, ["done", "running", "queued"]);
});

test("a callback that is not taken is sent again, and given up in the end", async (context) => {
  const once = await carry(context, "waves", { answer: (count) => ({ status: count === 1 ? 500 : 200 }) });
  assert.deepEqual(once.states, ["queued", "queued", "running", "done"]);
  const never = await carry(context, "waves", { answer: (count) => ({ status: count <= 3 ? 500 : 200 }) });
  assert.deepEqual(never.states, ["queued", "queued", "queued", "running", "done"]);
});

test("states of which the upstream says nothing are not told", async (context) => {
  const quiet: Dialect = { ...toy, callback: (job, given) => (job.state === "done" ? (toy.callback?.(job, given) ?? null) : null) };
  assert.deepEqual((await carry(context, "waves", { dialect: quiet })).states, ["done"]);
});

test("an address that does not echo the challenge is told nothing", async (context) => {
  const wary: Dialect = { ...toy, challenge: () => ({ headers: {}, body: '{"challenge":"abc"}', wants: "abc" }) };
  const echo = (_: number, body: string) => ({ body });
  const heard = await carry(context, "waves", { dialect: wary, answer: echo });
  assert.deepEqual(heard.states, ["", "queued", "running", "done"]);
  assert.deepEqual((await carry(context, "waves", { dialect: wary })).states, [""]);
});

test("callbacks come by themselves, by the lab's clock and speed", async (context) => {
  const lab = await createLab({ dialects: [toy], speed: 1_000, script: { minSeconds: 20, maxSeconds: 20, queueSeconds: 10 } });
  context.after(() => lab.close());
  const { promise, resolve } = Promise.withResolvers<void>();
  const { url, messages } = await openReceiver(context, (count) => {
    if (count === 3) resolve();
    return {};
  });
  const headers = { authorization: "Bearer lab-key", "content-type": "application/json" };
  await fetch(`${lab.baseUrl("toy")}/jobs`, { method: "POST", headers, body: JSON.stringify({ prompt: "waves", hook: url }) });
  await promise;
  assert.deepEqual(
    messages.map(({ state }) => state),
    ["queued", "running", "done"],
  );
});
