import { Counter, Gauge, type Registry } from "prom-client";
import type { PurseAct } from "../core/leased-purse.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Bulletin, Store } from "../core/ports.ts";
import type { NodeRow } from "../core/records.ts";

export type FleetMetrics = {
  countPurse(act: PurseAct): void;
  /** Reads what others keep; done when somebody looks. */
  handOver(): Promise<void>;
};

export type FleetNeeds = {
  /** This process. */
  node: string;
  nodes: () => NodeRow[];
  store: Pick<Store, "leases" | "figures">;
  bulletin: Pick<Bulletin, "figures">;
};

/** Figures about the processes that share a database: who is there, what they lent each other, and how their ways are. */
export function createFleetMetrics(registers: Registry[], { node, nodes, store, bulletin }: FleetNeeds): FleetMetrics {
  const alive = new Gauge({ name: "genway_nodes", help: "Nodes that are alive", labelNames: ["role", "version"], registers });
  const holder = { labelNames: ["holder"], registers };
  const leases = new Gauge({ name: "genway_leases", help: "Leases of parts of balances, by who has them", ...holder });
  const leased = new Gauge({ name: "genway_leased_usd", help: "What is leased of all balances, by who has it", ...holder });
  const acts = new Counter({ name: "genway_purse_acts_total", help: "What was done about leases", labelNames: ["act"], registers });
  const connected = new Gauge({ name: "genway_bulletin_connected", help: "1 while other nodes can be heard", registers });
  const notes = new Counter({
    name: "genway_bulletin_notes_total",
    help: "Notes to and from other nodes",
    labelNames: ["direction"],
    registers,
  });
  const why = { labelNames: ["why"], registers };
  const repeated = new Counter({ name: "genway_store_retries_total", help: "What the database was asked again", ...why });
  const givenUp = new Counter({ name: "genway_store_failures_total", help: "What the database did not do", ...why });
  const ways = new Gauge({ name: "genway_store_connections", help: "Connections to the database", labelNames: ["state"], registers });
  // What has no others says nothing about them.
  connected.remove();

  function handOverWays(): void {
    const heard = bulletin.figures?.();
    if (heard !== undefined) {
      connected.set(heard.connected ? 1 : 0);
      notes.reset();
      notes.inc({ direction: "sent" }, heard.sent);
      notes.inc({ direction: "heard" }, heard.heard);
    }
    const figures = store.figures?.();
    if (figures === undefined) return;
    for (const [state, count] of Object.entries(figures.connections)) ways.set({ state }, count);
    for (const [counter, counts] of [
      [repeated, figures.repeated],
      [givenUp, figures.givenUp],
    ] as const) {
      counter.reset();
      for (const [trouble, count] of Object.entries(counts)) counter.inc({ why: trouble }, count);
    }
  }

  return {
    countPurse: (act) => acts.inc({ act }),
    async handOver() {
      handOverWays();
      alive.reset();
      for (const { role, version } of nodes()) alive.inc({ role, version });
      const rows = await store.leases().catch(() => []);
      const living = new Set(nodes().map(({ id }) => id));
      for (const gauge of [leases, leased]) gauge.reset();
      for (const row of rows) {
        const has = { holder: row.node === node ? "this" : living.has(row.node) ? "others" : "gone" };
        leases.inc(has, row.leases);
        leased.inc(has, usdFromNanos(row.nanos));
      }
    },
  };
}
