import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ReplyClaim } from "../../src/core/kept-reply.ts";
import type { Store } from "../../src/core/ports.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import { onEachStore } from "./each-store.ts";

const day = 24 * 3_600_000;
const reply = { mime: "application/json", provider: "up", body: Buffer.from('{"says":"☃"}').toString("base64") };

function claimOf(more: Partial<ReplyClaim> = {}): ReplyClaim {
  const name = { account: uuidv7(), route: "/v1/chat/completions", key: "k" };
  return { ...name, fingerprint: "one", node: "a", fence: uuidv7(), now: 1_000, until: 601_000, expiresAt: 1_000 + day, ...more };
}

const again = (claim: ReplyClaim, more: Partial<ReplyClaim> = {}): ReplyClaim => ({ ...claim, fence: uuidv7(), ...more });
const outcomeOf = async (store: Store, claim: ReplyClaim) => (await store.claimReply(claim)).outcome;
const count = async (store: Store, now: number) => (await store.prune({ now, taskRetentionMs: 1e15, limit: 20 })).rows;

onEachStore("replies that may be given again", (check) => {
  check("the first who asks makes the call; the same request then gets its reply, and another one is refused", async (store) => {
    const first = claimOf();
    assert.deepEqual(await store.claimReply(first), { outcome: "yours" });
    assert.equal(await store.keepReply({ ...first, reply }), true);
    assert.deepEqual(await store.claimReply(again(first, { node: "b" })), { outcome: "kept", reply });
    assert.equal(await outcomeOf(store, again(first, { fingerprint: "two" })), "mismatch");
  });

  check(
    "a process that has the store to itself looks before it makes a call, and keeps the reply without having claimed it",
    async (store) => {
      const first = claimOf();
      assert.deepEqual(await store.keptReply(first), { outcome: "yours" });
      assert.equal(await store.keepReply({ ...first, reply }), true);
      assert.deepEqual(await store.keptReply(again(first)), { outcome: "kept", reply });
      assert.deepEqual(await store.keptReply(again(first, { fingerprint: "two" })), { outcome: "mismatch" });
      assert.deepEqual(await store.keptReply(again(first, { fingerprint: "two", account: uuidv7() })), { outcome: "yours" });
      assert.deepEqual(await store.keptReply(again(first, { fingerprint: "two", now: first.expiresAt })), { outcome: "yours" });

      const large = claimOf();
      await store.keepReply({ ...large, reply: null });
      assert.deepEqual(await store.keptReply(again(large, { fingerprint: "two" })), { outcome: "mismatch" });
      assert.deepEqual(await store.keptReply(again(large)), { outcome: "yours" });
      assert.equal(await store.keepReply({ ...again(large), reply }), true);
      assert.deepEqual(await store.keptReply(again(large)), { outcome: "kept", reply });
    },
  );

  check("a name is of one account, one route and one key", async (store) => {
    const first = claimOf();
    await store.claimReply(first);
    await store.keepReply({ ...first, reply });
    for (const other of [{ account: uuidv7() }, { route: "/v1/embeddings" }, { key: "another" }])
      assert.equal(await outcomeOf(store, again(first, { ...other, fingerprint: "two" })), "yours");
  });

  check("of many who ask at the same moment one makes the call", async (store) => {
    const first = claimOf();
    const claims = Array.from({ length: 50 }, (_, at) => again(first, at % 2 === 0 ? {} : { fingerprint: "two" }));
    const outcomes = (await Promise.all(claims.map((claim) => store.claimReply(claim)))).map(({ outcome }) => outcome);
    const expected = claims.map((_, at) => (at === 0 ? "yours" : at % 2 === 0 ? "under_way" : "mismatch"));
    assert.deepEqual(outcomes, expected);
  });

  check("what one commit does for many calls it does for each of them", async (store) => {
    const claims = Array.from({ length: 30 }, (_, at) => claimOf({ key: `key ${at}`, fingerprint: `f ${at}` }));
    const verdicts = await Promise.all(claims.map((claim) => store.claimReply(claim)));
    assert.deepEqual(new Set(verdicts.map(({ outcome }) => outcome)), new Set(["yours"]));
    const bodies = claims.map((_, at) => Buffer.from(`reply ${at}`).toString("base64"));
    await Promise.all(claims.map((claim, at) => store.keepReply({ ...claim, reply: { ...reply, body: bodies[at] ?? "" } })));
    const given = await Promise.all(claims.map((claim) => store.claimReply(again(claim))));
    assert.deepEqual(
      given.map((verdict) => (verdict.outcome === "kept" ? verdict.reply.body : verdict.outcome)),
      bodies,
    );
  });

  check("a call that failed is forgotten, and any request may take its name", async (store) => {
    const first = claimOf();
    await store.claimReply(first);
    await store.dropReply(first);
    assert.equal(await outcomeOf(store, again(first, { node: "b", fingerprint: "two" })), "yours");
  });

  check("asking again after a lost connection finds one's own claim, and keeping again changes nothing", async (store) => {
    const first = claimOf();
    assert.equal(await outcomeOf(store, first), "yours");
    assert.equal(await outcomeOf(store, first), "yours");
    assert.equal(await store.keepReply({ ...first, reply }), true);
    assert.equal(await store.keepReply({ ...first, reply }), true);
    await store.dropReply(first);
    assert.equal(await outcomeOf(store, again(first)), "kept");
  });

  check("a reply that cannot be given again is made anew by the same request alone", async (store) => {
    const first = claimOf();
    await store.claimReply(first);
    await store.keepReply({ ...first, reply: null });
    assert.equal(await outcomeOf(store, again(first, { fingerprint: "two" })), "mismatch");
    assert.equal(await outcomeOf(store, again(first, { node: "b" })), "yours");
  });

  check("whoever lost a call keeps and drops nothing any more", async (store) => {
    const first = claimOf();
    await store.claimReply(first);
    const second = again(first, { now: first.until, node: "b" });
    assert.equal(await outcomeOf(store, second), "yours");
    assert.equal(await store.keepReply({ ...first, reply: { ...reply, body: "" } }), false);
    await store.dropReply(first);
    assert.equal(await store.keepReply({ ...second, reply }), true);
    assert.deepEqual(await store.claimReply(again(first)), { outcome: "kept", reply });
  });

  check("after a day a name is free, and what is past its time is pruned, few at once where they are large", async (store) => {
    const first = claimOf();
    await store.claimReply(first);
    await store.keepReply({ ...first, reply });
    assert.equal(await outcomeOf(store, again(first, { now: first.expiresAt - 1, fingerprint: "two" })), "mismatch");
    assert.equal(await outcomeOf(store, again(first, { now: first.expiresAt, fingerprint: "two", expiresAt: 9e12 })), "yours");
    while ((await count(store, first.expiresAt)) > 0);

    const large = Array.from({ length: 4 }, () => claimOf());
    for (const claim of large) await store.claimReply(claim);
    await Promise.all(large.map((claim) => store.keepReply({ ...claim, reply: { ...reply, body: "A".repeat(400_000) } })));
    assert.equal(await count(store, first.expiresAt - 1), 0);
    const portions = [];
    for (let rows = 1; rows > 0; portions.push(rows)) rows = await count(store, first.expiresAt);
    assert.deepEqual(portions, [1, 1, 1, 1, 0]);
    for (const claim of large) assert.equal(await outcomeOf(store, again(claim, { fingerprint: "two" })), "yours");
  });
});

