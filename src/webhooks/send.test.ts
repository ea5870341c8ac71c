import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test from "node:test";
import type { TestContext } from "node:test";
import { Webhook } from "standardwebhooks";
import { parseCidrs } from "../kit/address.ts";
import { retryDelayMs, sendWebhook } from "./send.ts";
import { createWebhookSecret } from "./sign.ts";

const allow = parseCidrs(["127.0.0.0/8"]);
const secret = createWebhookSecret();
const message = { id: "msg_1", secrets: [secret], body: '{"type":"task.succeeded"}', allow };

type Received = { body: string; headers: IncomingMessage["headers"]; method?: string };

async function receiver(
  t: TestContext,
  answer: (reply: ServerResponse, request: IncomingMessage) => void,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    received.push({ body, headers: request.headers, method: request.method });
    answer(reply, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

test("a receiver gets a message it can verify, and any 2xx is a delivery", async (t) => {
  for (const status of [200, 202, 204, 299]) {
    const { url, received } = await receiver(t, (reply) => reply.writeHead(status).end());
    assert.deepEqual(await sendWebhook({ ...message, url, timestampMs: Date.now() }), { state: "delivered", status });
    const [only] = received;
    assert.equal(received.length, 1);
    assert.deepEqual([only?.method, only?.headers["content-type"]], ["POST", "application/json"]);
    assert.deepEqual(new Webhook(secret).verify(only?.body ?? "", only?.headers as Record<string, string>), { type: "task.succeeded" });
  }
});

test("410 means gone, and every other status is a failure with the status as its cause", async (t) => {
  for (const status of [400, 401, 404, 409, 429, 500, 503]) {
    const { url } = await receiver(t, (reply) => reply.writeHead(status).end("secret words"));
    assert.deepEqual(await sendWebhook({ ...message, url, timestampMs: 0 }), { state: "failed", status, cause: `answered ${status}` });
  }
  const { url } = await receiver(t, (reply) => reply.writeHead(410).end());
  assert.deepEqual(await sendWebhook({ ...message, url, timestampMs: 0 }), { state: "gone", status: 410 });
});

test("a redirect is a failure and is not followed", async (t) => {
  const inside = await receiver(t, (reply) => reply.end());
  for (const status of [301, 302, 303, 307, 308]) {
    const { url } = await receiver(t, (reply) => reply.writeHead(status, { location: inside.url }).end());
    const outcome = await sendWebhook({ ...message, url, timestampMs: 0 });
    assert.deepEqual([outcome.state, outcome.status], ["failed", status]);
  }
  assert.equal(inside.received.length, 0);
});

test("a receiver can say when to try again, in seconds or as a date, at most a day away", async (t) => {
  const date = () => new Date(Date.now() + 60_000).toUTCString();
  const cases: [() => string, (ms: number | undefined) => boolean][] = [
    [() => "120", (ms) => ms === 120_000],
    [() => "0", (ms) => ms === 0],
    [() => "999999999", (ms) => ms === 86_400_000],
    [date, (ms) => ms !== undefined && ms > 50_000 && ms <= 60_000],
    [() => "soon", (ms) => ms === undefined],
    [() => "-5", (ms) => ms === undefined],
    [() => new Date(0).toUTCString(), (ms) => ms === undefined],
  ];
  for (const [value, fits] of cases) {
    const { url } = await receiver(t, (reply) => reply.writeHead(503, { "retry-after": value() }).end());
    const outcome = await sendWebhook({ ...message, url, timestampMs: 0 });
    assert.ok(outcome.state === "failed" && fits(outcome.retryAfterMs), `${value()}: ${JSON.stringify(outcome)}`);
  }
});

test("a body in the answer is neither waited for nor judged", async (t) => {
  const { url } = await receiver(t, (reply) =>
    reply.writeHead(200, { "content-encoding": "gzip", "content-length": 10 ** 9 }).write("never ends"),
  );
  assert.deepEqual(await sendWebhook({ ...message, url, timestampMs: 0, timeoutMs: 2000 }), { state: "delivered", status: 200 });
});

test("private addresses, names that lead there and dead ports fail without a status", async (t) => {
  const { url, received } = await receiver(t, (reply) => reply.end());
  const refused = await sendWebhook({ ...message, url, timestampMs: 0, allow: parseCidrs([]) });
  assert.ok(refused.state === "failed" && refused.status === null && /outbound\.allow/.test(refused.cause));
  const named = {
    ...message,
    url: url.replace("127.0.0.1", "hooks.example"),
    timestampMs: 0,
    allow: parseCidrs([]),
    resolve: async () => ["127.0.0.1"],
  };
  assert.equal((await sendWebhook(named)).state, "failed");
  assert.equal((await sendWebhook({ ...message, url: "not a url", timestampMs: 0 })).state, "failed");
  assert.equal(received.length, 0);
});

test("a receiver that never answers fails in time", async (t) => {
  const { url } = await receiver(t, () => {});
  const outcome = await sendWebhook({ ...message, url, timestampMs: 0, timeoutMs: 60 });
  assert.ok(outcome.state === "failed" && outcome.status === null && /60 ms/.test(outcome.cause), JSON.stringify(outcome));
});

test("a try that its own caller ends throws the caller's reason instead of blaming the receiver", async (t) => {
  const control = new AbortController();
  const { url } = await receiver(t, () => control.abort(new Error("draining")));
  await assert.rejects(sendWebhook({ ...message, url, timestampMs: 0, signal: control.signal }), /draining/);
});

test("a message without a secret is not sent at all", async (t) => {
  const { url, received } = await receiver(t, (reply) => reply.end());
  await assert.rejects(sendWebhook({ ...message, secrets: [], url, timestampMs: 0 }), /at least one secret/);
  assert.equal(received.length, 0);
});

test("tries are spread over about three days with a tenth of chance, and then end", () => {
  const middle = Array.from({ length: 11 }, (_, attempt) => retryDelayMs(attempt, () => 0.5));
  const minutes = [0, 5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
  assert.deepEqual(middle, [...minutes.map((value) => Math.round(value * 60_000)), null]);
  for (let attempt = 0; attempt < 10; attempt++) {
    const delay = middle[attempt] ?? NaN;
    assert.equal(
      retryDelayMs(attempt, () => 0),
      Math.round(delay * 0.9),
    );
    assert.equal(
      retryDelayMs(attempt, () => 1),
      Math.round(delay * 1.1),
    );
  }
  assert.equal(
    retryDelayMs(99, () => 0.5),
    null,
  );
  assert.equal(
    retryDelayMs(-1, () => 0.5),
    null,
  );
});
