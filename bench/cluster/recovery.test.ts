import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { createRandom } from "../../lab/script.ts";
import { deadlocksIn } from "./database-log.ts";
import type { Incident } from "./incident.ts";
import { planKills } from "./kill-plan.ts";
import { createLeaseWatch } from "./lease-watch.ts";
import { configurationOf } from "./proxy.ts";
import { databaseRecoveries, leaseRecoveries, slowRecoveries } from "./recovery.ts";

const lease = (movedAt: number | null) => ({ id: "t", phase: "run", node: "worker-1", killedAt: 1_000, movedAt });
const outage = (at: number, backAt: number): Incident => ({ what: "database", at, backAt });

test("work of a dead node must go on within 15 seconds, of which those without a database do not count", () => {
  assert.deepEqual(slowRecoveries("p", leaseRecoveries([lease(16_000)], [])).broken, []);
  assert.match(slowRecoveries("p", leaseRecoveries([lease(16_001)], [])).broken[0] ?? "", /15\.0 s/);
  assert.match(slowRecoveries("p", leaseRecoveries([lease(null)], [])).broken[0] ?? "", /never/);
  assert.equal(leaseRecoveries([lease(20_000)], [outage(5_000, 9_000)])[0]?.ms, 11_000);
  assert.equal(leaseRecoveries([lease(20_000)], [outage(30_000, 40_000)])[0]?.ms, 19_000);
});

test("after each kill of the database the first sign of life counts from its return", () => {
  const incidents = [outage(1_000, 3_000), outage(50_000, 52_000)];
  const ms = (moments: number[]) => databaseRecoveries("create", moments, incidents).map((recovery) => recovery.ms);
  assert.deepEqual(ms([2_500, 4_000, 53_000]), [1_000, 1_000]);
  assert.deepEqual(ms([53_000]), [50_000, 1_000]);
  assert.deepEqual(ms([4_000]), [1_000, null]);
});

test("a return that the next kill cut short is not counted", () => {
  const incidents = [outage(1_000, 3_000), outage(4_000, 6_000)];
  assert.deepEqual(
    databaseRecoveries("create", [7_000], incidents).map(({ ms }) => ms),
    [1_000],
  );
});

test("kills are as many as wanted, within the run, and the same for the same seed", () => {
  const plan = (seed: number) => planKills({ kills: 100, databaseKills: 20, nodes: 6, durationMs: 900_000, random: createRandom(seed) });
  const kills = plan(7);
  assert.equal(kills.filter(({ what }) => what === "node").length, 100);
  assert.equal(kills.filter(({ what }) => what === "database").length, 20);
  assert.ok(kills.every(({ atMs }, place) => atMs >= (kills[place - 1]?.atMs ?? 4_000) && atMs <= 900_000));
  assert.deepEqual(kills, plan(7));
  assert.notDeepEqual(kills, plan(8));
});

test("leased work is watched until another node takes it, unless a living one renews it", async () => {
  const rows = [
    { id: "taken", phase: "run", fence: 1, run_at: 100 },
    { id: "renewed", phase: "run", fence: 1, run_at: 100 },
    { id: "stuck", phase: "collect", fence: 1, run_at: 100 },
  ];
  let asked = 0;
  const ask = async <R>() => {
    const [taken, renewed, stuck] = rows;
    const later = [{ ...taken, fence: 2 }, { ...renewed, run_at: 200 }, stuck];
    return (asked++ === 0 ? rows : later) as R[];
  };
  const watch = createLeaseWatch({ ask, close: async () => undefined }, 5);
  const killedAt = Date.now();
  watch.note("worker-1", killedAt);
  const leases = await watch.end(60);
  assert.deepEqual(
    leases.map(({ id, movedAt }) => [id, movedAt === null]),
    [
      ["taken", false],
      ["stuck", true],
    ],
  );
});

test("deadlocks are read off the log of the database", () => {
  const log = `2026-11-15 12:24:42.021 UTC [1] ERROR:  deadlock detected
2026-11-15 12:24:42.021 UTC [1] DETAIL:  Process 1 waits for ShareLock on transaction 9; blocked by process 2.
	Process 1: select "a" from "step" where "id" in ($1, $2, $3)
	Process 2: select "b" from "step"
2026-11-15 12:24:42.021 UTC [1] HINT:  See server log for query details.
2026-11-15 12:24:43.000 UTC [3] LOG:  checkpoint starting: time
`;
  assert.deepEqual(deadlocksIn(log), [`12:24:42.021 select "a" from "step" where "id" in (…$3) <> select "b" from "step"`]);
  assert.deepEqual(deadlocksIn(""), []);
});

test("the proxy runs with the configuration that we ship, but for its addresses", () => {
  const shipped = readFileSync(new URL("../../deploy/nginx/nginx.conf", import.meta.url), "utf8");
  const made = configurationOf(shipped, { folder: "/run/here", port: 4_000, gateways: [4_001, 4_002, 4_003] });
  assert.equal(made.match(/^ *server 127\.0\.0\.1:400\d max_fails/gm)?.length, 3);
  assert.match(made, /listen 127\.0\.0\.1:4000;/);
  assert.doesNotMatch(made, /gateway-|\/tmp\//);
  assert.match(made, /proxy_next_upstream error timeout;/);
  assert.throws(() => configurationOf("http {}", { folder: "", port: 1, gateways: [] }), /names no gateway/);
});
