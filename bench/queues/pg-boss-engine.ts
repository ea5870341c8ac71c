import { PgBoss, type ConstructorOptions, type Db, type JobWithMetadata } from "pg-boss";
import { openBooks, type Books, type Session } from "./books.ts";
import type { Engine, Place } from "./engine.ts";
import { gather } from "./gather.ts";
import { atOnce, hourMs, inPortions } from "./portion.ts";

export type Data = { task: string; polls?: number };
type Job = JobWithMetadata<Data>;

/** How a job is asked about again: as a retry, whose delay is that of the queue, or by ending it and sending another, due when it should be. */
export type Again = "retry" | "resend";

const patient = { retryLimit: 1_000_000, expireInSeconds: 3_600 };

/** Jobs in the same database, enqueued and ended in the transaction of the task's own rows. */
export async function openPgBossEngine({ databaseUrl }: Place, way: Again): Promise<Engine> {
  const books = await openBooks(databaseUrl);
  const boss = await startBoss(databaseUrl);
  await boss.createQueue("start", { notify: true });
  await boss.createQueue("poll", { ...patient, retryDelay: 0 });
  await boss.createQueue("waiting", { ...patient, retryDelay: hourMs / 1_000 });
  const fetch = (queue: string): Promise<Job[]> => boss.fetch<Data>(queue, { batchSize: atOnce, includeMetadata: true });
  const askAgain = againIn(books, boss, way);

  async function start(): Promise<number> {
    const jobs = await fetch("start");
    if (jobs.length === 0) return 0;
    const ids = tasksOf(jobs);
    await books.intend(books.pool, ids);
    await books.transact(async (session) => {
      const db = sameTransaction(session);
      await books.accepted(session, ids);
      await boss.complete("start", idsOf(jobs), null, { db });
      await boss.insert("poll", ids.map(jobOf), { db });
    });
    return jobs.length;
  }

  async function poll(polls: number): Promise<{ asked: number; ended: number }> {
    const jobs = await fetch("poll");
    const done = jobs.filter(({ retryCount, data }) => (data.polls ?? retryCount) + 1 >= polls);
    const running = jobs.filter((job) => !done.includes(job));
    if (running.length > 0) await askAgain("poll", running, 0);
    if (done.length > 0)
      await books.transact(async (session) => {
        await books.settle(session, tasksOf(done));
        await boss.complete("poll", idsOf(done), null, { db: sameTransaction(session) });
      });
    return { asked: jobs.length, ended: done.length };
  }

  return {
    submit: gather<string>((ids) =>
      books.transact(async (session) => {
        await books.accept(session, ids);
        await boss.insert("start", ids.map(jobOf), { db: sameTransaction(session) });
      }),
    ),
    async work(tasks, polls) {
      let ended = 0;
      for (let idle = 0; ended < tasks;) {
        const [started, polled] = await Promise.all([start(), poll(polls)]);
        ended += polled.ended;
        idle = started + polled.asked === 0 ? idle + 1 : 0;
        if (idle > 1_000) throw new Error(`${tasks - ended} tasks do not end`);
      }
    },
    fill: (ids, everyDue) =>
      inPortions(ids, (some, from) =>
        books.transact(async (session) => {
          await books.send(session, some);
          const jobs = some.map((id, place) => ({ ...jobOf(id), startAfter: (from + place) % everyDue === 0 ? 0 : hourMs / 1_000 }));
          await boss.insert("waiting", jobs, { db: sameTransaction(session) });
        }),
      ),
    async poll(count) {
      let asked = 0;
      while (asked < count) {
        const jobs = await fetch("waiting");
        if (jobs.length === 0) break;
        await askAgain("waiting", jobs, hourMs / 1_000);
        asked += jobs.length;
      }
      return asked;
    },
    async look() {
      await boss.fetch("waiting", { batchSize: atOnce });
    },
    async listen(started) {
      const options = { batchSize: atOnce, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
      await boss.work<Data>("start", options, async (jobs) => {
        for (const { data } of jobs) started(data.task);
      });
      return { stop: () => boss.offWork("start", { wait: true }) };
    },
    async close() {
      await boss.stop({ graceful: false });
      await books.close();
    },
  };
}

function againIn(books: Books, boss: PgBoss, way: Again): (queue: string, jobs: readonly Job[], afterSeconds: number) => Promise<void> {
  if (way === "retry") return async (queue, jobs) => void (await boss.fail(queue, idsOf(jobs)));
  return (queue, jobs, startAfter) =>
    books.transact(async (session) => {
      const db = sameTransaction(session);
      await boss.complete(queue, idsOf(jobs), null, { db });
      const next = jobs.map(({ data: { task, polls = 0 } }) => ({ data: { task, polls: polls + 1 }, startAfter }));
      await boss.insert(queue, next, { db });
    });
}

/** Without its upkeep, unless told otherwise: it would fall into whatever is measured. */
export async function startBoss(databaseUrl: string, options: ConstructorOptions = { supervise: false }): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: databaseUrl, schedule: false, useListenNotify: true, ...options });
  boss.on("error", (error) => console.error(error));
  return boss.start();
}

/** Lets pg-boss write in a transaction of ours. */
export function sameTransaction(session: Session): Db {
  return { executeSql: (text, values) => session.query(text, values) };
}

const jobOf = (task: string): { data: Data } => ({ data: { task } });
const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id);
const tasksOf = (jobs: readonly Job[]) => jobs.map(({ data }) => data.task);
