import assert from "node:assert/strict";
import test, { mock } from "node:test";
import type { ReplyClaim, ReplyVerdict, StoredReply } from "../../core/kept-reply.ts";
import { createNamedReplies, mostStoredBytes, type NamedNeeds } from "./named-replies.ts";
import type { KeptReply, Turn } from "./reply-memory.ts";

const name = { account: "account", route: "/v1/chat/completions", key: "k" };
const reply: KeptReply = { mime: "application/json", provider: "up", body: Buffer.from("{}") };
const taken: ReplyVerdict = { outcome: "yours" };

/** A store that gives every call to whoever asks, unless told otherwise. */
function start(store: Partial<NamedNeeds["store"]> = {}, alone = false) {
  const kept: (ReplyClaim & { reply: StoredReply | null })[] = [];
  const warned: string[] = [];
  const asked: ReplyClaim[] = [];
  const named = createNamedReplies({
    store: {
      keptReply: async () => taken,
      claimReply: async (claim) => (asked.push(claim), taken),
      keepReply: async (answer) => kept.push(answer) > 0,
      dropReply: async () => undefined,
      ...store,
    },
    node: "n",
    alone,
    deadlineMs: () => 600_000,
    clock: () => 1_000,
    log: { info: () => undefined, error: () => undefined, warn: (_detail, says) => void warned.push(says) },
  });
  return { named, kept, warned, asked };
}

const first = (turn: Turn) => (turn.first ? turn : assert.fail("the call is to be made"));

test("a claim lasts as long as a call can take and a minute, and a reply for a day", async () => {
  const { named, asked, kept } = start();
  await first(await named(name, "one")).keep(reply);
  assert.deepEqual([asked[0]?.until, asked[0]?.expiresAt, asked[0]?.node], [1_000 + 660_000, 1_000 + 86_400_000, "n"]);
  assert.deepEqual([kept[0]?.fence, kept[0]?.reply], [asked[0]?.fence, { ...reply, body: Buffer.from("{}").toString("base64") }]);
});

test("whoever made the call gets its reply though the store fails; the log says so, and this process still has it", async () => {
  const away = () => Promise.reject(new Error("away"));
  const { named, warned } = start({ keepReply: away, dropReply: away });
  await first(await named({ ...name, key: "failed" }, "one")).keep(null);
  await first(await named(name, "one")).keep(reply);
  assert.deepEqual(warned, [
    "an Idempotency-Key could not be freed after its call failed",
    "the reply to a call with an Idempotency-Key could not be kept",
  ]);
  assert.deepEqual(await named(name, "one"), { first: false, reply });
});

test("a store that is slow holds a reply up for a second; whoever asks meanwhile gets it from here", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { named, asked } = start({ keepReply: () => promise });
  const turn = first(await named(name, "one"));
  let isGiven = false;
  const giving = Promise.resolve(turn.keep(reply)).then(() => (isGiven = true));
  mock.timers.tick(999);
  await new Promise((done) => setImmediate(done));
  assert.equal(isGiven, false);
  mock.timers.tick(1);
  await giving;
  assert.deepEqual(await named(name, "one"), { first: false, reply });
  await assert.rejects(named(name, "two"), { code: "idempotency_mismatch" });
  assert.equal(asked.length, 1);
  resolve(true);
  await new Promise((done) => setImmediate(done));
  first(await named(name, "one"));
  assert.equal(asked.length, 2, "what is written is the store's again");
});

test("requests that come together ask the store once, and all get what it has", async () => {
  let questions = 0;
  const stored = { mime: "text/plain", provider: "up", body: "aGk=" };
  const { named } = start({ claimReply: async () => (questions++, { outcome: "kept", reply: stored }) });
  const turns = await Promise.all([1, 2, 3].map(() => named(name, "one")));
  assert.equal(questions, 1);
  for (const turn of turns) assert.equal(turn.first || Buffer.from(turn.reply.body).toString(), "hi");
});

test("what is in hand here is not asked for elsewhere; a call that failed may be made anew at once", async () => {
  const { named, asked } = start({ dropReply: () => new Promise(() => undefined) });
  const turn = first(await named(name, "one"));
  await assert.rejects(named(name, "one"), { code: "idempotency_in_flight" });
  assert.equal(asked.length, 1);
  void turn.keep(null);
  first(await named(name, "one"));
  assert.equal(asked.length, 2);
});

test("only the first word about a call counts", async () => {
  const { named, kept } = start();
  const { keep } = first(await named(name, "one"));
  await keep(reply);
  await keep(null);
  await keep(reply);
  assert.equal(kept.length, 1);
});

test("a reply too large for the store is remembered here, and the store is told that it has none", async () => {
  const { named, kept } = start();
  const large = { ...reply, body: Buffer.alloc(mostStoredBytes + 1) };
  await first(await named(name, "one")).keep(large);
  assert.equal(kept[0]?.reply, null);
  const again = await named(name, "one");
  assert.equal(again.first ? null : again.reply.body, large.body);
});

test("a store that cannot be asked is no leave to make the call, and leaves nothing in hand", async () => {
  let isAway = true;
  const { named } = start({ claimReply: async () => (isAway ? Promise.reject(new Error("away")) : taken) });
  await assert.rejects(named(name, "one"), /away/);
  isAway = false;
  first(await named(name, "one"));
});

test("that another request under a name is wrong says nothing of this one", async () => {
  const claimReply = async ({ fingerprint }: ReplyClaim): Promise<ReplyVerdict> => ({
    outcome: fingerprint === "one" ? "under_way" : "mismatch",
  });
  const { named } = start({ claimReply });
  const outcomes = await Promise.allSettled(["two", "one", "two"].map((fingerprint) => named(name, fingerprint)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code),
    ["idempotency_mismatch", "idempotency_in_flight", "idempotency_mismatch"],
  );
});

test("a process that has the store to itself claims and frees nothing there, and does not wait for it", async () => {
  const never = () => assert.fail("nobody else could see it");
  const { named, kept } = start({ claimReply: never, dropReply: never, keepReply: () => new Promise(() => undefined) }, true);
  assert.equal(first(await named(name, "one")).keep(null), undefined);
  assert.equal(first(await named(name, "one")).keep(reply), undefined);
  assert.deepEqual(await named(name, "one"), { first: false, reply });
  assert.equal(kept.length, 0);
});
