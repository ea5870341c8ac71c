import assert from "node:assert/strict";
import { test } from "node:test";
import { createTransport, type TransportOptions } from "./transport.ts";

type Answer = number | Error | { status: number; retryAfter: string };
type Seen = { key: string | null; authorization: string | null; account: string | null; body: string };

/** A transport whose tries are answered one after the other. */
function scripted(answers: Answer[], options: Partial<TransportOptions> = {}) {
  const seen: Seen[] = [];
  const pauses: number[] = [];
  const send = createTransport({
    async send(request) {
      const next = answers[seen.length] ?? 200;
      const shown = (name: string) => request.headers.get(name);
      seen.push({
        key: shown("idempotency-key"),
        authorization: shown("authorization"),
        account: shown("x-genway-account"),
        body: await request.text(),
      });
      if (next instanceof Error) throw next;
      const { status, retryAfter } = typeof next === "number" ? { status: next, retryAfter: null } : next;
      return new Response("{}", { status, headers: retryAfter === null ? {} : { "retry-after": retryAfter } });
    },
    pause: async (ms) => void pauses.push(ms),
    random: () => 1,
    makeKey: () => `made ${seen.length}`,
    ...options,
  });
  return { send, seen, pauses };
}

const create = (path = "/musicA/submit/lyrics", init: RequestInit = {}) =>
  new Request(`http://x${path}`, { method: "POST", body: "words", ...init });
const lost = new TypeError("fetch failed");

test("a create that gets no reply is sent again with the same body and the same idempotency key", async () => {
  const { send, seen, pauses } = scripted([lost, 502, 504]);
  assert.equal((await send(create())).status, 200);
  assert.deepEqual(
    seen.map(({ key, body }) => [key, body]),
    Array.from({ length: 4 }, () => ["made 0", "words"]),
  );
  assert.deepEqual(pauses, [500, 1000, 2000]);
});

test("an idempotency key that was given is kept", async () => {
  const { send, seen } = scripted([503]);
  await send(create("/v1/videos", { headers: { "idempotency-key": "mine" } }));
  assert.deepEqual(
    seen.map(({ key }) => key),
    ["mine", "mine"],
  );
});

test("the service says how long to wait", async () => {
  const { send, pauses } = scripted([{ status: 429, retryAfter: "3" }]);
  assert.equal((await send(create())).status, 200);
  assert.deepEqual(pauses, [3000]);
});

test("a wait of more than a minute is left to the caller", async () => {
  const { send, seen } = scripted([{ status: 429, retryAfter: "61" }]);
  assert.equal((await send(create())).status, 429);
  assert.equal(seen.length, 1);
});

test("tries end, with the last reply or the last error", async () => {
  const refused = scripted([503, 503, 503]);
  assert.equal((await scripted([503, 503, 503], { retries: 2 }).send(create())).status, 503);
  assert.equal((await refused.send(create())).status, 200);
  await assert.rejects(scripted([lost, lost], { retries: 1 }).send(create()), lost);
});

test("what is wrong stays wrong: refusals are not repeated", async () => {
  for (const status of [400, 401, 402, 404, 409, 422, 500]) {
    const { send, seen } = scripted([status]);
    assert.equal((await send(create())).status, status);
    assert.equal(seen.length, 1);
  }
});

test("while an earlier try is still under way, the next one waits for it", async () => {
  const { send } = scripted([lost, { status: 409, retryAfter: "1" }]);
  assert.equal((await send(create())).status, 200);
});

test("what knows no idempotency key is repeated only where it was turned away", async () => {
  for (const path of ["/v1/webhooks", "/admin/v1/credits", "/v1/files", "/v1/tasks/x/cancel"]) {
    await assert.rejects(scripted([lost]).send(create(path)), lost);
    assert.equal((await scripted([502]).send(create(path))).status, 502);
    assert.equal((await scripted([503]).send(create(path))).status, 200);
  }
});

test("reading may be repeated, and needs no idempotency key", async () => {
  const { send, seen } = scripted([lost, 504]);
  await send(new Request("http://x/v1/webhooks"));
  assert.deepEqual(
    seen.map(({ key }) => key),
    [null, null, null],
  );
});

test("whoever leaves is not kept", async () => {
  const left = AbortSignal.abort(new Error("left"));
  const { send, seen } = scripted([lost]);
  await assert.rejects(send(create(undefined, { signal: left })));
  assert.ok(seen.length <= 1);
});

test("key and account go with every request, unless it shows its own", async () => {
  const { send, seen } = scripted([], { key: "sk-1", account: "acme" });
  await send(create());
  await send(create(undefined, { headers: { authorization: "Bearer other" } }));
  assert.deepEqual(
    seen.map(({ authorization, account }) => [authorization, account]),
    [
      ["Bearer sk-1", "acme"],
      ["Bearer other", "acme"],
    ],
  );
});
