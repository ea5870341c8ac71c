import type { Store } from "../../src/core/ports.ts";
import type { ClaimRequest, PollClaim, RunClaim } from "../../src/core/records.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { openPostgresBulletin } from "../../src/store/postgres-bulletin.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { acceptRequest, claimRequest, richAccount, success } from "../../test/store/fixture.ts";
import { openBooks } from "./books.ts";
import type { Engine, Place } from "./engine-port.ts";
import { startLooker, type Looker } from "./looker.ts";
import { atOnce, hourMs, inPortions } from "./portion.ts";

const manySlots = 1_000_000;
const everyMs = 30_000;

/** Our own store behind its port: waiting is a row, and its verbs are all there is. */
export async function openGenwayEngine({ databaseUrl }: Place): Promise<Engine> {
  const store = await openPostgresStore(databaseUrl);
  const account = await richAccount(store, 1e12);
  // The store is told the time: what is due does not have to be waited for.
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  let looker: Looker | null = null;
  const bulletin = openPostgresBulletin(databaseUrl, uuidv7());
  bulletin.hear("work", () => looker?.wake());

  return {
    async submit(id) {
      await submitTask(store, account, id, now());
      looker?.wake();
      bulletin.post("work", "");
    },
    async work(tasks, polls) {
      const asked = new Map<string, number>();
      const ended = new Set<string>();
      const poll = async (claim: PollClaim) => {
        const times = (asked.get(claim.taskId) ?? 0) + 1;
        asked.set(claim.taskId, times);
        if (times < polls) return;
        await endTask(store, claim, now());
        ended.add(claim.taskId);
      };
      for (let idle = 0; ended.size < tasks;) {
        aheadMs += 2 * everyMs;
        const claimed = await store.claim(claimAt(now(), { slots: manySlots, againMs: everyMs }));
        idle = claimed.runs.length + claimed.polls.length === 0 ? idle + 1 : 0;
        if (idle > 1_000) throw new Error(`${tasks - ended.size} tasks do not end`);
        await Promise.all([...claimed.runs.map((claim) => startTask(store, claim, now(), 0)), ...claimed.polls.map(poll)]);
      }
    },
    async fill(ids, everyDue) {
      const books = await openBooks(databaseUrl);
      const dueAt = now() - 1;
      await inPortions(ids, (some, from) =>
        books.transact(async (session) => {
          await books.send(session, some);
          const runAt = some.map((_, place) => ((from + place) % everyDue === 0 ? dueAt : dueAt + hourMs));
          await session.query(waitingSteps, [some, runAt, books.account, dueAt, dueAt + 1_000 * hourMs]);
        }),
      );
      await books.close();
    },
    async poll(count) {
      let asked = 0;
      while (asked < count) {
        const { polls } = await store.claim(claimAt(now(), { slots: manySlots, againMs: hourMs }));
        if (polls.length === 0) break;
        asked += polls.length;
      }
      return asked;
    },
    async look() {
      await store.claim(claimAt(now() - 2 * hourMs, { slots: manySlots, againMs: hourMs }));
    },
    async listen(started) {
      const endings = new Set<Promise<unknown>>();
      const own = startLooker(async () => {
        const { runs } = await store.claim(claimAt(now(), { slots: manySlots, againMs: everyMs }));
        for (const { taskId, fence } of runs) {
          started(taskId);
          const ending = store.finish({ ...success(taskId, fence), now: now() });
          endings.add(ending);
          void ending.finally(() => endings.delete(ending));
        }
      });
      looker = own;
      return {
        async stop() {
          looker = null;
          await own.stop();
          await Promise.all(endings);
        },
      };
    },
    async close() {
      await bulletin.close();
      await store.close();
    },
  };
}

export async function submitTask(store: Store, account: string, id: string, now: number): Promise<void> {
  const request = acceptRequest(account);
  Object.assign(request.task, { id, createdAt: now, deadlineAt: now + 1_000 * hourMs });
  const { outcome } = await store.accept(request);
  if (outcome !== "accepted") throw new Error(`a task was not accepted: ${outcome}`);
}

/** A look for work at an upstream with so many slots, whose jobs are asked about every so often. */
export function claimAt(now: number, { slots, againMs }: { slots: number; againMs: number }): ClaimRequest {
  return claimRequest({
    now,
    leaseMs: hourMs,
    lanes: [{ lane: "lane", provider: "lane", credentials: [{ id: "k", limit: slots, most: atOnce }] }],
    paces: { "lane video": { everyMs: againMs, perSecond: manySlots, expectedMs: null, atOnce: 1 } },
    polls: atOnce,
  });
}

export async function startTask(store: Store, { taskId, fence }: RunClaim, now: number, pollInMs: number): Promise<void> {
  await store.intend({ taskId, fence, model: "m" });
  await store.answer({ taskId, fence, now, outcome: "accepted", upstreamId: taskId, keep: {}, pollAt: now + pollInMs });
}

export async function endTask(store: Store, { taskId, fence }: PollClaim, now: number): Promise<void> {
  const collecting = await store.beginCollect({ taskId, fence, leaseUntil: now + hourMs });
  const task = await store.finish({ ...success(taskId, collecting), now });
  if (task === null) throw new Error(`task ${taskId} could not be ended`);
}

const waitingSteps = `insert into step (id, phase, lane, account, work, credential, rank, run_at, leased, fence, attempt, since, deadline_at)
  select id, 'poll', 'lane', $3, 'video', '', 0, run_at, 0, 1, 1, $4::bigint, $5::bigint from unnest($1::text[], $2::bigint[]) waiting (id, run_at)`;
