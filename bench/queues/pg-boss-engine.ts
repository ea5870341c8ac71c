import { PgBoss, type ConstructorOptions, type Db, type JobWithMetadata } from "pg-boss";
import { openBooks, type Session } from "./books.ts";
import type { Engine, Place } from "./engine-port.ts";
import { gather } from "./gather.ts";
import { atOnce, hourMs, inPortions } from "./portion.ts";

type Data = { task: string; times?: number };
type Job = JobWithMetadata<Data>;

/** How a job is asked about again: as a retry, whose delay is that of the queue, or by ending it and sending another, due when it should be. */
export type Again = "retry" | "resend";

const patient = { retryLimit: 1_000_000, expireInSeconds: 3_600 };

/** Jobs in the same database, enqueued and ended in the transaction of the task's own rows. */
export async function openPgBossEngine({ databaseUrl }: Place, way: Again): Promise<Engine> {
  const books = await openBooks(databaseUrl);
  const boss = await startBoss(databaseUrl);
  await boss.createQueue("tasks", { ...patient, retryDelay: 0, notify: true });
  await boss.createQueue("waiting", { ...patient, retryDelay: hourMs / 1_000 });
  const fetch = (queue: string): Promise<Job[]> => boss.fetch<Data>(queue, { batchSize: atOnce, includeMetadata: true });
  const askAgain = way === "retry" ? retry : resend;
  // How often a task has been asked about, its start included.
  const timesOf = ({ data, retryCount }: Job) => (way === "retry" ? retryCount : (data.times ?? 0));

  async function retry(queue: string, jobs: readonly Job[], session: Session = books.pool): Promise<void> {
    await boss.fail(queue, idsOf(jobs), null, { db: sameTransaction(session) });
  }

  async function resend(queue: string, jobs: readonly Job[], session?: Session): Promise<void> {
    if (session === undefined) return books.transact((own) => resend(queue, jobs, own));
    const db = sameTransaction(session);
    const startAfter = queue === "waiting" ? hourMs / 1_000 : 0;
    await boss.complete(queue, idsOf(jobs), null, { db });
    const next = jobs.map(({ data: { task, times = 0 } }) => ({ data: { task, times: times + 1 }, startAfter }));
    await boss.insert(queue, next, { db });
  }

  async function start(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await books.intend(books.pool, tasksOf(jobs));
    await books.transact(async (session) => {
      await books.accepted(session, tasksOf(jobs));
      await askAgain("tasks", jobs, session);
    });
  }

  async function end(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await books.transact(async (session) => {
      await books.settle(session, tasksOf(jobs));
      await boss.complete("tasks", idsOf(jobs), null, { db: sameTransaction(session) });
    });
  }

  return {
    submit: gather<string>((ids) =>
      books.transact(async (session) => {
        await books.accept(session, ids);
        await boss.insert("tasks", ids.map(jobOf), { db: sameTransaction(session) });
      }),
    ),
    async work(tasks, polls) {
      const ended = new Set<string>();
      for (let idle = 0; ended.size < tasks;) {
        const jobs = await fetch("tasks");
        idle = jobs.length === 0 ? idle + 1 : 0;
        if (idle > 1_000) throw new Error(`${tasks - ended.size} tasks do not end`);
        const done = jobs.filter((job) => timesOf(job) >= polls);
        const running = jobs.filter((job) => timesOf(job) > 0 && timesOf(job) < polls);
        await Promise.all([
          start(jobs.filter((job) => timesOf(job) === 0)),
          running.length === 0 ? null : askAgain("tasks", running),
          end(done),
        ]);
        for (const job of done) ended.add(job.id);
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
        await askAgain("waiting", jobs);
        asked += jobs.length;
      }
      return asked;
    },
    async look() {
      await boss.fetch("waiting", { batchSize: atOnce });
    },
    async listen(started) {
      const options = { batchSize: atOnce, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
      await boss.work<Data>("tasks", options, async (jobs) => {
        for (const { data } of jobs) started(data.task);
      });
      return { stop: () => boss.offWork("tasks", { wait: true }) };
    },
    async close() {
      await boss.stop({ graceful: false });
      await books.close();
    },
  };
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
