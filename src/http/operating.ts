import type { Resting } from "../core/breaker.ts";

/** The configuration as operators may see it: no key and no password is in it. */
export type ConfigView = {
  /** Null in local mode. */
  file: string | null;
  loadedAt: number;
  /** The latest change of the file, where it was not taken. */
  refused: { at: number; says: string } | null;
  providers: Readonly<Record<string, { type: string; baseUrl: string | null; line: number | null }>>;
  models: readonly ModelView[];
};

export type ModelView = {
  name: string;
  routes: { provider: string; /** Null: the name that the client sent. */ model: string | null; priority: number; weight: number }[];
  maxOutputTokens: number | null;
  line: number | null;
};

export type CheckedConfig = {
  problems: { line: number | null; column: number | null; path: string; says: string }[];
  providers: number;
  models: number;
};

/** What this process stands on, and how that does. */
export type SystemFacts = {
  role: string;
  startedAt: number;
  store: { kind: "sqlite" | "postgres"; bytes: number };
  media: { kind: "disk" | "s3"; freeBytes: number | null };
  /** When it last looked for work; null where it runs no tasks. */
  lastTickAt: number | null;
  /** Since somebody asked last. */
  eventLoop: { p50Ms: number; p99Ms: number };
  disk: { freeBytes: number; totalBytes: number };
};

/** What only operators ask about. */
export type Operating = {
  configuration(): ConfigView;
  /** Judges a text as if it were the configuration file. */
  checkConfiguration(text: string): CheckedConfig;
  /** The provider × model × key that work is kept away from, in this process. */
  resting(): Resting[];
  /** Calls that are under way at a provider with one of its keys. */
  callsAt(provider: string, credential: string): number;
  system(): Promise<SystemFacts>;
};
