import { describeConfiguration } from "../../lab/configuration.ts";
import { createLab, type Lab } from "../../lab/lab.ts";
import { isAtWork, strideMs } from "./at-work.ts";
import { createClient, type Client } from "./client.ts";
import { eventually } from "./eventually.ts";
import { startGateway, type TestGateway } from "./gateway.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import type { TaskRecord } from "./wire.ts";

/** The service in configured mode with the lab as its only upstream, both on one clock, and a customer of it. */
export type LabGateway = {
  lab: Lab;
  gateway: TestGateway;
  clock: TestClock;
  client: Client;
  account: string;
  /** The task as soon as it is in one of these states; time passes meanwhile. */
  reach(id: string, ...statuses: string[]): Promise<TaskRecord>;
  /** The task as soon as the upstream has it. */
  sent(id: string): Promise<TaskRecord>;
  end(): Promise<void>;
};

export type LabGatewayOptions = {
  credit?: number;
  /** Only upstreams of these types. */
  types?: readonly string[];
  env?: Record<string, string>;
  /** Whether it serves the console, which must have been built. */
  console?: boolean;
  /** More of the configuration file. */ yaml?: string;
};

/** How many strides pass at once: more than the service waits between two polls. */
const strides = 4;

export async function startLabGateway({
  credit = 100,
  env = {},
  yaml = "",
  types,
  console = false,
}: LabGatewayOptions = {}): Promise<LabGateway> {
  const clock = createTestClock();
  const lab = await createLab({ now: clock.now, script: { minSeconds: 1, maxSeconds: 1, queueSeconds: 0 } });
  const gateway = await startGateway({ yaml: describeConfiguration(lab, "lab-key", types) + yaml, env, clock: clock.now, console });
  const { account, key } = await gateway.customer(credit);
  const client = createClient(gateway.url, key);
  const look = async (id: string) => (await gateway.admin("GET", `/admin/v1/tasks/${id}`)).body as unknown as TaskRecord;

  async function within(id: string, statuses: string[], withinMs: number): Promise<TaskRecord | null> {
    const wanted = async () => {
      const task = await look(id);
      return statuses.includes(task.status) ? task : null;
    };
    return eventually(wanted, { withinMs, everyMs: 25 }).catch(() => null);
  }

  async function leap(): Promise<void> {
    for (let stride = 0; stride < strides; stride++) {
      // Time takes the lease of whoever is at work; one that nobody works under ends by time alone.
      await eventually(async () => !(await isAtWork(gateway)), { withinMs: 3_000, everyMs: 25 }).catch(() => undefined);
      clock.advance(strideMs);
    }
  }

  async function sent(id: string): Promise<TaskRecord> {
    const task = await within(id, ["QUEUED", "IN_PROGRESS", "SUCCESS", "FAILURE"], 15_000);
    if (task === null) throw new Error(`task ${id} was not sent: ${JSON.stringify(await look(id))}`);
    return task;
  }

  return {
    lab,
    gateway,
    clock,
    client,
    account,
    sent,
    async reach(id, ...statuses) {
      // A leap while a job is being sent would take the worker's lease away.
      await sent(id);
      for (let leaps = 0; leaps < 20; leaps++) {
        // After a leap as long as the service rests at most, then longer each time: a second leap in one rest would pass over a state.
        const task = await within(id, statuses, leaps === 0 ? 150 : Math.min(400 * 2 ** leaps, 3_000));
        if (task !== null) return task;
        await leap();
      }
      throw new Error(`task ${id} never was ${statuses.join(" or ")}: ${JSON.stringify(await look(id))}`);
    },
    async end() {
      await gateway.end();
      await lab.close();
    },
  };
}
