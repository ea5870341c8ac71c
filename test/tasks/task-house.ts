import assert from "node:assert/strict";
import { createClient, type Client } from "../support/client.ts";
import { readTables, type Tables } from "../crash/tables.ts";
import { isAtWork, strideMs } from "../support/at-work.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway, type TestOptions } from "../support/gateway.ts";
import { createTestClock, type TestClock } from "../support/test-clock.ts";

export type Seen = {
  id: string;
  status: string;
  progress: number;
  cost_usd: number;
  held_usd: number;
  error: { code: string; message: string } | null;
  assets: { kind: string }[];
  result: Record<string, unknown> | null;
};

/** The service on a clock of its own, a customer of it, and the looks behind it that rules about money need. */
export type TaskHouse = {
  gateway: TestGateway;
  clock: TestClock;
  client: Client;
  /** Asks for a video, and answers the task's id. */
  video(model: string, prompt: string, more?: object): Promise<string>;
  seen(id: string): Promise<Seen>;
  /** The task as soon as it is in one of these states; `pass` lets time pass meanwhile. */
  reach(id: string, statuses: readonly string[], passMs?: number): Promise<Seen>;
  ended(id: string, passMs?: number): Promise<Seen>;
  /** The task as soon as an upstream has it. */
  sent(id: string): Promise<Seen>;
  cancel(id: string): Promise<{ status: number; charged: boolean | undefined; code: string | undefined }>;
  tables(): Promise<Tables>;
  /** Nothing is held, nothing is in use, each task has ended once, and what was paid is the sum of their costs. */
  checkBooks(): Promise<void>;
  end(): Promise<void>;
};

export const ends = ["SUCCESS", "FAILURE"] as const;
const credit = 1_000;
const mostBusy = 50;

export async function openHouse(options: Omit<TestOptions, "clock"> & { pace?: TestClock }): Promise<TaskHouse> {
  const { pace, ...rest } = options;
  const clock = pace ?? createTestClock();
  const gateway = await startGateway({ ...rest, clock: clock.now });
  const source = gateway.storeUrl === null ? { folder: gateway.dataDir } : { url: gateway.storeUrl };
  const { key } = await gateway.customer(credit);
  const client = createClient(gateway.url, key);
  const seen = async (id: string) => (await client.get<Seen>(`/v1/tasks/${id}`)).body;
  const tables = () => readTables(source);

  async function reach(id: string, statuses: readonly string[], passMs = 0): Promise<Seen> {
    let busy = 0;
    return eventually(
      async () => {
        const task = await seen(id);
        if (statuses.includes(task.status)) return task;
        // Time that passes while a job is being sent or stored takes the worker's lease away; a lease that nobody works under ends by time alone.
        busy = passMs > 0 && (await isAtWork(gateway)) ? busy + 1 : 0;
        if (passMs > 0 && busy % mostBusy === 0) clock.advance(Math.min(passMs, strideMs));
        return null;
      },
      { withinMs: 60_000, everyMs: 30, what: `task ${id} in ${statuses.join(" or ")}` },
    );
  }

  return {
    gateway,
    clock,
    client,
    seen,
    reach,
    tables,
    sent: (id) => reach(id, ["QUEUED", "IN_PROGRESS", ...ends]),
    ended: (id, passMs = 0) => reach(id, ends, passMs),
    async video(model, prompt, more = { duration: 5 }) {
      const { status, body } = await client.post<{ id: string }>(`/custom_video/model/${model}`, { prompt, ...more });
      assert.equal(status, 200, JSON.stringify(body));
      return body.id;
    },
    async cancel(id) {
      const { status, body } = await client.post<{ charged?: boolean; error?: { code: string } | null }>(`/v1/tasks/${id}/cancel`);
      return { status, charged: body.charged, code: body.error?.code };
    },
    async checkBooks() {
      const { tasks, entries, gates, steps, accounts, transfers } = await tables();
      const { body } = await client.get<{ available_usd: number; held_usd: number }>("/v1/balance");
      assert.equal(body.held_usd, 0, "nothing is held");
      const cost = tasks.reduce((sum, task) => sum + (task.cost ?? 0), 0) / 1e9;
      assert.ok(Math.abs(credit - body.available_usd - cost) < 1e-9, `paid ${credit - body.available_usd}, costs ${cost}`);
      assert.equal(
        entries.reduce((sum, { amount }) => sum + amount, 0),
        0,
      );
      for (const { available, held } of accounts) assert.ok(available >= 0 && held === 0);
      for (const { lane, used } of gates) assert.equal(used, 0, `slots of ${lane}`);
      assert.deepEqual(
        steps.filter(({ phase }) => phase !== "chore"),
        [],
      );
      for (const { id } of tasks) assert.equal(transfers.filter((one) => one.id === `${id}:end`).length, 1, `${id} was settled once`);
    },
    async end() {
      await gateway.end();
    },
  };
}
