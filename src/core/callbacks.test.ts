import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallbacks } from "./callbacks.ts";
import { Failure } from "./errors.ts";
import type { CallbackKeys, Heard, Provider } from "./provider.ts";
import type { Attempt } from "./records.ts";
import type { Installed } from "./routing.ts";

const taskId = "01a1de74-b032-729c-883b-7142d1229d5b";
const attempt: Attempt = {
  n: 2,
  provider: "fox",
  credential: "k1",
  model: "m",
  state: "ACCEPTED",
  upstreamId: "u",
  keep: {},
  acceptedAt: 1,
  cause: null,
  failure: null,
};

function desk({ heard = { state: "genuine" }, state = "ACCEPTED" }: { heard?: Heard; state?: Attempt["state"] } = {}) {
  const asked: object[] = [];
  const keys: CallbackKeys[] = [];
  let woken = 0;
  const provider: Provider = {
    tasks: {
      serves: {},
      recovery: "none",
      lanes: "shared",
      pollEveryMs: 1,
      start: () => assert.fail(),
      hear: async (_message, given) => {
        keys.push(given);
        return heard;
      },
    },
  };
  const installed: Installed = {
    name: "fox",
    provider,
    credentials: [{ id: "k1", secret: "the key" }],
    limits: { concurrent: 1, perMinute: null },
    callLimits: { concurrent: null, perMinute: null },
    allowPrivateNetwork: false,
    perNode: false,
    off: false,
  };
  const quiet = () => undefined;
  const callbacks = createCallbacks({
    store: {
      attempts: async () => [{ ...attempt, state }],
      pollNow: async (request) => asked.push(request) > 0,
    },
    catalog: { provider: (name) => (name === "fox" ? installed : null) },
    key: Buffer.alloc(32, 7),
    baseUrl: () => "https://gen.example",
    wake: () => woken++,
    clock: () => 1_000,
    log: { info: quiet, warn: quiet, error: quiet },
  });
  const { url = "", secret = "" } = callbacks.addressFor("fox", taskId, 2) ?? {};
  const token = url.slice(url.lastIndexOf("/") + 1);
  const send = (to: string, text: string) =>
    callbacks.receive(to, text, { method: "POST", path: "/", query: "", headers: {}, body: new Uint8Array() });
  return { url, token, secret, send, asked, keys, woken: () => woken };
}

test("a message to the address of a job means that the job is asked about at once", async () => {
  const { url, token, secret, send, asked, keys, woken } = desk();
  assert.match(url, /^https:\/\/gen\.example\/callbacks\/fox\/[\w-]{44}$/);
  assert.deepEqual(await send("fox", token), { received: true });
  assert.deepEqual(asked, [{ taskId, attempt: 2, now: 1_000 }]);
  assert.deepEqual(keys, [{ job: secret, credential: "the key" }]);
  assert.equal(woken(), 1);
});

test("a token that was not made here, or for another provider, finds nothing", async () => {
  const { token, send, asked } = desk();
  const changed = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
  const notFound = (error: unknown) => error instanceof Failure && error.code === "not_found";
  for (const [provider, text] of [
    ["fox", changed],
    ["wolf", token],
    ["fox", ""],
    ["fox", "x".repeat(500)],
  ] as const)
    await assert.rejects(send(provider, text), notFound);
  assert.deepEqual(asked, []);
});

test("a forged message is refused and changes nothing", async () => {
  const { token, send, asked } = desk({ heard: { state: "forged", cause: "no signature" } });
  await assert.rejects(send("fox", token), (error) => error instanceof Failure && error.status === 401);
  assert.deepEqual(asked, []);
});

test("a challenge is answered as the upstream wants it, also while the job is being sent", async () => {
  const { token, send } = desk({ heard: { state: "challenge", reply: { challenge: "7" } }, state: "INTENT" });
  assert.deepEqual(await send("fox", token), { challenge: "7" });
});

test("a message about a job that has ended is taken and changes nothing", async () => {
  const { token, send, asked, woken } = desk({ state: "ENDED" });
  assert.deepEqual(await send("fox", token), { received: true });
  assert.deepEqual([asked, woken()], [[], 0]);
});
