import { Type } from "typebox";
import { operation } from "../operation.ts";
import { nullable } from "../wire.ts";
import { admin } from "./acts.ts";

const bytes = Type.Integer({ description: "bytes" });
const ms = Type.Number({ description: "milliseconds" });

const getSystem = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/system",
  summary: "The process that answers: its version, store, dispatcher, event loop, memory and disk",
  reply: Type.Object({
    object: Type.Literal("system"),
    version: Type.String(),
    node: Type.String({ description: "the version of Node" }),
    role: Type.String(),
    started_at: Type.Integer(),
    store: Type.Object({ kind: Type.String({ description: "sqlite or postgres" }), bytes, ok: Type.Boolean() }),
    media: Type.Object({ kind: Type.String({ description: "disk or s3" }), free_bytes: nullable(bytes) }),
    dispatcher: Type.Object({
      last_tick_at: nullable(Type.Number({ description: "unix seconds, with their fraction; null where it runs no tasks" })),
      waiting: Type.Integer({ description: "tasks that wait for a slot" }),
      running: Type.Integer({ description: "tasks that are being sent, or made here" }),
      polling: Type.Integer({ description: "tasks that upstreams are at, or whose results are being stored" }),
    }),
    event_loop: Type.Object({ p50_ms: ms, p99_ms: ms }, { description: "how long it was kept waiting since somebody asked last" }),
    memory: Type.Object({ rss: bytes, heap: bytes }),
    disk: Type.Object({ free_bytes: bytes, total_bytes: bytes }, { description: "where the data folder lies" }),
    checks: Type.Record(Type.String(), Type.String()),
    nodes: Type.Integer({ description: "processes that share the database" }),
  }),
  async run(_ask, { operating, readiness, store, nodes, version }) {
    const [facts, { checks }, rows] = await Promise.all([operating.system(), readiness(), store.queueDepth()]);
    const inPhase = (...phases: string[]) => rows.filter(({ phase }) => phases.includes(phase)).reduce((sum, { count }) => sum + count, 0);
    const { rss, heapUsed } = process.memoryUsage();
    return {
      object: "system",
      version,
      node: process.versions.node,
      role: facts.role,
      started_at: Math.floor(facts.startedAt / 1000),
      store: { ...facts.store, ok: checks["store"] === "ok" },
      media: { kind: facts.media.kind, free_bytes: facts.media.freeBytes },
      dispatcher: {
        last_tick_at: facts.lastTickAt === null ? null : facts.lastTickAt / 1000,
        waiting: inPhase("start"),
        running: inPhase("run"),
        polling: inPhase("poll", "collect"),
      },
      event_loop: { p50_ms: facts.eventLoop.p50Ms, p99_ms: facts.eventLoop.p99Ms },
      memory: { rss, heap: heapUsed },
      disk: { free_bytes: facts.disk.freeBytes, total_bytes: facts.disk.totalBytes },
      checks,
      nodes: nodes().length,
    };
  },
});

export const systemOperations = [getSystem];
