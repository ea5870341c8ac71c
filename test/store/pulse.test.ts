import assert from "node:assert/strict";
import { test } from "node:test";
import type { PulseRow } from "../../src/core/counts.ts";
import type { UsageQuestion } from "../../src/core/usage-series.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { openTestDatabase } from "../support/database.ts";
import { chosenStore } from "../support/store-choice.ts";
import { onEachStore } from "./each-store.ts";
import { acceptRequest, claimRequest, failure, richAccount, success } from "./fixture.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function row(account: string, more: Partial<PulseRow> = {}): PulseRow {
  const names = { account, key: "k", operation: "chat", model: "m", provider: "p", outcome: "ok" };
  const sums = { requests: 1, inputTokens: 10, outputTokens: 20, costNanos: 300 };
  return { minute, ...names, speed: 10, wait: -1, ...sums, ...more };
}

function question(account: string | null, more: Partial<UsageQuestion> = {}): UsageQuestion {
  return { account, from: 0, to: 5 * minute, stepMs: minute, by: null, ...more };
}

onEachStore("usage", (check) => {
  check("what is alike is added up, within one request and over several, and steps without anything are there too", async (store) => {
    const account = uuidv7();
    await store.recordPulse({ rows: [row(account), row(account), row(account, { minute: 3 * minute, outcome: "upstream_error" })] });
    await Promise.all(
      Array.from({ length: 20 }, () => store.recordPulse({ rows: [row(account), row(account, { outcome: "cancelled" })] })),
    );
    const [series, ...others] = await store.usageSeries(question(account));
    assert.deepEqual(others, []);
    assert.deepEqual(
      series?.points.map(({ at, requests, errors, costNanos }) => [at / minute, requests, errors, costNanos]),
      [
        [0, 0, 0, 0],
        [1, 42, 0, 12_600],
        [2, 0, 0, 0],
        [3, 1, 1, 300],
        [4, 0, 0, 0],
      ],
    );
    assert.equal(series?.name, "");
    const { requests, errors, inputTokens, outputTokens } = series?.total ?? {};
    assert.deepEqual({ requests, errors, inputTokens, outputTokens }, { requests: 43, errors: 1, inputTokens: 430, outputTokens: 860 });
  });

  check("a portion of any size reaches the tables whole", async (store) => {
    const account = uuidv7();
    const rows = Array.from({ length: 199 }, (_, n) => row(account, { model: `m${n}`, speed: n % 40, requests: n + 1 }));
    await store.recordPulse({ rows });
    const [series] = await store.usageSeries(question(account));
    assert.equal(series?.total.requests, (199 * 200) / 2);
  });

  check("usage is told apart by each side of it, the busiest first, and narrowed to one", async (store) => {
    const account = uuidv7();
    await store.recordPulse({
      rows: [
        row(account, { requests: 5 }),
        row(account, { model: "b", key: "", operation: "video", provider: "q", outcome: "expired", requests: 9 }),
      ],
    });
    const names = async (more: Partial<UsageQuestion>) => {
      const series = await store.usageSeries(question(account, more));
      return series.map(({ name, total }) => [name, total.requests]);
    };
    assert.deepEqual(await names({ by: "model" }), [
      ["b", 9],
      ["m", 5],
    ]);
    assert.deepEqual(await names({ by: "key" }), [
      ["", 9],
      ["k", 5],
    ]);
    assert.deepEqual(await names({ by: "account" }), [[account, 14]]);
    assert.deepEqual(await names({ by: "provider" }), [
      ["q", 9],
      ["p", 5],
    ]);
    assert.deepEqual(await names({ by: "operation" }), [
      ["video", 9],
      ["chat", 5],
    ]);
    assert.deepEqual(await names({ by: "outcome" }), [
      ["expired", 9],
      ["ok", 5],
    ]);
    for (const one of [{ model: "b" }, { key: "" }, { provider: "q" }, { operation: "video" }])
      assert.deepEqual(await names(one), [["", 9]]);
    assert.deepEqual(await names({ model: "none" }), [["", 0]]);
    assert.deepEqual(await names({ model: "none", by: "key" }), []);
    assert.deepEqual(await names({ from: 2 * minute }), [["", 0]]);
  });

  check("twenty names have a series of their own, the others share one that comes last", async (store) => {
    const account = uuidv7();
    await store.recordPulse({
      rows: Array.from({ length: 30 }, (_, n) => row(account, { model: `m${n}`, requests: 100 - n, outcome: "ok" })),
    });
    const series = await store.usageSeries(question(account, { by: "model" }));
    assert.equal(series.length, 21);
    assert.deepEqual([series[0]?.name, series[19]?.name, series[20]?.name], ["m0", "m19", "*"]);
    assert.equal(series[20]?.total.requests, 100 * 10 - (20 + 29) * 5);
  });

  check("one account never sees another's, and an operator sees all", async (store) => {
    const [one, other] = [uuidv7(), uuidv7()];
    await store.recordPulse({ rows: [row(one, { minute: 7 * day }), row(other, { minute: 7 * day, requests: 2 })] });
    const range = { from: 7 * day, to: 7 * day + minute };
    assert.equal((await store.usageSeries(question(one, range)))[0]?.total.requests, 1);
    assert.equal((await store.usageSeries(question(null, range)))[0]?.total.requests, 3);
  });

  check("speed is that of what succeeded, and waits are those of what waited", async (store) => {
    const account = uuidv7();
    await store.recordPulse({
      rows: [
        row(account, { speed: 20, requests: 100 }),
        row(account, { speed: 0, requests: 1_000, outcome: "rate_limited" }),
        row(account, { speed: 30, wait: 14, operation: "video", outcome: "upstream_error" }),
      ],
    });
    const total = (await store.usageSeries(question(account)))[0]?.total;
    assert.ok(total?.p50Ms && total.p50Ms > 724 && total.p50Ms < 1_024, String(total?.p50Ms));
    assert.ok(total.p99Ms && total.p99Ms > total.p50Ms && total.p99Ms <= 1_024);
    assert.ok(total.waitP50Ms && total.waitP50Ms > 90 && total.waitP50Ms <= 128, String(total.waitP50Ms));
    const empty = (await store.usageSeries(question(account, { from: 2 * minute })))[0]?.total;
    assert.deepEqual([empty?.p50Ms, empty?.p99Ms, empty?.waitP50Ms], [null, null, null]);
  });

  check("what is two days old becomes hours without losing anything, what is 400 days old goes", async (store) => {
    const account = uuidv7();
    const now = 500 * day + 30 * minute;
    const at = [90 * day, now - 400 * day - minute, now - 3 * day, now - 3 * day + minute, now - 3 * day + 40 * minute, now - hour];
    await store.recordPulse({ rows: at.map((ms) => row(account, { minute: Math.floor(ms / minute) * minute })) });
    for (let turn = 0; await store.foldPulse({ now }); turn++) assert.ok(turn < 500, "it ends");
    assert.equal(await store.foldPulse({ now }), false);
    const steps = async (from: number, to: number) => {
      const [series] = await store.usageSeries(question(account, { from, to, stepMs: minute }));
      return series?.points
        .filter(({ requests }) => requests > 0)
        .map((point) => [(point.at - from) / minute, point.requests, point.costNanos]);
    };
    assert.deepEqual(await steps(497 * day, 497 * day + 2 * hour), [
      [0, 2, 600],
      [60, 1, 300],
    ]);
    assert.deepEqual(await steps(now - hour, now), [[0, 1, 300]]);
    assert.deepEqual(await steps(90 * day, 90 * day + minute), []);
    assert.equal((await store.usageSeries(question(account, { to: now, stepMs: day })))[0]?.total.requests, 4);
  });

  check("the end of a task tells the key it was asked with and who had it last", async (store) => {
    const account = await richAccount(store, 1_000);
    const first = acceptRequest(account, { lane: "pulse" });
    const second = acceptRequest(account, { lane: "nowhere" });
    await store.accept({ ...first, task: { ...first.task, key: "some key" } });
    await store.accept(second);
    const lanes = [{ lane: "pulse", provider: "acme", credentials: [{ id: "k", limit: 100, most: 100 }] }];
    const { runs } = await store.claim(claimRequest({ lanes }));
    assert.equal(runs.length, 1);
    const ended = await store.finish(success(first.task.id, runs[0]?.fence ?? null));
    assert.deepEqual([ended?.key, ended?.provider], ["some key", "acme"]);
    const unsent = await store.finish(failure(second.task.id, null));
    assert.deepEqual([unsent?.key, unsent?.provider], [null, ""]);
    assert.equal(await store.finish(failure(second.task.id, null)), null);
  });
});

test("nodes that write the same rows in any order do not stand in each other's way", async (context) => {
  const database = chosenStore() === "sqlite" ? null : await openTestDatabase(`genway-pulse-${uuidv7()}`);
  if (database === null) return context.skip("no PostgreSQL on this machine");
  const nodes = await Promise.all(Array.from({ length: 3 }, () => openPostgresStore(database.url)));
  const rows = Array.from({ length: 90 }, (_, n) => row("a", { model: `m${n}` }));
  const write = async (node: (typeof nodes)[number], at: number) => {
    for (let turn = 0; turn < 15; turn++) await node.recordPulse({ rows: (at + turn) % 2 === 0 ? rows : rows.toReversed() });
  };
  try {
    await Promise.all(nodes.map(write));
    assert.equal((await nodes[0]?.usageSeries(question("a")))?.[0]?.total.requests, 3 * 15 * 90);
    assert.deepEqual(
      nodes.map((node) => node.figures?.().repeated.contention),
      [0, 0, 0],
    );
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await database.drop();
  }
});
