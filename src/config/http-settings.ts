import { isLoopbackName } from "../http/auth.ts";
import type { HttpSettings } from "../http/services.ts";
import { publicOrigin } from "../media/s3-url.ts";
import type { Config } from "./configuration.ts";

/** What of the configuration matters to serving. */
export function httpSettings(config: Config): HttpSettings {
  const { mode, host, anonymousAccount, server, assets, calls, presignedDownloads, mediaTarget, oidc } = config;
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
    assetOrigin: presignedDownloads && mediaTarget !== null ? publicOrigin(mediaTarget) : null,
    oidc,
  };
}
