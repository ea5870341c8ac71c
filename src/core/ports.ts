/** What the core asks of the rooms around it; `main.ts` hands them over. */
import type { Readable } from "node:stream";
import type { ErrorCode } from "./errors.ts";
import type { TaskKind } from "./kinds.ts";
import type { Pace } from "./pace.ts";
import type { NewTask, Status, Task, TaskAsset, TaskResult } from "./task.ts";

export type Account = {
  id: string;
  name: string;
  availableNanos: number;
  heldNanos: number;
  spentNanos: number;
  /** Spending is stopped because the books did not agree. */
  frozen: boolean;
  /** Made by local mode: topped up, and good for the built-in provider only. */
  starter: boolean;
  createdAt: number;
};

export type Key = {
  id: string;
  account: string;
  name: string;
  lastFour: string;
  scopes: string[] | null;
  models: string[] | null;
  ips: string[] | null;
  expiresAt: number | null;
  revokedAt: number | null;
  createdAt: number;
};

export type Page = { limit: number; after?: string };

/** How to tell a client about one task: an address, whether it wants the plain record or a typed event, and whether every change or the end. */
export type InlineHook = { url: string; style: "plain" | "event"; every: boolean };

/** A task to be accepted, with the key it was shown with and whom to tell. */
export type OfferedTask = NewTask & { key: string | null; hook: InlineHook | null };

export type AcceptRequest = {
  task: OfferedTask;
  lane: string;
  /** Set when the work must go to one credential of its provider. */
  credential: string | null;
  idempotency: { key: string; route: string; fingerprint: string } | null;
};

export type AcceptReply =
  | { outcome: "accepted"; availableNanos: number }
  | { outcome: "replay"; task: Task }
  | { outcome: "insufficient" }
  | { outcome: "frozen" }
  | { outcome: "mismatch" };

/** One attempt at a task, as it is written down. */
export type Attempt = {
  n: number;
  provider: string;
  credential: string;
  model: string;
  /** PREPARED: nothing sent. INTENT: about to be sent, or sent. ACCEPTED: the upstream has it. */
  state: "PREPARED" | "INTENT" | "ACCEPTED" | "REJECTED" | "UNKNOWN" | "ENDED";
  upstreamId: string | null;
  keep: Record<string, string>;
  acceptedAt: number | null;
  cause: string | null;
};

/** A right to work on a task until the lease ends; the fence makes a late writer harmless. */
export type Claim = { taskId: string; fence: number };
export type RunClaim = Claim & { task: Task; attempt: Attempt };
export type PollClaim = Claim & {
  attempt: Attempt;
  kind: TaskKind;
  status: Status;
  progress: number;
  deadlineAt: number;
  phase: "poll" | "collect";
  lagMs: number;
};
export type ChoreClaim = { id: string; chore: string; fence: number };

export type ClaimRequest = {
  now: number;
  leaseMs: number;
  lanes: {
    lane: string;
    provider: string;
    /** `limit` slots in all, at most `most` of them taken now. */ credentials: { id: string; limit: number; most: number }[];
  }[];
  paces: Record<string, Pace>;
  polls: number;
  chores: number;
};

export type ClaimReply = { runs: RunClaim[]; polls: PollClaim[]; chores: ChoreClaim[]; expired: Claim[] };

/** What came of sending a job. */
export type AnswerRequest = Claim & { now: number } & (
    | { outcome: "accepted"; upstreamId: string; keep: Record<string, string>; pollAt: number }
    | { outcome: "rejected"; cause: string; lane: string; retryAt: number }
  );

export type NewAsset = TaskAsset & { storageKey: string; sha256: string };

export type FinishRequest = {
  taskId: string;
  /** Null where the end does not come from a worker: cancel, sweep. */
  fence: number | null;
  now: number;
  status: "SUCCESS" | "FAILURE";
  costNanos: number;
  result: TaskResult | null;
  assets: NewAsset[];
  failCode: ErrorCode | null;
  failReason: string | null;
  /** Do nothing if a job has been sent, or is about to be. */
  onlyUnsent?: boolean;
  /** How the attempt under way is written down. */
  attemptState: "ENDED" | "REJECTED" | "UNKNOWN";
  cause: string | null;
};

