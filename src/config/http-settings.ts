import { isLoopbackName } from "../http/auth.ts";
import type { HttpSettings } from "../http/services.ts";
import type { Config } from "./config.ts";

/** What of the configuration matters to serving. */
export function httpSettings(config: Config): HttpSettings {
  const { mode, host, anonymousAccount, server, assets, calls, presignedDownloads } = config;
  return {
    local: mode === "local",
    loopback: isLoopbackName(host),
    anonymousAccount,
    hosts: server.hosts,
    cors: server.cors,
    publicUrl: server.publicUrl,
    assetUrlTtlMs: assets.urlTtlMs,
    assetRetentionMs: assets.retentionMs,
    callDeadlineMs: calls.deadlineMs,
    presignedDownloads,
  };
}
