import type { KeyRing } from "../core/accounts.ts";
import type { TaskEvents } from "../core/events.ts";
import type { Callbacks } from "../core/callbacks.ts";
import type { Calls } from "../core/calls.ts";
import type { Clock, FetchMedia, Log, MediaStore, Store } from "../core/ports.ts";
import type { NodeRow } from "../core/records.ts";
import type { Readiness } from "../core/readiness.ts";
import type { Catalog } from "../core/routing.ts";
import type { Tasks } from "../core/tasks.ts";
import type { CallsUnderWay } from "./calls/calls-under-way.ts";
import type { OidcSettings } from "./console/oidc-settings.ts";
import type { Sealer } from "./console/sealed-cookie.ts";
import type { Sessions } from "./console/sessions.ts";
import type { Limits } from "./limits.ts";
import type { Operating } from "./operating.ts";
import type { ReplyShelf } from "./calls/reply-shelf.ts";

/** What the configuration says about serving; asked for at each request, because it can change. */
export type HttpSettings = {
  local: boolean;
  /** Whether we listen on this machine alone. */
  loopback: boolean;
  anonymousAccount: string | null;
  hosts: readonly string[];
  cors: readonly string[];
  publicUrl: string | null;
  assetUrlTtlMs: number;
  assetRetentionMs: number;
  /** How long a call may take in all. */
  callDeadlineMs: number;
  /** Whether whoever reads an asset is sent to where it lies, where that can be. */
  presignedDownloads: boolean;
  /** Where browsers are sent for assets, if that is not here. */
  assetOrigin: string | null;
  oidc: OidcSettings | null;
};

/** What operations work with; handed over by `main.ts`. */
export type Services = {
  tasks: Tasks;
  calls: Calls;
  callbacks: Callbacks;
  limits: Limits;
  shelf: ReplyShelf;
  underWay: CallsUnderWay;
  store: Store;
  catalog: Catalog;
  keyRing: KeyRing;
  media: MediaStore;
  fetchMedia: FetchMedia;
  events: TaskEvents;
  /** Fires when the service is about to stop: whoever only waits is let go. */
  closing: AbortSignal;
  clock: Clock;
  log: Log;
  version: string;
  settings(): HttpSettings;
  /** Where we are reached when no request says so. */
  boundUrl(): string;
  isAdminKey(text: string): Promise<boolean>;
  /** Changes with the admin key. */
  adminMark(): string;
  sessions: Sessions;
  sealCookie: Sealer["sealCookie"];
  openCookie: Sealer["openCookie"];
  /** The query that lets whoever holds the address read an asset until a time. */
  signAsset(id: string, expiresAt: number, disposition: "inline" | "attachment"): string;
  verifyAsset(id: string, query: string, now: number): { disposition: "inline" | "attachment" } | "expired" | "invalid";
  /** Throws Failure when an address may not be called by us. */
  checkUrl(text: string, param: string): void;
  makeHookSecret(): { text: string; sealed: string };
  inNetworks(ip: string, networks: string[]): boolean;
  operating: Operating;
  /** The processes that share the database. */
  nodes(): NodeRow[];
  /** Switches a provider off for now, or on again, for all of them. */
  switchProvider(name: string, off: boolean): Promise<void>;
  readiness(): Promise<Readiness>;
  metrics(): Promise<{ type: string; text: string }>;
};