export type StoredAsset = {
  id: string;
  account: string;
  task: string | null;
  kind: string;
  mime: string;
  bytes: number;
  sha256: string;
  storageKey: string;
  name: string | null;
  purpose: string | null;
  createdAt: number;
  expiresAt: number;
};

export type Endpoint = {
  id: string;
  account: string;
  url: string;
  sealedSecret: string;
  events: string[];
  disabledAt: number | null;
  createdAt: number;
};

export type Delivery = {
  id: string;
  account: string;
  endpoint: string | null;
  task: string | null;
  url: string;
  event: string;
  style: "plain" | "event";
  body: string | null;
  state: "pending" | "delivered" | "failed" | "dropped";
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: number;
  deliveredAt: number | null;
};

export type TaskFilter = { status?: Status; kind?: TaskKind; model?: string; createdAfter?: number; createdBefore?: number };

/** What the minute's audit found; empty lists mean that the books agree. */
export type AuditReport = {
  entrySumNanos: number;
  /** Accounts whose cached balance or holds differ from their entries. */
  wrongAccounts: string[];
  finishedWithHold: string[];
};

/** Writes: each is one commit, shared with whoever writes at the same time; nothing is answered before that commit. */
export type StoreWrites = {
  accept(request: AcceptRequest): Promise<AcceptReply>;
  claim(request: ClaimRequest): Promise<ClaimReply>;
  intend(claim: Claim & { model: string }): Promise<boolean>;
  answer(request: AnswerRequest): Promise<Task | null>;
  progress(request: { taskId: string; status: Status; progress: number; now: number }): Promise<Task | null>;
  beginCollect(request: Claim & { leaseUntil: number }): Promise<number | null>;
  park(request: Claim & { runAt: number }): Promise<boolean>;
  renew(request: Claim & { leaseUntil: number }): Promise<boolean>;
  finish(request: FinishRequest): Promise<Task | null>;
  deleteTask(request: {
    account: string;
    id: string;
  }): Promise<{ outcome: "deleted"; storageKeys: string[] } | { outcome: "absent" } | { outcome: "running" }>;
  putAsset(asset: StoredAsset): Promise<void>;
  deleteAsset(request: { account: string; id: string }): Promise<string | null>;
  createAccount(account: { id: string; name: string; starter: boolean; now: number }): Promise<Account | null>;
  updateAccount(change: { id: string; name?: string; frozen?: boolean }): Promise<Account | null>;
  credit(credit: {
    id: string;
    account: string;
    nanos: number;
    note: string;
    now: number;
  }): Promise<{ outcome: "credited"; account: Account } | { outcome: "absent" } | { outcome: "insufficient" }>;
  createKey(key: Key & { hash: string }): Promise<Key | null>;
  updateKey(change: {
    id: string;
    name?: string;
    scopes?: string[] | null;
    models?: string[] | null;
    ips?: string[] | null;
    expiresAt?: number | null;
    revokedAt?: number;
  }): Promise<Key | null>;
  createEndpoint(endpoint: Endpoint): Promise<void>;
  updateEndpoint(change: { account: string; id: string; sealedSecret?: string; disabledAt?: number | null }): Promise<Endpoint | null>;
  deleteEndpoint(request: { account: string; id: string }): Promise<boolean>;
  setHookSecret(request: { account: string; sealedSecret: string }): Promise<void>;
  announce(delivery: Delivery): Promise<void>;
  recordDelivery(record: {
    id: string;
    fence: number;
    body: string;
    now: number;
    state: Delivery["state"];
    status: number | null;
    error: string | null;
    nextAt: number | null;
    disableEndpoint: boolean;
  }): Promise<void>;
  resend(request: { account: string; id: string; now: number }): Promise<Delivery | null>;
  scheduleChore(chore: { id: string; chore: string; runAt: number }): Promise<void>;
  finishChore(chore: { id: string; fence: number; runAt: number | null }): Promise<void>;
  prune(request: { now: number; taskRetentionMs: number; limit: number }): Promise<{ storageKeys: string[]; rows: number }>;
  recordAudit(act: { id: string; actor: string; act: string; subject: string; detail: string; now: number }): Promise<void>;
};

