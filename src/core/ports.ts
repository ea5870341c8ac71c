/** What the core asks of the rooms around it; `main.ts` hands them over. */
import type { Readable } from "node:stream";
import type { Alert } from "./alert.ts";
import type { ReplyClaim, ReplyName, ReplyQuestion, ReplyVerdict, StoredReply } from "./kept-reply.ts";
import type { LeaseReply, LeaseRequest } from "./lease.ts";
import type { LedgerQuestion, LedgerRow } from "./ledger-row.ts";
import type {
  AcceptReply,
  AcceptRequest,
  Account,
  AnswerRequest,
  Attempt,
  CallUsageRow,
  AttentionRow,
  AuditReport,
  ChargeRequest,
  Claim,
  ClaimReply,
  ClaimRequest,
  Delivery,
  DeliveryFilter,
  EndedTask,
  Endpoint,
  FinishRequest,
  FleetView,
  Key,
  KeyLimits,
  NodeRow,
  Page,
  StoredAsset,
  TaskFilter,
  TaskHistory,
  UsageRow,
  Waiting,
} from "./records.ts";
import type { PulseRow, TallyReply, TallyRequest } from "./counts.ts";
import type { Status, Task } from "./task.ts";
import type { UsageQuestion, UsageSeries } from "./usage-series.ts";

/** Writes: each is one commit, shared with whoever writes at the same time; nothing is answered before that commit. */
export type StoreWrites = {
  accept(request: AcceptRequest): Promise<AcceptReply>;
  /** Pays for answered calls; a moment's calls may be forgotten by a power failure, never by a crash of the service. */
  charge(request: ChargeRequest): Promise<void>;
  /** Posts to the ledger what calls have cost in minutes that are over; answers how many accounts that were. */
  postUsage(request: { now: number }): Promise<number>;
  /** Adds to what was counted; a moment's counts may be forgotten by a power failure. */
  recordPulse(request: { rows: PulseRow[] }): Promise<void>;
  /** Makes one of the oldest counts coarser, or forgets it; answers whether there was one. */
  foldPulse(request: { now: number }): Promise<boolean>;
  /** Writes an alert down and announces it; false where that was done before. */
  raiseAlert(request: { alert: Alert; event: string; body: string }): Promise<boolean>;
  lease(request: LeaseRequest): Promise<LeaseReply>;
  returnLease(request: { account: string; node: string; epoch: number; nanos: number }): Promise<number>;
  /** Tells the other nodes what this one counts, and hears the same of them. */
  exchange(request: TallyRequest): Promise<TallyReply>;
  beat(node: Omit<NodeRow, "seenAt"> & { now: number }): Promise<FleetView>;
  leave(request: { id: string }): Promise<void>;
  setFact(fact: { name: string; value: string; ifAbsent: boolean; now: number }): Promise<string>;
  claim(request: ClaimRequest): Promise<ClaimReply>;
  intend(claim: Claim & { model: string }): Promise<boolean>;
  answer(request: AnswerRequest): Promise<Task | null>;
  progress(request: { taskId: string; status: Status; progress: number; now: number }): Promise<Task | null>;
  beginCollect(request: Claim & { leaseUntil: number }): Promise<number | null>;
  park(request: Claim & { runAt: number }): Promise<boolean>;
  /** Asks about a job at the next look; false where it is not waiting to be asked about. */
  pollNow(request: { taskId: string; attempt: number; now: number }): Promise<boolean>;
  /** Puts a task that waits into another queue; false where it does not wait any more. */
  redirect(request: Claim & { lane: string; credential: string | null; now: number }): Promise<boolean>;
  renew(request: Claim & { leaseUntil: number }): Promise<boolean>;
  finish(request: FinishRequest): Promise<EndedTask | null>;
  deleteTask(request: {
    account: string;
    id: string;
  }): Promise<{ outcome: "deleted"; storageKeys: string[] } | { outcome: "absent" } | { outcome: "running" }>;
  putAsset(asset: StoredAsset): Promise<void>;
  deleteAsset(request: { account: string; id: string }): Promise<string | null>;
  /** Keeps an act that waits for its client to say more. */
  putModal(modal: { id: string; account: string; body: string; now: number }): Promise<void>;
  claimReply(claim: ReplyClaim): Promise<ReplyVerdict>;
  keepReply(answer: ReplyClaim & { reply: StoredReply | null }): Promise<boolean>;
  dropReply(failed: ReplyName & { fence: string }): Promise<void>;
  createAccount(account: { id: string; name: string; starter: boolean; now: number }): Promise<Account | null>;
  updateAccount(change: {
    id: string;
    name?: string;
    frozen?: boolean;
    budgetNanos?: number | null;
    budgetMarks?: number[];
  }): Promise<Account | null>;
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
    limits?: Partial<KeyLimits>;
    /** A new text. */
    secret?: { hash: string; lastFour: string };
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
  /** With `ifAbsent` a chore that is planned already keeps its time. */
  scheduleChore(chore: { id: string; chore: string; runAt: number; ifAbsent: boolean }): Promise<void>;
  finishChore(chore: { id: string; fence: number; runAt: number | null }): Promise<void>;
  prune(request: { now: number; taskRetentionMs: number; limit: number }): Promise<{ storageKeys: string[]; rows: number }>;
  recordAudit(act: { id: string; actor: string; act: string; subject: string; detail: string; now: number }): Promise<void>;
};

