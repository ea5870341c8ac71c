import type { Config } from "./config.ts";

/** Settings that are understood but have no effect in this version, so that nobody relies on them. */
export function unusedSettings({ limits, mediaUrl, redisUrl }: Config): string[] {
  return [
    ...(limits.requestsPerMinute === null ? [] : ["limits.requests_per_minute"]),
    ...(limits.concurrentTasks === null ? [] : ["limits.concurrent_tasks"]),
    ...(mediaUrl === null ? [] : ["media.url"]),
    ...(redisUrl === null ? [] : ["redis_url"]),
  ];
}
