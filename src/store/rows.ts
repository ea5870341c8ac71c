import type { Selectable } from "kysely";
import type { Alert } from "../core/alert.ts";
import { usualMarks } from "../core/budget.ts";
import type { ErrorCode } from "../core/errors.ts";
import { parentOf } from "../core/lineage.ts";
import type { Account, Attempt, Delivery, Endpoint, Key, OfferedTask, StoredAsset } from "../core/records.ts";
import type { Task } from "../core/task.ts";
import type { Database } from "./schema.ts";

type Row<T extends keyof Database> = Selectable<Database[T]>;

// What we wrote ourselves is read back as what it was: the one place where stored text becomes typed values.
function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}

function list(text: string | null): string[] | null {
  return text === null ? null : parsed<string[]>(text);
}

export function taskOf(row: Row<"task">): Task {
  return {
    id: row.id,
    account: row.account,
    dialect: row.dialect as Task["dialect"],
    kind: row.kind,
    input: parsed(row.input),
    model: row.model,
    status: row.status as Task["status"],
    progress: row.progress,
    price: parsed(row.price),
    holdNanos: row.hold,
    costNanos: row.cost,
    failCode: row.fail_code as ErrorCode | null,
    failReason: row.fail_reason,
    result: row.result === null ? null : parsed(row.result),
    assets: parsed(row.assets),
    songIds: parsed(row.song_ids),
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    deadlineAt: row.deadline_at,
    version: row.version,
  } as Task;
}

export function rowOfNewTask(task: OfferedTask): Row<"task"> {
  return {
    id: task.id,
    account: task.account,
    api_key: task.key,
    kind: task.kind,
    dialect: task.dialect,
    model: task.model,
    status: "SUBMITTED",
    progress: 0,
    input: JSON.stringify(task.input),
    price: JSON.stringify(task.price),
    hold: task.holdNanos,
    cost: null,
    fail_code: null,
    fail_reason: null,
    result: null,
    assets: "[]",
    song_ids: JSON.stringify(task.songIds),
    hook: task.hook === null ? null : JSON.stringify(task.hook),
    created_at: task.createdAt,
    started_at: null,
    finished_at: null,
    deadline_at: task.deadlineAt,
    version: 1,
    parent: parentOf(task)?.taskId ?? null,
  };
}

export function accountOf(row: Row<"account">): Account {
  return {
    id: row.id,
    name: row.name,
    availableNanos: row.available,
    heldNanos: row.held,
    spentNanos: row.spent,
    frozen: row.frozen === 1,
    starter: row.starter === 1,
    createdAt: row.created_at,
    budget: {
      nanos: row.budget,
      marks: row.budget_marks === null ? [...usualMarks] : parsed(row.budget_marks),
      month: row.month,
      spentNanos: row.month_spent,
    },
  };
}

export function alertOf({ id, name, account, detail, at }: Row<"alert">): Alert {
  return { id, name, account, fact: parsed(detail), at };
}

export function keyOf(row: Row<"api_key">): Key {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    lastFour: row.last_four,
    scopes: list(row.scopes),
    models: list(row.models),
    ips: list(row.ips),
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
    limits: {
      requestsPerMinute: row.requests_per_minute,
      tokensPerMinute: row.tokens_per_minute,
      concurrentCalls: row.concurrent_calls,
      concurrentTasks: row.concurrent_tasks,
      spendCapNanos: row.spend_cap,
    },
    spentNanos: row.spent,
  };
}

export function attemptOf(row: Row<"attempt">): Attempt {
  return {
    n: row.n,
    provider: row.provider,
    credential: row.credential,
    model: row.model,
    state: row.state as Attempt["state"],
    upstreamId: row.upstream_id,
    keep: parsed(row.keep),
    acceptedAt: row.accepted_at,
    cause: row.cause,
    failure: row.failure as Attempt["failure"],
  };
}

export function assetOf(row: Row<"asset">): StoredAsset {
  const { storage_key: storageKey, created_at: createdAt, expires_at: expiresAt, ...rest } = row;
  return { ...rest, storageKey, createdAt, expiresAt };
}

export function rowOfAsset(asset: StoredAsset): Row<"asset"> {
  const { storageKey, createdAt, expiresAt, ...rest } = asset;
  return { ...rest, storage_key: storageKey, created_at: createdAt, expires_at: expiresAt };
}

export function endpointOf(row: Row<"endpoint">): Endpoint {
  return {
    id: row.id,
    account: row.account,
    url: row.url,
    sealedSecret: row.secret,
    events: parsed(row.events),
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}

export function deliveryOf(row: Row<"delivery">): Delivery {
  return {
    id: row.id,
    account: row.account,
    endpoint: row.endpoint,
    task: row.task,
    url: row.url,
    event: row.event,
    style: row.style as Delivery["style"],
    body: row.body,
    state: row.state as Delivery["state"],
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
  };
}

export function rowOfDelivery(delivery: Delivery): Row<"delivery"> {
  return {
    id: delivery.id,
    account: delivery.account,
    endpoint: delivery.endpoint,
    task: delivery.task,
    url: delivery.url,
    event: delivery.event,
    style: delivery.style,
    body: delivery.body,
    state: delivery.state,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt,
    delivered_at: delivery.deliveredAt,
  };
}
