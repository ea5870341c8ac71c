import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import pg from "pg";
import { uuidv7 } from "../../src/kit/ids.ts";
import type { Samples } from "../gateways/samples.ts";
import { bullmqAt } from "./bullmq-engine.ts";
import type { Order } from "./child.ts";
import type { Kind, Place } from "./engine-port.ts";
import { openEngine } from "./engine.ts";
import { firstWord, kill, startChild } from "./mortal.ts";
import { besides, seatOf, type Seat } from "./seats.ts";

export type GapPlan = { kills: number; /** Jobs that are due to be ended. */ due: number };

/** Kills processes in the middle of submitting and of ending tasks, and counts where rows and jobs disagree then. */
export async function measureGaps(seats: readonly Seat[], samples: Samples, plan: GapPlan): Promise<void> {
  const tried = (["genway", "pg-boss", "bullmq"] as const).flatMap((kind) => seatOf(seats, kind) ?? []);
  await Promise.all(
    tried.map(async (seat) => {
      const keep = (name: string, value: number) => samples.add(seat.title, name, value);
      const place = await besides(seat, "gap");
      await killMany({ role: "submit", kind: seat.kind, place, isJobFirst: false }, plan.kills);
      const { tasks, jobs } = await rowsAndJobs(seat.kind, place);
      keep("gap tasks", tasks.size);
      keep("gap lost", without(tasks, jobs));
      if (seat.kind === "bullmq") {
        const reversed = await besides(seat, "reversed");
        await killMany({ role: "submit", kind: seat.kind, place: reversed, isJobFirst: true }, plan.kills);
        const found = await rowsAndJobs(seat.kind, reversed);
        keep("gap ghosts", without(found.jobs, found.tasks));
      } else keep("gap ghosts", without(jobs, tasks));
      keep("gap again", await endedTwice(seat, plan));
    }),
  );
}

async function endedTwice(seat: Seat, { kills, due }: GapPlan): Promise<number> {
  const place = await besides(seat, "ends");
  const engine = await openEngine(seat.kind, place);
  await engine.fill(
    Array.from({ length: due }, () => uuidv7()),
    1,
  );
  await engine.close();
  await killMany({ role: "end", kind: seat.kind, place, isJobFirst: false }, kills);
  const { settled, jobs } = await rowsAndJobs(seat.kind, place);
  return settled.size - without(settled, jobs);
}

async function killMany(order: Order, kills: number): Promise<void> {
  for (let n = 0; n < kills; n++) {
    const child = startChild(order);
    await firstWord(child);
    await sleep(100 + Math.random() * 100);
    await kill(child);
  }
}

type Found = { tasks: Set<string>; settled: Set<string>; /** Tasks that have a job which has not ended. */ jobs: Set<string> };

async function rowsAndJobs(kind: Kind, place: Place): Promise<Found> {
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  const ids = async (question: string) => new Set((await client.query<{ id: string }>(question)).rows.map(({ id }) => id));
  const tasks = await ids("select id from task");
  const settled = await ids("select id from task where finished_at is not null");
  const jobs = kind === "bullmq" ? await redisJobs(place) : await ids(kind === "genway" ? openSteps : openJobs);
  await client.end();
  return { tasks, settled, jobs };
}

const openSteps = "select id from step where phase <> 'chore'";
const openJobs = "select data->>'task' as id from pgboss.job where name in ('tasks', 'waiting') and state < 'completed'";

async function redisJobs(place: Place): Promise<Set<string>> {
  const found = new Set<string>();
  for (const name of ["tasks", "waiting"]) {
    const queue = new Queue(name, bullmqAt(place));
    for (const job of await queue.getJobs(["wait", "active", "delayed"])) if (job !== undefined) found.add(String(job.id));
    await queue.close();
  }
  return found;
}

function without(these: ReadonlySet<string>, those: ReadonlySet<string>): number {
  return these.difference(those).size;
}
