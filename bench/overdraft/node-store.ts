import type { MoneyHeard, StoreWrites } from "../../src/core/ports.ts";
import { tellNews } from "../../src/store/news.ts";
import type { VerbName } from "../../src/store/verbs.ts";
import type { Machine } from "./machine.ts";
import type { Mode } from "./plan.ts";
import type { World } from "./world.ts";

type Used = "accept" | "charge" | "lease" | "returnLease" | "finish" | "credit" | "postUsage";
export type NodeStore = Pick<StoreWrites, Used> & {
  onMoney(heard: MoneyHeard): void;
  /** What the next transactions meet; null for nothing. */
  trouble: Mode | null;
};

type Waiting = { item: unknown; resolve: (reply: unknown) => void; reject: (error: Error) => void };
type Group = { verb: VerbName; members: Waiting[]; again: boolean; giveUpAt: number };

// As long as the store itself asks again; what is not here is asked once.
const patienceMs: Partial<Record<VerbName, number>> = { accept: 5_000, finish: 15_000, credit: 15_000 };
const troubled = 0.7;

/** The store of one node: transactions on the way there and back, those of one verb one after the other and shared. */
export function createNodeStore(machine: Machine, world: World): NodeStore {
  const { timeline, random } = world;
  const listeners: MoneyHeard[] = [];
  const delay = () => random.exponential(world.latencyMs);
  const slow = () => 500 + random.unit() * 11_000;

  function verb(name: Used): (item: never) => Promise<never> {
    let waiting: Waiting[] = [];
    let busy = false;

    function flush(): void {
      if (busy || waiting.length === 0) return;
      busy = true;
      const members = waiting;
      waiting = [];
      send({ verb: name, members, again: false, giveUpAt: machine.monotonic() + (patienceMs[name] ?? 0) });
    }

    function send(group: Group): void {
      const mode = store.trouble !== null && random.unit() < troubled ? store.trouble : null;
      const isLateThere = mode === "slow" && random.unit() < 0.5;
      if (mode !== null) world.excuse(`${machine.id}'s ${name} met trouble: ${mode}`);
      timeline.plan(delay() + (isLateThere ? slow() : 0), async () => {
        const backMs = delay() + (mode === "slow" && !isLateThere ? slow() : 0);
        if (mode === "before") return machine.after(backMs, () => fail(group));
        const done = await world.commit(
          machine.id,
          name,
          group.members.map(({ item }) => item),
          group.again,
        );
        if (mode === "after") return machine.after(backMs, () => fail(group));
        machine.after(backMs, () => {
          tellNews(listeners, done.news);
          busy = false;
          flush();
          for (const [place, { resolve }] of group.members.entries()) machine.after(random.unit() * 3, () => resolve(done.replies[place]));
        });
      });
    }

    function fail(group: Group): void {
      if (machine.monotonic() < group.giveUpAt) return machine.after(50 + random.unit() * 300, () => send({ ...group, again: true }));
      busy = false;
      flush();
      for (const { reject } of group.members) reject(new Error("the database is away"));
    }

    return (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve: resolve as Waiting["resolve"], reject });
        machine.after(0, flush);
      });
  }

  const store: NodeStore = {
    accept: verb("accept"),
    charge: verb("charge"),
    lease: verb("lease"),
    returnLease: verb("returnLease"),
    finish: verb("finish"),
    credit: verb("credit"),
    postUsage: verb("postUsage"),
    onMoney: (heard) => void listeners.push(heard),
    trouble: null,
  };
  return store;
}
