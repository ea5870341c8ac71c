import type { Kind } from "../core/kinds.ts";
import type { Price } from "../core/pricing.ts";
import type { KindLimits } from "../core/provider.ts";
import type { OidcSettings } from "../http/console/oidc-settings.ts";
import type { S3Target } from "../media/s3-url.ts";

/** What a process of a fleet does: takes requests, runs tasks, or both. */
export type Role = "gateway" | "worker" | "both";

export type ProviderConfig = {
  type: string;
  /** Null where the adapter's own address is used. */
  baseUrl: string | null;
  keys: string[];
  /** For each key. */
  limits: { concurrent: number | null; perMinute: number | null };
  allowPrivateNetwork: boolean;
  /** What the upstream signs its callbacks with, where the operator made a secret there. */
  webhookSecret: string | null;
  /** Settings of the adapter alone. */
  options: Record<string, unknown>;
};

export type RouteConfig = {
  provider: string;
  /** The upstream's name of the model; null where it is the name that the client sent. */
  model: string | null;
  priority: number;
  weight: number;
};

export type ModelConfig = {
  /** May hold `*`, which stands for any characters. */
  name: string;
  kinds: Kind[];
  routes: RouteConfig[];
  /** Empty means free. */
  price: Price;
  maxOutputTokens: number | null;
  /** What the operator knows about the model; overrides what the adapter says. */
  limits?: KindLimits;
};

/** Everything an operator decides, complete and checked. */
export type Config = {
  /** `local` without a configuration file. */
  mode: "local" | "configured";
  file: string | null;
  host: string;
  port: number;
  dataDir: string;
  adminKey: string | null;
  role: Role;
  /** Processes that serve together, unless the command line says; `auto` is one for each processor. */
  workers: number | "auto";
  server: { trustProxy: boolean; cors: string[]; hosts: string[]; publicUrl: string | null };
  outboundAllow: string[];
  anonymousAccount: string | null;
  providers: Record<string, ProviderConfig>;
  /** In the order of the file. */
  models: ModelConfig[];
  /** The lines of the file that providers and models stand on. */
  lines: { providers: Record<string, number>; models: Record<string, number> };
  local: { enabled: boolean; gguf: string | null };
  /** For keys that set none; null means unlimited. */
  limits: {
    requestsPerMinute: number | null;
    tokensPerMinute: number | null;
    concurrentCalls: number | null;
    concurrentTasks: number | null;
  };
  calls: {
    /** How long a call may take in all. */
    deadlineMs: number;
    /** How long an upstream may be silent. */
    silenceMs: number;
    /** Replies that are given again to the same request; null: none. */
    cache: { ttlMs: number; bytes: number } | null;
  };
  /** Deadlines by kind. */
  tasks: { deadlineMs: Record<string, number>; retentionMs: number };
  assets: { urlTtlMs: number; retentionMs: number };
  storeUrl: string | null;
  mediaUrl: string | null;
  /** The bucket that it names. */
  mediaTarget: S3Target | null;
  /** Whether whoever reads an asset is sent to the bucket. */
  presignedDownloads: boolean;
  redisUrl: string | null;
  /** The identity provider whose people may enter the console. */
  oidc: OidcSettings | null;
};
