import pg from "pg";
import { Pool } from "undici";
import { uuidv7 } from "../../src/kit/ids.ts";
import type { LabProcess } from "./lab-process.ts";

/** The kind of a task that waits upstream, and how the lab is asked for one more job like its own. */
export type Pattern = {
  kind: string;
  path: string;
  headers: Record<string, string>;
  body: object;
  idOf(reply: Record<string, unknown>): unknown;
};

const portion = 2_000;
const clients = 32;
const laterMs = 3_600_000;

/** Makes many tasks like the one of a kind: a job of its own in the lab for each, and rows as the service writes them, not due for now. */
export async function multiply(databaseUrl: string, lab: LabProcess, pattern: Pattern, count: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const task = String((await client.query<{ id: string }>("select id from task where kind = $1", [pattern.kind])).rows[0]?.id);
    for (let made = 0; made < count; made += portion) {
      const jobs = await newJobs(lab, pattern, Math.min(portion, count - made));
      const ids = jobs.map(() => uuidv7());
      await client.query("begin");
      for (const [statement, ...given] of statements(task, ids, jobs)) await client.query(statement, given);
      await client.query("commit");
    }
  });
}

/** Lets the polls of each kind fall due one after the other from a moment on, as if its tasks had come over half an hour. */
export async function spreadPolls(databaseUrl: string, beginAt: number, kinds: Readonly<Record<string, number>>): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("vacuum analyze");
    for (const [kind, overMs] of Object.entries(kinds))
      await client.query(
        `update step set run_at = $2::bigint + (random() * $3)::bigint, since = $2::bigint - 600000 - (random() * 1200000)::bigint
          where phase = 'poll' and work = $1`,
        [kind, beginAt, overMs],
      );
  });
}

async function withClient(databaseUrl: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

type Statement = [string, ...unknown[]];

/** Every row of the first task again, with what is its own changed. */
function statements(task: string, ids: string[], jobs: string[]): Statement[] {
  return [
    [`${rowsLike("task", "jsonb_build_object('id', n.id)")} from task like_it, unnest($2::text[]) n (id) where like_it.id = $1`, task, ids],
    [
      `${rowsLike("attempt", "jsonb_build_object('task', n.id, 'upstream_id', n.job)")}
        from attempt like_it, unnest($2::text[], $3::text[]) n (id, job) where like_it.task = $1`,
      task,
      ids,
      jobs,
    ],
    [
      `${rowsLike("step", `jsonb_build_object('id', n.id, 'run_at', like_it.run_at + ${laterMs})`)}
        from step like_it, unnest($2::text[]) n (id) where like_it.id = $1`,
      task,
      ids,
    ],
    [
      `update gate set used = used + $2 from step where step.id = $1 and gate.lane = step.lane and gate.credential = step.credential`,
      task,
      ids.length,
    ],
  ];
}

function rowsLike(table: string, changes: string): string {
  return `insert into ${table} select (jsonb_populate_record(like_it, ${changes})).*`;
}

async function newJobs(lab: LabProcess, { path, headers, body, idOf }: Pattern, count: number): Promise<string[]> {
  const pool = new Pool(lab.url, { connections: clients });
  const jobs: string[] = [];
  let asked = 0;
  const ask = async () => {
    while (asked++ < count) {
      const reply = await pool.request({
        method: "POST",
        path,
        headers: { authorization: "Bearer lab-key", "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      const id = idOf((await reply.body.json()) as Record<string, unknown>);
      if (typeof id !== "string") throw new Error(`the lab gave no job at ${path}: ${reply.statusCode}`);
      jobs.push(id);
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  await pool.close();
  return jobs;
}
