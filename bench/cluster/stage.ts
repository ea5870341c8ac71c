import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createRandom } from "../../lab/script.ts";
import { startReceiver, type Receiver } from "../../test/crash/receiver.ts";
import { startS3 } from "../../test/support/s3-server.ts";
import { startCache } from "./cache.ts";
import { clusterConfiguration } from "./cluster-configuration.ts";
import { createDatabase, type Database } from "./database.ts";
import { createNode } from "./cluster-node.ts";
import { createFleet, portsFor, type Fleet } from "./fleet.ts";
import { makeCustomers, type Customer } from "./customers.ts";
import { createObserver, type Observer } from "./observer.ts";
import { startProxy } from "./proxy.ts";
import { quietPort } from "./quiet-port.ts";
import { makeTaskOrders, type TaskOrder } from "./task-orders.ts";

/** Everything on loopback: the lab and the receiver of webhooks in this process, all else in processes of its own. */
export type Stage = {
  folder: string;
  /** Where the proxy listens. */
  url: string;
  lab: Lab;
  receiver: Receiver;
  database: Database;
  observer: Observer;
  fleet: Fleet;
  orders: readonly TaskOrder[];
  customers: readonly Customer[];
  /** Stops everything; logs are kept where somebody wants to look at them. */
  end(keep: boolean): Promise<void>;
};

export type StageOptions = { seed: number; tasks: number; random: () => number; tell: (line: string) => void };

const roles = ["gateway", "gateway", "gateway", "gateway", "worker", "worker"] as const;
const gateways = roles.filter((role) => role === "gateway").length;
const adminKey = "admin-key-of-the-cluster-run-0123456789";

export async function setStage({ seed, tasks, random, tell }: StageOptions): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "genway-cluster-")));
  // The users that PostgreSQL and nginx run as must get to their own folders in it.
  chmodSync(folder, 0o711);
  const ends: (() => Promise<unknown>)[] = [];
  const end = async (keep: boolean) => {
    for (const one of ends.toReversed()) await one().catch((error: unknown) => tell(`at the end: ${String(error)}`));
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const database = await createDatabase(join(folder, "postgres"), join(folder, "postgres.log"));
    ends.push(() => database.stop());
    await database.start();
    const observer = createObserver(database.url);
    ends.push(() => observer.close());
    const redisPort = await quietPort();
    const cache = await startCache(redisPort, join(folder, "redis.log"));
    ends.push(() => cache.stop());
    const s3 = await startS3();
    ends.push(() => s3.stop());
    const lab = await createLab({ seed });
    ends.push(() => lab.close());

    const customers: Customer[] = [];
    const orders: TaskOrder[] = [];
    const secretOf = (n: number) => customers[orders[n]?.customer ?? 0]?.secret ?? "";
    const receiver = await startReceiver({ random: createRandom(seed + 1), secretOf });
    ends.push(() => receiver.close());
    const made = makeTaskOrders({ count: tasks, seed, customers: customerCount, random, hookUrl: receiver.urlOf });
    orders.push(...made.orders);

    const [proxyPort, ports] = [await quietPort(), await portsFor(roles.length)];
    const url = `http://127.0.0.1:${proxyPort}`;
    const mediaUrl = `s3://${s3.bucket}/cluster?endpoint=${s3.endpoint}&access_key_id=S3RVER&secret_access_key=S3RVER`;
    const file = join(folder, "genway.yaml");
    writeFileSync(file, clusterConfiguration({ lab, offers: made.offers, publicUrl: url, mediaUrl }));
    const env = {
      HOST: "127.0.0.1",
      GENWAY_CONFIG: file,
      GENWAY_ADMIN_KEY: adminKey,
      GENWAY_MASTER_KEY: "master key of the cluster run, the same for all nodes",
      GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8",
      DATABASE_URL: database.url,
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    };
    await warmUp(folder, { HOST: env.HOST, GENWAY_ADMIN_KEY: adminKey, NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE });
    const fleet = createFleet({ folder, roles, ports, env });
    ends.push(() => fleet.end());
    tell("PostgreSQL, Redis, the S3 server and the lab are up; starting the nodes");
    await fleet.start();
    const proxy = await startProxy(folder, proxyPort, ports.slice(0, gateways));
    ends.push(() => proxy.stop());
    customers.push(...(await makeCustomers(url, adminKey, customerCount)));
    return { folder, url, lab, receiver, database, observer, fleet, orders, customers, end };
  } catch (error) {
    await end(true);
    throw error;
  }
}

/** Fills the cache of compiled code, as a stop in good order does and a kill does not: one life alone, on a file of its own. */
async function warmUp(folder: string, env: Record<string, string>): Promise<void> {
  const nothing = () => undefined;
  const node = createNode({ name: "warm-up", role: "both", port: await quietPort(), folder, env, onEnd: nothing, onStart: nothing });
  await node.launch();
  await node.stop();
}

/** The last of them is poor: its money ends before the run does. */
export const customerCount = 5;
