import type { NodeRole } from "./cluster-node.ts";

/** Something that was killed, in milliseconds of the clock. */
export type Incident = NodeKill | DatabaseKill;

export type NodeKill = { what: "node"; node: string; role: NodeRole; at: number };

/** `backAt`: when the database took connections again. */
export type DatabaseKill = { what: "database"; at: number; backAt: number };

export function databaseKills(incidents: readonly Incident[]): DatabaseKill[] {
  return incidents.filter((incident) => incident.what === "database");
}

export function nodeKills(incidents: readonly Incident[]): NodeKill[] {
  return incidents.filter((incident) => incident.what === "node");
}
