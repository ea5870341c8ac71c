import assert from "node:assert/strict";
import { test } from "node:test";
import type { Catalog, Installed } from "../core/routing.ts";
import type { NodeRow } from "../core/records.ts";
import { createMetrics, type MetricsNeeds } from "./metrics.ts";

const now = 1_000_000;
const installed = {
  name: "films",
  provider: { tasks: { serves: { video: {} } } },
  credentials: [{ id: "k1" }, { id: "k2" }],
  limits: { concurrent: 5, perMinute: null },
  perNode: true,
} as unknown as Installed;
const node = (id: string, role: NodeRow["role"], version: string): NodeRow => ({ id, name: id, role, version, startedAt: 0, seenAt: now });

function needs(more: Partial<MetricsNeeds["store"]> = {}): MetricsNeeds {
  return {
    node: "a",
    nodes: () => [node("a", "gateway", "1"), node("b", "worker", "1"), node("c", "worker", "2")],
    workers: () => 2,
    clock: () => now,
    catalog: { providers: () => [installed] } as unknown as Catalog,
    bulletin: { figures: () => ({ connected: true, sent: 3, heard: 4 }) },
    store: {
      queueDepth: async () => [
        { lane: "films", phase: "start", count: 7, dueAt: now - 30_000 },
        { lane: "films", phase: "poll", count: 2, dueAt: now + 5_000 },
      ],
      gates: async () => [{ lane: "films", credential: "k1", used: 4 }],
      leases: async () => [
        { node: "a", leases: 2, nanos: 1_500_000_000 },
        { node: "b", leases: 1, nanos: 1_000_000_000 },
        { node: "x", leases: 1, nanos: 500_000_000 },
      ],
      figures: () => ({
        connections: { busy: 2, idle: 3, waiting: 1 },
        repeated: { away: 5, contention: 6, refused: 0 },
        givenUp: { away: 1, contention: 0, refused: 0 },
      }),
      ...more,
    },
  };
}

test("what waits is shown with how long it has been due, and slots with how many there are", async () => {
  const { text } = await createMetrics(needs()).expose();
  for (const line of [
    'genway_steps{lane="films",phase="start"} 7',
    'genway_steps_overdue_seconds{lane="films",phase="start"} 30',
    'genway_steps_overdue_seconds{lane="films",phase="poll"} 0',
    'genway_slots_used{lane="films",credential="k1"} 4',
    'genway_slots_limit{lane="films",credential="k2"} 10',
  ])
    assert.ok(text.includes(`${line}\n`), line);
});

test("nodes are counted by role and version, and leases by whether their node is there", async () => {
  const metrics = createMetrics(needs());
  metrics.countPurse("recall");
  // Whoever looks twice at the same time sees nothing twice.
  const [{ text }] = await Promise.all([metrics.expose(), metrics.expose()]);
  for (const line of [
    'genway_nodes{role="worker",version="1"} 1',
    'genway_nodes{role="worker",version="2"} 1',
    'genway_leased_usd{holder="this"} 1.5',
    'genway_leased_usd{holder="others"} 1',
    'genway_leased_usd{holder="gone"} 0.5',
    'genway_leases{holder="this"} 2',
    'genway_purse_acts_total{act="recall"} 1',
    "genway_bulletin_connected 1",
    'genway_bulletin_notes_total{direction="heard"} 4',
    'genway_store_connections{state="waiting"} 1',
    'genway_store_retries_total{why="contention"} 6',
    'genway_store_failures_total{why="away"} 1',
  ])
    assert.ok(text.includes(`${line}\n`), line);
});

test("while the database is away, old figures of it are gone and the others are still told", async () => {
  let isAway = false;
  const answer = async <T>(rows: T[]): Promise<T[]> => {
    if (isAway) throw new Error("away");
    return rows;
  };
  const row = { lane: "films", phase: "start", count: 1, dueAt: now };
  const metrics = createMetrics(needs({ queueDepth: () => answer([row]), gates: () => answer([]), leases: () => answer([]) }));
  metrics.countRequest("GET", "/ready", 503, 0.1);
  assert.ok((await metrics.expose()).text.includes('genway_steps{lane="films",phase="start"} 1\n'));
  isAway = true;
  const { text } = await metrics.expose();
  assert.ok(!text.includes("genway_steps{"));
  assert.ok(text.includes('genway_http_requests_total{method="GET",route="/ready",status="503"} 1\n'));
  assert.ok(text.includes('genway_store_failures_total{why="away"} 1\n'));
});

test("chores and webhooks are counted by what became of them", async () => {
  const metrics = createMetrics(needs());
  metrics.countChore("prune", 250, true);
  metrics.countChore("prune", 250, false);
  for (const state of ["pending", "delivered", "failed", "dropped"]) metrics.countDelivery(state);
  metrics.countLook({ ms: 4, tasks: 3, polls: 2, chores: 1 });
  const { text } = await metrics.expose();
  for (const line of [
    'genway_chores_total{chore="prune",outcome="done"} 1',
    'genway_chores_total{chore="prune",outcome="failed"} 1',
    'genway_chore_seconds_total{chore="prune"} 0.5',
    'genway_webhooks_total{outcome="retried"} 1',
    'genway_webhooks_total{outcome="failed"} 1',
    'genway_in_hand{work="tasks"} 3',
    "genway_look_seconds_count 1",
  ])
    assert.ok(text.includes(`${line}\n`), line);
});
