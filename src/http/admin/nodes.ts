import { Type } from "typebox";
import { usdFromNanos } from "../../core/money.ts";
import { operation } from "../operation.ts";
import { listOf, ListReply, seconds } from "../wire.ts";
import { admin } from "./acts.ts";

const NodeRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("node"),
  name: Type.String({ description: "the name of its machine, and its number there" }),
  role: Type.Union([Type.Literal("gateway"), Type.Literal("worker"), Type.Literal("both")]),
  version: Type.String(),
  started_at: Type.Integer(),
  seen_at: Type.Integer({ description: "when it last said that it is alive" }),
  leases: Type.Integer({ description: "accounts of which it has leased a part" }),
  leased_usd: Type.Number({ description: "what it may spend of them without asking" }),
});

const listNodes = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/nodes",
  summary: "The processes that share the database and are alive, the oldest first",
  reply: ListReply(NodeRecord),
  async run(_ask, { nodes, store }) {
    const leases = new Map((await store.leases()).map((row) => [row.node, row]));
    const all = nodes().map(({ id, name, role, version, startedAt, seenAt }) => ({
      id,
      object: "node" as const,
      name,
      role,
      version,
      started_at: seconds(startedAt),
      seen_at: seconds(seenAt),
      leases: leases.get(id)?.leases ?? 0,
      leased_usd: usdFromNanos(leases.get(id)?.nanos ?? 0),
    }));
    return listOf(all, all.length);
  },
});

export const nodeOperations = [listNodes];