export type AttentionRow = { taskId: string; account: string; provider: string; cause: string | null; at: number };

/** Reads: the account is part of the question wherever a client asks. */
export type StoreReads = {
  task(question: { id: string; account: string | null }): Promise<Task | null>;
  /** Tasks by their own ids or by the ids of their songs. */
  tasksByIds(question: { ids: string[]; account: string }): Promise<Task[]>;
  listTasks(question: Page & TaskFilter & { account: string | null }): Promise<Task[]>;
  attempts(question: { taskId: string }): Promise<Attempt[]>;
  account(question: { idOrName: string }): Promise<Account | null>;
  listAccounts(page: Page): Promise<Account[]>;
  keyById(question: { id: string }): Promise<{ key: Key; hash: string; account: Account } | null>;
  listKeys(question: Page & { account?: string }): Promise<Key[]>;
  listCredits(
    question: Page & { account?: string },
  ): Promise<{ id: string; account: string; nanos: number; note: string; createdAt: number }[]>;
  asset(question: { id: string; account: string | null }): Promise<StoredAsset | null>;
  listFiles(question: Page & { account: string }): Promise<StoredAsset[]>;
  endpoint(question: { account: string; id: string }): Promise<Endpoint | null>;
  listEndpoints(question: { account: string }): Promise<Endpoint[]>;
  hookSecret(question: { account: string }): Promise<string | null>;
  delivery(question: { id: string }): Promise<Delivery | null>;
  listDeliveries(question: Page & { account: string; endpoint: string | null }): Promise<Delivery[]>;
  listAudit(page: Page): Promise<{ id: string; actor: string; act: string; subject: string; detail: string; at: number }[]>;
  attention(page: Page): Promise<AttentionRow[]>;
  queueDepth(): Promise<{ lane: string; phase: string; count: number }[]>;
  gates(): Promise<{ lane: string; credential: string; used: number }[]>;
  auditBooks(): Promise<AuditReport>;
  /** Those of the storage keys that no asset has. */
  unknownKeys(question: { storageKeys: string[] }): Promise<string[]>;
};

export type Store = StoreWrites & StoreReads & { close(): Promise<void> };

/** Where results and uploads lie. */
export type MediaStore = {
  put(
    source: { path: string } | { bytes: Uint8Array } | { stream: AsyncIterable<Uint8Array> },
    options: { maxBytes: number },
  ): Promise<{ key: string; bytes: number; sha256: string; mime: string }>;
  /** `bytes` is the size of the whole, whatever the range. */
  open(key: string, range?: { start: number; end: number }): Promise<{ stream: Readable; bytes: number }>;
  read(key: string): Promise<Uint8Array>;
  /** An absent one is fine. */
  remove(key: string): Promise<void>;
  freeBytes(): Promise<number>;
  /** Everything that lies there and has not been touched since a time, in portions. */
  keysBefore(ms: number): AsyncIterable<string[]>;
};

/** Opens one address from outside through the guard; throws when it may not or cannot. */
export type FetchMedia = (
  url: string,
  options: { maxBytes: number; timeoutMs: number; signal?: AbortSignal; headers?: Record<string, string>; allowPrivate: boolean },
) => Promise<{ body: AsyncIterable<Uint8Array>; mime: string }>;

export type Clock = () => number;

export type Log = {
  info(detail: object, says: string): void;
  warn(detail: object, says: string): void;
  error(detail: object, says: string): void;
};
