import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createRandom } from "../../lab/script.ts";
import { startReceiver, type Receiver } from "../../test/crash/receiver.ts";
import { createService, type Service } from "../../test/crash/service.ts";
import { configurationOf, listOffers } from "./offers.ts";
import { makeOrders, type Order } from "./orders.ts";

/** The lab and the customers' receiver in this process, the gateway in its own, and who orders what. */
export type Stage = {
  folder: string;
  lab: Lab;
  service: Service;
  receiver: Receiver;
  orders: readonly Order[];
  keys: readonly string[];
  /** Stops everything; what the gateway left is kept where somebody wants to look at it. */
  end(keep: boolean): Promise<void>;
};

export type StageOptions = { tasks: number; seed: number; random: () => number; customers: number; creditUsd: number };

export async function setStage({ tasks, seed, random, customers, creditUsd }: StageOptions): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "genway-soak-")));
  // Beside what each order brings along, some polls go wrong by chance.
  const lab = await createLab({ seed, script: { pollRate: 0.02 } });
  const offers = listOffers();
  const orders: Order[] = [];
  const secrets: string[] = [];
  const receiver = await startReceiver({ random: createRandom(seed + 1), secretOf: (n) => secrets[orders[n]?.customer ?? 0] ?? "" });
  orders.push(...makeOrders({ count: tasks, seed, customers, offers, random, hookUrl: receiver.urlOf }));
  const service = await createService(folder, configurationOf(lab, offers));
  const end = async (keep: boolean) => {
    await service.kill().catch(() => undefined);
    await receiver.close();
    await lab.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await service.start(0);
    const keys: string[] = [];
    for (let place = 0; place < customers; place++) {
      const { key, secret } = await makeCustomer(service, `customer ${place}`, creditUsd);
      keys.push(key);
      secrets.push(secret);
    }
    return { folder, lab, service, receiver, orders, keys, end };
  } catch (error) {
    await end(true);
    throw error;
  }
}

async function makeCustomer(service: Service, name: string, creditUsd: number): Promise<{ key: string; secret: string }> {
  await service.admin("/admin/v1/accounts", { name, credit_usd: creditUsd });
  const { key } = await service.admin("/admin/v1/keys", { account: name, name: "soak" });
  const reply = await fetch(`${service.url}/v1/webhooks/secret`, { method: "POST", headers: { authorization: `Bearer ${String(key)}` } });
  const { secret } = (await reply.json()) as { secret: string };
  return { key: String(key), secret };
}
