import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/core/ports.ts";
import type { AcceptRequest, ClaimRequest, FinishRequest } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { openTestDatabase } from "../support/database.ts";
import { chosenStore } from "../support/store-choice.ts";

export type Opened = { store: Store; end(): Promise<void> };

const openers: Record<string, () => Promise<Opened | null>> = {
  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "genway-store-"));
    const store = await openSqliteStore(folder);
    return { store, end: async () => (await store.close(), rmSync(folder, { recursive: true })) };
  },
  async postgres() {
    const database = await openTestDatabase(`genway-store-${uuidv7()}`);
    if (database === null) return null;
    const store = await openPostgresStore(database.url);
    return { store, end: async () => (await store.close(), await database.drop()) };
  },
};

/** Opens a fresh store of each kind that this test run is about; null where the machine has no PostgreSQL. */
export const stores = Object.fromEntries(Object.entries(openers).filter(([name]) => name === (chosenStore() ?? name)));

export async function richAccount(store: Store, nanos: number): Promise<string> {
  const id = uuidv7();
  await store.createAccount({ id, name: `account ${id}`, starter: false, now: 1 });
  await store.credit({ id: uuidv7(), account: id, nanos, note: "", now: 1 });
  return id;
}

export function acceptRequest(account: string, more: Partial<AcceptRequest> = {}, holdNanos = 100): AcceptRequest {
  const id = uuidv7();
  return {
    task: {
      id,
      account,
      key: null,
      kind: "video",
      dialect: "video",
      model: "m",
      price: {},
      holdNanos,
      songIds: [],
      createdAt: 1_000,
      deadlineAt: 1_000_000,
      hook: null,
      input: { prompt: "a red fox ☃", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } },
    },
    lane: "lane",
    credential: null,
    idempotency: null,
    mostTasks: null,
    ...more,
  };
}

export function claimRequest(more: Partial<ClaimRequest> = {}): ClaimRequest {
  const lanes = [{ lane: "lane", provider: "lane", credentials: [{ id: "k", limit: 100, most: 100 }] }];
  return {
    now: 2_000,
    leaseMs: 10_000,
    lanes,
    paces: { "lane video": { everyMs: 5_000, perSecond: 100, expectedMs: 60_000, atOnce: 1 } },
    polls: 100,
    chores: 0,
    ...more,
  };
}

export function success(taskId: string, fence: number | null, costNanos = 100): FinishRequest {
  return {
    taskId,
    fence,
    now: 9_000,
    status: "SUCCESS",
    costNanos,
    result: null,
    assets: [],
    failCode: null,
    failReason: null,
    attemptState: "ENDED",
    cause: null,
    failure: null,
  };
}

export function failure(taskId: string, fence: number | null): FinishRequest {
  return { ...success(taskId, fence, 0), status: "FAILURE", failCode: "upstream_error", failReason: "no" };
}

/** The books agree: nothing is missing, nothing was made. */
export async function booksAgree(store: Store): Promise<boolean> {
  const { entrySumNanos, wrongAccounts, finishedWithHold } = await store.auditBooks();
  return entrySumNanos === 0 && wrongAccounts.length === 0 && finishedWithHold.length === 0;
}