describe("replies at several nodes", () => {
  let server: TemporaryPostgres | null = null;
  let nodes: Store[] = [];
  before(async () => {
    server = await startPostgres({ isDurable: false });
    if (server === null) return;
    const { url } = server;
    nodes = await Promise.all([1, 2, 3].map(() => openPostgresStore(url)));
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await server?.stop();
  });

  const beat = (store: Store, id: string, now: number) => store.beat({ id, name: id, role: "both", version: "test", startedAt: 1, now });

  test("of nodes that ask at the same moment one makes each call, and the others are told to wait", async (context) => {
    const [first] = nodes;
    if (first === undefined) return context.skip("no PostgreSQL on this machine");
    for (const at of nodes.keys()) await beat(first, `n${at}`, 1_000);
    const claims = Array.from({ length: 60 }, (_, at) => claimOf({ key: `key ${at}` }));
    const outcomes = await Promise.all(
      nodes.map((store, at) =>
        // Each in another order, so that they get into each other's way.
        Promise.all(
          claims
            .toSorted((a, b) => (at === 1 ? -1 : 1) * a.key.localeCompare(b.key))
            .map((claim) => store.claimReply(again(claim, { node: `n${at}` }))),
        ),
      ),
    );
    const all = outcomes.flat().map(({ outcome }) => outcome);
    assert.equal(all.filter((outcome) => outcome === "yours").length, 60);
    assert.equal(all.filter((outcome) => outcome === "under_way").length, 120);
  });

  test("what a node has begun is its own while it is seen and has time left", async (context) => {
    const [one, two] = nodes;
    if (one === undefined || two === undefined) return context.skip("no PostgreSQL on this machine");
    const call = claimOf({ node: "alive" });
    await one.claimReply(call);
    await beat(one, "alive", 50_000);
    assert.equal(await outcomeOf(two, again(call, { node: "b", now: 79_000 })), "under_way");
    assert.equal(await outcomeOf(two, again(call, { node: "b", now: 79_000, fingerprint: "two" })), "mismatch");
    assert.equal(await outcomeOf(two, again(call, { node: "b", now: 80_000 })), "yours", "not seen for half a minute");

    const late = claimOf({ node: "alive" });
    await one.claimReply(late);
    await beat(one, "alive", late.until);
    assert.equal(await outcomeOf(two, again(late, { node: "b", now: late.until - 1 })), "under_way");
    assert.equal(await outcomeOf(two, again(late, { node: "b", now: late.until })), "yours", "longer than a call can take");

    const left = claimOf({ node: "leaving" });
    await beat(one, "leaving", 1_000);
    await one.claimReply(left);
    assert.equal(await outcomeOf(two, again(left, { node: "b" })), "under_way");
    await one.leave({ id: "leaving" });
    assert.equal(await outcomeOf(two, again(left, { node: "b" })), "yours", "its node has left");
  });
});