/** Reads: the account is part of the question wherever a client asks. */
export type StoreReads = {
  task(question: { id: string; account: string | null }): Promise<Task | null>;
  /** Tasks by their own ids or by the ids of their songs. */
  tasksByIds(question: { ids: string[]; account: string }): Promise<Task[]>;
  /** Newest first unless told. */
  listTasks(question: Page & TaskFilter & { account: string | null; oldestFirst?: boolean }): Promise<Task[]>;
  /** A task with all it comes from and all that came of it, oldest first; empty where there is no such task. */
  lineage(question: { id: string; account: string | null; limit: number }): Promise<Task[]>;
  taskHistory(question: { taskId: string }): Promise<TaskHistory>;
  attempts(question: { taskId: string }): Promise<Attempt[]>;
  account(question: { idOrName: string }): Promise<Account | null>;
  listAccounts(page: Page): Promise<Account[]>;
  keyById(question: { id: string }): Promise<{ key: Key; hash: string; account: Account } | null>;
  listKeys(question: Page & { account?: string }): Promise<Key[]>;
  listCredits(
    question: Page & { account?: string },
  ): Promise<{ id: string; account: string; nanos: number; note: string; createdAt: number }[]>;
  asset(question: { id: string; account: string | null }): Promise<StoredAsset | null>;
  /** How a call stands, for a process that has the store to itself. */
  keptReply(question: ReplyQuestion): Promise<ReplyVerdict>;
  modal(question: { id: string; account: string }): Promise<{ body: string; createdAt: number } | null>;
  listFiles(question: Page & { account: string }): Promise<StoredAsset[]>;
  endpoint(question: { account: string; id: string }): Promise<Endpoint | null>;
  listEndpoints(question: { account: string }): Promise<Endpoint[]>;
  listAllEndpoints(question: Page & { account: string | null }): Promise<Endpoint[]>;
  /** Tasks that are still kept, counted and summed by account, kind and model. */
  usage(question: { account: string | null; createdAfter: number; createdBefore: number }): Promise<UsageRow[]>;
  /** Calls, counted and summed by account, key, operation, model and provider. */
  callUsage(question: { account: string | null; createdAfter: number; createdBefore: number }): Promise<CallUsageRow[]>;
  /** Calls and tasks that ended, counted by time and, where wanted, by one of their sides. */
  usageSeries(question: UsageQuestion): Promise<UsageSeries[]>;
  /** Movements of an account's money, newest first; null where there is no such row to go on after. */
  ledger(question: LedgerQuestion): Promise<LedgerRow[] | null>;
  /** What calls of an account have cost that is not in the ledger yet. */
  unposted(question: { account: string }): Promise<number>;
  /** What somebody must be told of and was not yet. */
  dueAlerts(question: { now: number }): Promise<Alert[]>;
  /** Newest first. */
  listAlerts(question: Page & { account: string | null }): Promise<Alert[]>;
  hookSecret(question: { account: string }): Promise<string | null>;
  delivery(question: { id: string }): Promise<Delivery | null>;
  listDeliveries(question: Page & DeliveryFilter): Promise<Delivery[]>;
  listAudit(page: Page): Promise<{ id: string; actor: string; act: string; subject: string; detail: string; at: number }[]>;
  attention(page: Page): Promise<AttentionRow[]>;
  /** Rows of each queue and phase, with when the oldest of them is or was due; a chore's queue has its name. */
  queueDepth(): Promise<{ lane: string; phase: string; count: number; dueAt: number }[]>;
  /** Where tasks wait that were due before a time, how many, and since when; the credential is empty where any will do. */
  queues(question: { dueBefore: number }): Promise<{ lane: string; credential: string; count: number; dueAt: number }[]>;
  /** Those of them that wait in one place, by id. */
  waiting(question: { lane: string; credential: string; dueBefore: number; after: string; limit: number }): Promise<Waiting[]>;
  gates(): Promise<{ lane: string; credential: string; used: number }[]>;
  /** What each node has leased of all balances together. */
  leases(): Promise<{ node: string; leases: number; nanos: number }[]>;
  auditBooks(): Promise<AuditReport>;
  /** How many bytes the database takes. */
  size(): Promise<number>;
  /** Those of the storage keys that no asset has. */
  unknownKeys(question: { storageKeys: string[] }): Promise<string[]>;
};

