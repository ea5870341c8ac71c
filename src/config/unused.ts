import type { Config } from "./config.ts";

/** Settings that are understood but have no effect in this version, so that nobody relies on them. */
export function unusedSettings({ mediaUrl, redisUrl }: Config): string[] {
  return [...(mediaUrl === null ? [] : ["media.url"]), ...(redisUrl === null ? [] : ["redis_url"])];
}
