import { createLab, type Lab } from "../../lab/lab.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startPostgres } from "../support/postgres.ts";

// What one node seals the others open.
process.env["GENWAY_MASTER_KEY"] ??= "the master key of all nodes in these tests";

export type TestFleet = { gateways: [TestGateway, TestGateway]; worker: TestGateway; lab: Lab; url: string; end(): Promise<void> };

const adminKey = "the-admin-key-of-all-nodes-in-these-tests";

/** Two nodes that take requests and one that runs tasks, on one PostgreSQL; null where there is none. */
export async function startFleet(more = ""): Promise<TestFleet | null> {
  const postgres = await startPostgres({ isDurable: false });
  if (postgres === null) return null;
  const lab = await createLab({ script: { minSeconds: 0.5, maxSeconds: 0.5, queueSeconds: 0 } });
  const runway = `{ type: runway, base_url: "${lab.baseUrl("runway")}", keys: [lab-key], allow_private_network: true }`;
  const chat = `{ type: openai-compatible, base_url: "${lab.baseUrl("openai")}/v1", keys: [lab-key], allow_private_network: true }`;
  const yaml = [
    `store: { url: "${postgres.url}" }`,
    "local: true",
    `providers: { runway: ${runway}, talk: ${chat} }`,
    "models:",
    "  gen4.5: { kinds: [video], price: { per_second: 0.1 }, routes: [{ provider: runway }] }",
    "  song: { kinds: [music], price: { per_call: 0.1 }, routes: [{ provider: local, model: chirp-v3-5 }] }",
    "  talker: { kinds: [chat], price: { input_per_million: 1, output_per_million: 2 }, routes: [{ provider: talk, model: lab-chat }] }",
    more,
    "",
  ].join("\n");
  const start = (role: string) => startGateway({ yaml, env: { GENWAY_ROLE: role, GENWAY_ADMIN_KEY: adminKey } });
  const one = await start("gateway");
  const [two, worker] = [await start("gateway"), await start("worker")];
  return {
    gateways: [one, two],
    worker,
    lab,
    url: postgres.url,
    async end() {
      await Promise.all([one.end(), two.end(), worker.end()]);
      await lab.close();
      await postgres.stop();
    },
  };
}
