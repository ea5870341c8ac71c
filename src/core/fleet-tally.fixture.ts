import type { TestContext } from "node:test";
import { createFleetTally, type FleetTally } from "./fleet-tally.ts";
import type { TallyReply, TallyRequest } from "./counts.ts";

/** Nodes around one table, in virtual time. */
export type VirtualFleet = {
  nodes: FleetTally[];
  requests: TallyRequest[];
  contacts: boolean[];
  /** While true the table cannot be reached. */
  isDown: boolean;
  pass(ms: number): Promise<void>;
};

type Row = { minute: number; used: number; running: number; until: number };

/** A node for each clock, which is so much ahead; an exchange takes `tripMs`, and what a node says is there after half of it. */
export function virtualFleet(context: TestContext, aheadMs: readonly number[], tripMs = 0): VirtualFleet {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 600_000 });
  const rows = new Map<string, Map<string, Row>>();
  const later = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

  function tell({ node, minute, until, counts }: TallyRequest): void {
    for (const { name, used, running } of counts) {
      const nodes = rows.get(name) ?? new Map<string, Row>();
      rows.set(name, nodes.set(node, { minute, used, running, until }));
    }
  }

  function hear({ node, minute, now, counts }: TallyRequest): TallyReply {
    return counts.map(({ name }) => {
      const others = [...(rows.get(name) ?? [])].filter(([who]) => who !== node).map(([, row]) => row);
      const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
      return {
        used: sum(others.filter((row) => row.minute === minute).map(({ used }) => used)),
        running: sum(others.filter(({ until }) => until > now).map(({ running }) => running)),
      };
    });
  }

  const fleet: VirtualFleet = { nodes: [], requests: [], contacts: [], isDown: false, pass };
  const store = {
    async exchange(request: TallyRequest) {
      fleet.requests.push(request);
      if (tripMs > 0) await later(tripMs / 2);
      if (fleet.isDown) throw new Error("the table is away");
      tell(request);
      const reply = hear(request);
      if (tripMs > 0) await later(tripMs / 2);
      return reply;
    },
  };
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed++) {
      context.mock.timers.tick(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const tellContact = (isThere: boolean) => void fleet.contacts.push(isThere);
  for (const [node, ahead] of aheadMs.entries())
    fleet.nodes.push(createFleetTally({ store, node: `node ${node}`, clock: () => Date.now() + ahead, tellContact }));
  return fleet;
}