export type Store = StoreWrites &
  StoreReads & {
    /** Hears, before whoever wrote is answered, what each commit left in accounts and what keys have spent. */
    onMoney(heard: MoneyHeard): void;
    /** How the way to a database outside this process does; absent where there is none. */
    figures?(): StoreFigures;
    close(): Promise<void>;
  };

export type StoreFigures = {
  /** Connections at work and at rest, and questions that wait for one. */
  connections: { busy: number; idle: number; waiting: number };
  /** What was asked again, and what was given up: the database was away, others were in the way, or it will not do it. */
  repeated: Record<"away" | "contention" | "refused", number>;
  givenUp: Record<"away" | "contention" | "refused", number>;
};

export type MoneyHeard = {
  available(account: string, nanos: number): void;
  spent(key: string, nanos: number): void;
  /** By how much a lease of this process changed. */
  leased(account: string, epoch: number, nanos: number): void;
};

/** What nodes tell each other of: a task changed, there is work to do, a key or account changed, money is asked back, the file changed. */
export type Topic = "task" | "work" | "key" | "purse" | "config";

/** Where nodes that share a database tell each other what may interest them: soon, but without promise. */
export type Bulletin = {
  post(topic: Topic, id: string): void;
  /** Hears what other nodes post. */
  hear(topic: Topic, heard: (id: string) => void): void;
  /** Hears that something may have been missed. */
  onGap(heard: () => void): void;
  /** Whether others can be heard now, and how many notes went out and came in; absent where there are no others. */
  figures?(): { connected: boolean; sent: number; heard: number };
  close(): Promise<void>;
};

/** For one process alone. */
export const noBulletin: Bulletin = { post: () => undefined, hear: () => undefined, onGap: () => undefined, close: async () => undefined };

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
  /** An address where anybody can read it for a while; absent where there is none but ours. */
  presign?(
    key: string,
    options: { expiresSeconds: number; disposition: "inline" | "attachment"; mime: string; name: string },
  ): Promise<string>;
  /** Everything that lies there and has not been touched since a time, in portions. */
  keysBefore(ms: number): AsyncIterable<string[]>;
};

/** What a video or recording says of itself; 0 where it has no such thing. */
export type MediaFacts = { durationSeconds: number; width: number; height: number };

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
