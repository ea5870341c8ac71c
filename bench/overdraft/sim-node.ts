import { createLeasedPurse } from "../../src/core/leased-purse.ts";
import type { Purse } from "../../src/core/purse.ts";
import type { AcceptReply, AcceptRequest } from "../../src/core/records.ts";
import type { Reservation } from "../../src/core/reservation.ts";
import { createMachine, type Machine } from "./machine.ts";
import type { NoteBoard } from "./note-board.ts";
import { createNodeStore, type NodeStore } from "./node-store.ts";
import { times, type Act } from "./plan.ts";
import { createTill } from "./till.ts";
import type { Customer, Watch } from "./watch.ts";
import type { World } from "./world.ts";

type CallAct = Extract<Act, { kind: "call" }>;
type SubmitAct = Extract<Act, { kind: "submit" }>;

/** A process of the service, as far as money is concerned. */
export type SimNode = {
  machine: Machine;
  store: NodeStore;
  call(act: CallAct, customer: Customer): Promise<void>;
  /** False when the task was refused; it may have been accepted without anybody knowing. */
  submit(act: SubmitAct, customer: Customer, taskId: string): Promise<boolean>;
  leave(): Promise<void>;
};

type NodeNeeds = { id: string; skewMs: number; world: World; board: NoteBoard; watch: Watch };
type Asked = { says: string; customer: Customer; keyed: boolean; least: number };

const tendMs = 1_000;
const againMs = 500;
// A lease lasts 20 s, and asking the others takes a moment.
const longestMs = 20_700;
const plenty = 10;

export function createSimNode({ id, skewMs, world, board, watch }: NodeNeeds): SimNode {
  const { timeline, random, tell } = world;
  const machine = createMachine(id, timeline, skewMs);
  const store = createNodeStore(machine, world);
  const { clock, monotonic, sleep } = machine;
  const purse = createLeasedPurse({ store, bulletin: board.join(machine), node: id, clock, monotonic, sleep });
  store.onMoney(purse);
  const pay = createTill(machine, store, purse, random.unit);
  const tend = () => {
    void purse.tend();
    machine.after(tendMs, tend);
  };
  machine.after(random.unit() * tendMs, tend);

  /** Asks until it is granted or rightly refused: on a good day, money that nobody needs is found in time. */
  async function insist<T>({ says, customer, keyed, least }: Asked, ask: () => Promise<T | null>): Promise<T | null> {
    const began = timeline.now();
    for (;;) {
      const granted = await ask();
      if (granted !== null) return granted;
      tell(`${id} refuses ${says}`);
      const idle = watch.idleNanos(customer, keyed);
      if (began < times.calmFrom || idle < least) return null;
      const ms = timeline.now() - began;
      world.longestWaitMs = Math.max(world.longestWaitMs, ms);
      if (ms > longestMs) world.violate(`${id} refuses ${says} for ${Math.round(ms)} ms with ${idle} at hand`);
      if (world.violation !== null) return null;
      await sleep(againMs);
    }
  }

  async function reserve({ wish, least, keyed }: CallAct, customer: Customer): Promise<Reservation | null> {
    const asked = { says: `a call for ${wish}, at least ${least}`, customer, keyed, least };
    return insist<Reservation>(asked, async () => {
      const { key, isFrozen } = watch.caller(machine, customer);
      return isFrozen ? null : purse.reserve(customer.account, keyed ? key : null, wish, least);
    });
  }

  async function call(act: CallAct, customer: Customer): Promise<void> {
    const model = timeline.now() >= times.calmFrom ? "after" : "before";
    const reservation = await reserve(act, customer);
    if (reservation === null) return;
    const { nanos, leftNanos, release } = reservation;
    const done = watch.setAside(machine, customer.account, nanos);
    tell(`${id} sets ${nanos} aside for ${act.ms} ms`);
    await sleep(act.ms);
    const mayExceed = nanos === act.wish && leftNanos >= plenty * nanos;
    const costNanos = Math.floor((mayExceed ? act.cost : Math.min(1, act.cost)) * nanos);
    if (costNanos > nanos) world.excuse(`a call cost ${costNanos}, and ${nanos} were set aside`);
    try {
      if (act.fails) return;
      world.charged.asked++;
      await pay({ account: customer.account, key: act.keyed ? customer.key : null, model, costNanos });
      world.charged.told++;
    } catch {
      tell(`${id} cannot say whether ${costNanos} were paid`);
    } finally {
      done();
      release();
    }
  }

  async function submit({ hold, keyed }: SubmitAct, customer: Customer, taskId: string): Promise<boolean> {
    const request = () => acceptRequest({ ...customer, taskId, keyed, hold, now: machine.clock() });
    const asked = { says: `a task for ${hold}`, customer, keyed, least: hold };
    return (await insist(asked, () => acceptWithin(store, purse, request()))) !== null;
  }

  return {
    machine,
    store,
    call: (act, customer) => call(act, customer).catch((error: unknown) => tell(`${id} cannot call: ${String(error)}`)),
    submit: (act, customer, taskId) => submit(act, customer, taskId).catch(() => true),
    async leave() {
      await purse.close();
      machine.crash();
    },
  };
}

/** As the service does it: what others have is asked for before anybody is refused. */
async function acceptWithin(store: NodeStore, purse: Purse, asked: AcceptRequest): Promise<AcceptReply | null> {
  const { account, holdNanos } = asked.task;
  const accept = async (): Promise<AcceptReply> => {
    const reservation = await purse.reserveHold(account, null, holdNanos);
    return store.accept(asked).finally(() => reservation?.release());
  };
  let reply = await accept();
  if (reply.outcome === "insufficient" && (await purse.recall(account))) reply = await accept();
  return reply.outcome === "accepted" ? reply : null;
}

type Offer = Customer & { taskId: string; keyed: boolean; hold: number; now: number };

function acceptRequest({ account, key, taskId, keyed, hold, now }: Offer): AcceptRequest {
  const about = { kind: "lyrics", dialect: "lyrics", model: "m", price: {}, songIds: [], hook: null, input: { prompt: "" } };
  const task = { ...about, id: taskId, account, key: keyed ? key : null, holdNanos: hold, createdAt: now, deadlineAt: now + 1_000_000 };
  return { task: task as AcceptRequest["task"], lane: "lane", credential: null, idempotency: null, mostTasks: null };
}
