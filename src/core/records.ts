/** What is written down, as the core and the rooms around it speak of it. */
import type { Budget } from "./budget.ts";
import type { ErrorCode } from "./errors.ts";
import type { TaskKind } from "./kinds.ts";
import type { Pace } from "./pace.ts";
import type { FailureClass } from "./refusal.ts";
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
  budget: Budget;
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
  limits: KeyLimits;
  /** What it has spent, and what its running tasks hold. */
  spentNanos: number;
};

/** What a key may do at most; null is no limit of its own. */
export type KeyLimits = {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  concurrentCalls: number | null;
  concurrentTasks: number | null;
  spendCapNanos: number | null;
};

/** Calls of one key to one model that were answered within a minute, to be paid and counted. */
export type ChargeRequest = {
  account: string;
  key: string | null;
  operation: string;
  model: string;
  provider: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  costNanos: number;
  /** How many of them were measured by us, because the upstream did not tell. */
  estimated: number;
  ms: number;
  now: number;
  /** The lease its account's calls were admitted under; null where one process has the balance to itself. */
  lease: { node: string; epoch: number } | null;
};

/** A process that shares the database. */
export type NodeRow = {
  id: string;
  /** What an operator knows it by. */
  name: string;
  role: "gateway" | "worker" | "both";
  version: string;
  startedAt: number;
  seenAt: number;
};

/** What a node is told when it says that it is alive. */
export type FleetView = { /** The clock of the database. */ at: number; nodes: NodeRow[]; facts: Record<string, string> };

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
  /** How many tasks of this key may be under way. */
  mostTasks: number | null;
  /** Accept nothing new: answer an earlier request again, or with this. */
  onlyReplay?: Extract<AcceptReply, { outcome: "insufficient" | "over_cap" }>;
};

export type AcceptReply =
  | { outcome: "accepted"; availableNanos: number }
  | { outcome: "replay"; task: Task }
  | { outcome: "insufficient" }
  | { outcome: "over_cap" }
  | { outcome: "too_many" }
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
  /** The class of what its upstream failed with. */
  failure: FailureClass | null;
};

/** A right to work on a task until the lease ends; the fence makes a late writer harmless. */
export type Claim = { taskId: string; fence: number };
export type RunClaim = Claim & { task: Task; attempt: Attempt };
/** A task in a queue, and the one key that it waits for; empty where any will do. */
export type Waiting = { task: Task; fence: number; attempt: number; lane: string; credential: string };
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
    /** `limit` slots in all, `perMinute` of them taken in a minute, and at most `most` now. */
    credentials: { id: string; limit: number; perMinute?: number | null; most: number }[];
  }[];
  paces: Record<string, Pace>;
  polls: number;
  chores: number;
};

export type ClaimReply = { runs: RunClaim[]; polls: PollClaim[]; chores: ChoreClaim[]; expired: Claim[] };

/** What came of a job; a no may also come after the upstream had it. */
export type AnswerRequest = Claim & { now: number } & (
    | { outcome: "accepted"; upstreamId: string; keep: Record<string, string>; pollAt: number }
    | { outcome: "rejected"; failure: FailureClass; cause: string; lane: string; credential: string | null; retryAt: number }
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
  /** Do nothing unless this attempt's job is the one that has been sent, or is about to be. */
  onlySent?: number;
  /** How the attempt under way is written down. */
  attemptState: "ENDED" | "REJECTED" | "UNKNOWN";
  cause: string | null;
  /** What its upstream failed with. */
  failure: FailureClass | null;
};

/** A task that has just ended, with the key it was asked with and the provider that had it last ("": none). */
export type EndedTask = Task & { key: string | null; provider: string };

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

export type TaskFilter = {
  status?: Status;
  kind?: TaskKind;
  model?: string;
  createdAfter?: number;
  createdBefore?: number;
  /** The task that they go on from. */
  parent?: string;
  /** Something that prompt, lyrics, title or tags have in them, in whatever case. */
  text?: string;
};

/** What became of a task, for operators. */
export type TaskHistory = {
  /** The key it was asked with. */
  key: string | null;
  attempts: (Attempt & { createdAt: number; endedAt: number | null })[];
  /** Set aside, paid, and given back. */
  money: { at: number; kind: "hold" | "settle" | "release"; nanos: number }[];
  deliveries: Delivery[];
};

/** Which deliveries are wanted; of no webhook at all means addresses that came with a create. */
export type DeliveryFilter = { account: string | null; endpoint?: string | null; state?: Delivery["state"] };

/** What the minute's audit found; empty lists mean that the books agree. */
export type AuditReport = {
  entrySumNanos: number;
  /** Accounts whose cached balance or holds differ from their entries. */
  wrongAccounts: string[];
  finishedWithHold: string[];
};

/** An attempt that an operator should look at. */
export type AttentionRow = { taskId: string; account: string; provider: string; cause: string | null; at: number };

/** What one key did with one model of one provider. */
export type CallUsageRow = {
  account: string;
  key: string | null;
  operation: string;
  model: string;
  provider: string;
  calls: number;
  estimated: number;
  inputTokens: number;
  outputTokens: number;
  costNanos: number;
  ms: number;
};

/** What one account did with one model. */
export type UsageRow = {
  account: string;
  kind: string;
  model: string;
  tasks: number;
  succeeded: number;
  failed: number;
  costNanos: number;
};
