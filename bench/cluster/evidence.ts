import type { Callers } from "./callers.ts";
import type { Client } from "./client.ts";
import type { Incident } from "./incident.ts";
import type { Leased } from "./lease-watch.ts";
import type { Load } from "./load.ts";
import type { Rows } from "./rows.ts";
import type { Stage } from "./stage.ts";
import type { TaskCustomers } from "./task-customers.ts";

export type ClusterOptions = {
  kills: number;
  databaseKills: number;
  seed: number;
  /** How long work comes in. */
  minutes: number;
  createsPerSecond: number;
  callsPerSecond: number;
  tell: (line: string) => void;
};

/** All that is known when a run is over. */
export type Evidence = {
  options: ClusterOptions;
  stage: Stage;
  client: Client;
  callers: Callers;
  customers: TaskCustomers;
  taskLoad: Load;
  callLoad: Load;
  incidents: readonly Incident[];
  leases: readonly Leased[];
  rows: Rows;
  badStops: readonly string[];
  /** Seconds that work came in, and from the last kill until nothing was open. */
  seconds: number;
  settledSeconds: number;
};
