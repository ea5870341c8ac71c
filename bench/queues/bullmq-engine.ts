import { DelayedError, Queue, Worker, type Job, type Processor } from "bullmq";
import { openBooks, type Books } from "./books.ts";
import type { Engine, Place } from "./engine-port.ts";
import { gather } from "./gather.ts";
import { atOnce, hourMs, inPortions } from "./portion.ts";

/** Jobs in Redis: they cannot be in the transaction of the task's own rows, so they are enqueued after it. */
export async function openBullmqEngine(place: Place): Promise<Engine> {
  const books = await openBooks(place.databaseUrl);
  const at = bullmqAt(place);
  const queues = { tasks: new Queue("tasks", at), waiting: new Queue("waiting", at) };
  const submit = gather<string>(async (ids) => {
    await books.transact((session) => books.accept(session, ids));
    await queues.tasks.addBulk(ids.map((id) => jobOf(id)));
  });
  const { intend, accepted, settle } = sharedWrites(books);

  let life: { tasks: number; polls: number; done: () => void } | null = null;
  let liver: Worker | null = null;
  const live: Processor = async (job, token) => {
    const task = String(job.id);
    if (job.attemptsStarted === 1) {
      await intend(task);
      await accepted(task);
    } else if (job.attemptsStarted > (life?.polls ?? 0)) {
      await settle(task);
      if (life !== null && --life.tasks === 0) life.done();
      return;
    }
    await later(job, token, 0);
  };

  return {
    submit,
    async work(tasks, polls) {
      const ended = Promise.withResolvers<void>();
      life = { tasks, polls, done: ended.resolve };
      liver ??= new Worker("tasks", live, { ...at, concurrency: atOnce, removeOnComplete: { count: 0 }, autorun: false });
      if (!liver.isRunning()) void liver.run();
      await ended.promise;
    },
    fill: (ids, everyDue) =>
      inPortions(ids, async (some, from) => {
        await books.transact((session) => books.send(session, some));
        await queues.waiting.addBulk(some.map((id, n) => jobOf(id, (from + n) % everyDue === 0 ? 0 : hourMs)));
      }),
    async poll(count) {
      const enough = Promise.withResolvers<void>();
      let asked = 0;
      const ask: Processor = async (job, token) => {
        if (++asked >= count) enough.resolve();
        await later(job, token, hourMs);
      };
      const worker = new Worker("waiting", ask, { ...at, concurrency: atOnce });
      await enough.promise;
      await worker.close();
      return asked;
    },
    look: null,
    async listen(started) {
      const processor: Processor = async (job) => started(String(job.id));
      const worker = new Worker("tasks", processor, { ...at, concurrency: atOnce, removeOnComplete: { count: 0 } });
      await worker.waitUntilReady();
      return { stop: () => worker.close() };
    },
    async close() {
      await liver?.close();
      await Promise.all([queues.tasks.close(), queues.waiting.close()]);
      await books.close();
    },
  };
}

export function bullmqAt({ redisPort, prefix }: Place) {
  return { connection: { host: "127.0.0.1", port: redisPort ?? 0 }, prefix };
}

/** The job waits without a handler: the way it offers for asking again. */
export async function later(job: Job, token: string | undefined, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}

function sharedWrites(books: Books) {
  return {
    intend: gather<string>((ids) => books.intend(books.pool, ids)),
    accepted: gather<string>((ids) => books.transact((session) => books.accepted(session, ids))),
    settle: gather<string>((ids) => books.transact((session) => books.settle(session, ids))),
  };
}

export function jobOf(id: string, delay = 0) {
  return { name: "video", data: {}, opts: { jobId: id, delay } };
}
