import type { FinishRequest } from "../../src/core/records.ts";
import { createNoteBoard } from "./note-board.ts";
import { times, type Act, type Plan } from "./plan.ts";
import { createSimNode, type SimNode } from "./sim-node.ts";
import { createWatch, type Customer } from "./watch.ts";
import type { World } from "./world.ts";

/** The nodes, and what is done to them and at them. */
export type Stage = {
  play(act: Act): void;
  /** Ends every fault that still lasts. */
  heal(): void;
  nodes(): SimNode[];
};

// A lease that was about to be renewed is nine seconds old, and clocks that differ take four from its twenty.
const mostHarmlessMs = 6_000;

type Of<K extends Act["kind"]> = Extract<Act, { kind: K }>;
type AtNode = Extract<Act, { node: number }>;

export function createStage(world: World, plan: Plan, customers: readonly Customer[]): Stage {
  const { timeline, random, tell, database } = world;
  const board = createNoteBoard(world, plan.loss);
  const watch = createWatch(database, plan.capNanos);
  let births = 0;
  let names = 0;
  const birth = (place: number) =>
    createSimNode({ id: `node-${place}.${births++}`, skewMs: plan.skewsMs[place] ?? 0, world, board, watch });
  const nodes = Array.from({ length: plan.nodes }, (_, place) => birth(place));
  const jumps: { node: SimNode; byMs: number }[] = [];

  function replace(place: number, ms: number): void {
    timeline.plan(ms, () => {
      nodes[place] = birth(place);
      tell(`${nodes[place]?.machine.id} starts`);
    });
  }

  /** Whoever works on a task ends it, and another does where that one cannot. */
  async function finish(taskId: string, costNanos: number): Promise<void> {
    const alive = nodes.filter(({ machine }) => machine.isAlive);
    const node = alive[Math.floor(random.unit() * alive.length)];
    const again = () => timeline.plan(1_000, () => void finish(taskId, costNanos));
    if (node === undefined) return again();
    await node.store.finish(finishRequest(taskId, costNanos, node.machine.clock())).catch(again);
  }

  async function submit(node: SimNode, act: Of<"submit">, customer: Customer): Promise<void> {
    const taskId = `task-${names++}`;
    const costNanos = Math.floor(act.hold * act.cost);
    const isOpen = () => database.ask("select 1 from task where id = ? and finished_at is null", taskId).length > 0;
    // Its node may die before it knows: whoever looks for work finds the task all the same.
    timeline.plan(act.ms + 25_000, () => void (isOpen() && finish(taskId, costNanos)));
    if (!(await node.submit(act, customer, taskId))) return;
    timeline.plan(act.ms, () => void finish(taskId, costNanos));
    if (act.cancelMs !== null) timeline.plan(act.cancelMs, () => void finish(taskId, 0));
  }

  /** What happens to a machine, whether it stands still or not. */
  function afflict(node: SimNode, act: AtNode): boolean {
    const { machine, store } = node;
    if (act.kind === "crash") {
      machine.crash();
      replace(act.node, act.ms);
    } else if (act.kind === "pause") {
      if (act.ms > mostHarmlessMs) world.excuse("a node stood still");
      machine.pause(act.ms, act.suspended);
    } else if (act.kind === "jump") {
      world.excuse("a clock jumped");
      jumps.push({ node, byMs: act.byMs });
      machine.jump(act.byMs);
    } else if (act.kind === "trouble") {
      store.trouble = act.mode;
      timeline.plan(act.ms, () => (store.trouble = null));
    } else return false;
    return true;
  }

  /** What is asked of a node. */
  function ask(node: SimNode, act: AtNode, customer: Customer): void {
    const { store, machine } = node;
    const { account } = customer;
    const now = machine.clock();
    if (act.kind === "call") void node.call(act, customer);
    if (act.kind === "submit") void submit(node, act, customer);
    if (act.kind === "post") void store.postUsage({ now }).catch(() => undefined);
    if (act.kind === "credit")
      void store.credit({ id: `credit-${names++}`, account, nanos: act.nanos, note: "", now }).catch(() => undefined);
    if (act.kind === "leave") void node.leave().then(() => replace(act.node, act.ms));
  }

  async function freeze({ account: id }: Customer, ms: number): Promise<void> {
    await world.commit("operator", "updateAccount", [{ id, frozen: true }], false);
    timeline.plan(ms, () => world.commit("operator", "updateAccount", [{ id, frozen: false }], false));
  }

  function silence(ms: number): void {
    board.loss = 1;
    timeline.plan(ms, () => (board.loss = timeline.now() < times.faultsEnd ? plan.loss : 0));
  }

  return {
    nodes: () => nodes,
    play(act) {
      tell(`— ${JSON.stringify(act)}`);
      const customer = customers["account" in act ? act.account : 0];
      if (customer === undefined) return undefined;
      if (act.kind === "freeze") return freeze(customer, act.ms);
      if (act.kind === "deaf") return silence(act.ms);
      const node = nodes[act.node];
      if (node === undefined || !node.machine.isAlive || afflict(node, act)) return undefined;
      // A machine that stands still finds it when it wakes.
      node.machine.after(0, () => ask(node, act, customer));
      return undefined;
    },
    heal() {
      tell("— the last fault is over");
      board.loss = 0;
      for (const { node, byMs } of jumps) node.machine.jump(-byMs);
      for (const { store } of nodes) store.trouble = null;
    },
  };
}

function finishRequest(taskId: string, costNanos: number, now: number): FinishRequest {
  const nothing = { fence: null, result: null, assets: [], failReason: null, cause: null, failure: null };
  const ending = costNanos > 0 ? ({ status: "SUCCESS", failCode: null } as const) : ({ status: "FAILURE", failCode: "cancelled" } as const);
  return { taskId, now, costNanos, ...nothing, ...ending, attemptState: "ENDED" };
}
