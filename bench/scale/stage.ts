import { eventually } from "../../test/support/eventually.ts";
import { startCluster, type Cluster } from "../queues/servers.ts";
import { startService, type BenchService } from "../service.ts";
import { readFigures, type Figures } from "./figures.ts";

/** So many processes of the service on a PostgreSQL of their own. */
export type Stage = {
  title: string;
  workers: number;
  cluster: Cluster;
  service: BenchService;
  port: number;
  /** Client keys, each of an account of its own. */
  keys: readonly string[];
  figures(): Promise<Figures>;
  stop(): Promise<void>;
};

const creditUsd = 1_000;

/** Starts them and returns when all of them serve; null where the machine has no PostgreSQL. */
export async function startStage(workers: number, yaml: string, accounts: number): Promise<Stage | null> {
  const cluster = await startCluster();
  if (cluster === null) return null;
  const service = await startService(`store: { url: "${cluster.url}" }\n${yaml}`, workers);
  const figures = () => readFigures(service);
  const isComplete = async () => workers === 1 || (await figures()).sum(/^genway_workers$/) === workers;
  await eventually(isComplete, { what: `${workers} workers`, withinMs: 120_000, everyMs: 200 });
  const keys = await Promise.all(Array.from({ length: accounts }, () => service.customer(creditUsd)));
  return {
    title: workers === 1 ? "1 process" : `${workers} processes`,
    workers,
    cluster,
    service,
    port: Number(new URL(service.url).port),
    keys,
    figures,
    async stop() {
      await service.stop();
      await cluster.stop();
    },
  };
}
