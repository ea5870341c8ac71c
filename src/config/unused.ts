import type { Config } from "./config.ts";

/** Settings that are understood but have no effect in this version, so that nobody relies on them. */
export function unusedSettings({ redisUrl }: Config): string[] {
  return redisUrl === null ? [] : ["redis_url"];
}
