import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findRedis, type Cluster } from "./servers.ts";

/** What was compared, in one sentence. */
export function versions(cluster: Cluster): string {
  const redis = findRedis();
  const said = redis === null ? "" : execFileSync(redis, ["--version"], { encoding: "utf8" });
  const redisVersion = /v=([\d.]+)/.exec(said)?.[1];
  return [
    `PostgreSQL ${cluster.version}`,
    redisVersion === undefined ? "no Redis" : `Redis ${redisVersion}`,
    `pg-boss ${packageVersion("pg-boss")}`,
    `BullMQ ${packageVersion("bullmq")}`,
  ].join(", ");
}

function packageVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), "utf8")) as {
    version: string;
  };
  return version;
}
