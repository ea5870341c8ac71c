/** Takes the figures of constants.ts that the store decides: what each verb costs on a real PostgreSQL that syncs, and on SQLite. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Store } from "../../src/core/ports.ts";
import type { AcceptRequest } from "../../src/core/records.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { measureNotes } from "./measure-notes.ts";
import { acceptRequest, claimRequest, richAccount, success } from "../../test/store/fixture.ts";

type Cost = { ms: number; nodeUs: number; serverUs: number };
type Bench = { store: Store; account: string; serverUs: () => number };

/** Measures and prints, one line for each verb: a commit of one item, and what one item costs in a commit of many. */
export async function measureStores(tell: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "genway-fleet-"));
  const embedded = await openSqliteStore(folder);
  await report(tell, "sqlite", { store: embedded, account: await richAccount(embedded, 1e15), serverUs: () => 0 });
  await embedded.close();
  rmSync(folder, { recursive: true });
  const server = await startPostgres();
  if (server === null) return;
  const store = await openPostgresStore(server.url);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  const bench = { store, account: await richAccount(store, 1e15), serverUs: () => childrenUs(postmaster) };
  await report(tell, "postgres", bench);
  await rowsPerTask(tell, bench, client);
  const { sentServerUs, heardServerUs, heardNodeUs } = await measureNotes(server.url, bench.serverUs);
  tell(
    `postgres: a note takes ${Math.round(sentServerUs)} µs of the server, and for each node that hears it ${Math.round(heardServerUs)} µs there and ${Math.round(heardNodeUs)} µs here`,
  );
  await groupCommits(tell, server.url);
  await client.end();
  await store.close();
  await server.stop();
}

const tasks = 400;
const together = 50;

async function report(tell: (line: string) => void, name: string, bench: Bench): Promise<void> {
  await live(bench, 1, tasks);
  const one = await live(bench, 1, tasks);
  const many = await live(bench, together, tasks);
  for (const [verb, a] of Object.entries(one)) {
    const b = many[verb] ?? a;
    tell(
      `${name} ${verb.padEnd(13)} alone ${a.ms.toFixed(2)} ms, node ${Math.round(a.nodeUs)} µs, server ${Math.round(a.serverUs)} µs; ` +
        `one of ${together}: ${b.ms.toFixed(3)} ms, node ${Math.round(b.nodeUs)} µs, server ${Math.round(b.serverUs)} µs`,
    );
  }
}

/** The lives of `count` tasks, verb by verb, in groups of `size`; what each verb took for one task. */
async function live({ store, account, serverUs }: Bench, size: number, count: number): Promise<Record<string, Cost>> {
  const costs: Record<string, Cost> = {};
  const all = async <T, R>(verb: string, items: readonly T[], act: (item: T, place: number) => Promise<R>): Promise<R[]> => {
    const replies: R[] = [];
    const server = serverUs();
    const before = { at: performance.now(), node: process.cpuUsage() };
    for (let at = 0; at < items.length; at += size)
      replies.push(...(await Promise.all(items.slice(at, at + size).map((item, place) => act(item, at + place)))));
    const { user, system } = process.cpuUsage(before.node);
    const ms = performance.now() - before.at;
    costs[verb] = { ms: ms / count, nodeUs: (user + system) / count, serverUs: (serverUs() - server) / count };
    return replies;
  };
  const groups = Array.from({ length: Math.ceil(count / size) }, (_, place) => place);
  await all("empty claim", groups, () => store.claim(claimRequest()));
  const tenLanes = Array.from({ length: 10 }, (_, place) => ({
    lane: `lane ${place}`,
    provider: "",
    credentials: [{ id: "k", limit: 1, most: 1 }],
  }));
  await all("ten lanes", groups, () => store.claim(claimRequest({ lanes: tenLanes })));
  await all("beat", groups, () => store.beat({ id: "node", name: "node", role: "both", version: "1", startedAt: 1, now: 2 }));
  const asked: AcceptRequest[] = Array.from({ length: count }, () => acceptRequest(account));
  await all("accept", asked, (request) => store.accept(request));
  const replies = await all("claim", groups, () => store.claim(claimRequest({ lanes: lanesOf(count, size) })));
  const runs = replies.flatMap((reply) => reply.runs);
  await all("intend", runs, (claim) => store.intend({ ...claim, model: "m" }));
  await all("answer", runs, ({ taskId, fence }) =>
    store.answer({ taskId, fence, now: 3_000, outcome: "accepted", upstreamId: taskId, keep: {}, pollAt: 4_000 }),
  );
  await all("read", runs, ({ taskId }) => store.task({ id: taskId, account }));
  await all("pollNow", runs, ({ taskId }) => store.pollNow({ taskId, attempt: 1, now: 3_500 }));
  await all("renew", runs, ({ taskId, fence }) => store.renew({ taskId, fence, leaseUntil: 4_000 }));
  await all("poll claim", groups, () => store.claim(claimRequest({ now: 5_000, polls: size })));
  await all("progress", runs, ({ taskId }) => store.progress({ taskId, status: "IN_PROGRESS", progress: 10, now: 6_000 }));
  await all("park", runs, ({ taskId, fence }) => store.park({ taskId, fence, runAt: 8_000 }));
  const fences = await all("beginCollect", runs, ({ taskId, fence }) => store.beginCollect({ taskId, fence, leaseUntil: 90_000 }));
  await all("finish", runs, ({ taskId }, place) => store.finish(success(taskId, fences[place] ?? null)));
  return costs;
}

function lanesOf(limit: number, most: number) {
  return [{ lane: "lane", provider: "lane", credentials: [{ id: "k", limit, most }] }];
}

async function rowsPerTask(tell: (line: string) => void, bench: Bench, client: pg.Client): Promise<void> {
  const written = async () => {
    // A connection tells its counters when it has been idle for ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    const { rows } = await client.query<{ rows: string; wal: string }>(
      "select sum(n_tup_ins + n_tup_upd + n_tup_del)::text as rows, (select wal_bytes from pg_stat_wal)::text as wal from pg_stat_user_tables",
    );
    return { rows: Number(rows[0]?.rows), wal: Number(rows[0]?.wal) };
  };
  const before = await written();
  await live(bench, 1, tasks);
  const after = await written();
  tell(
    `postgres: ${((after.rows - before.rows) / tasks).toFixed(1)} rows a task, ${Math.round((after.wal - before.wal) / tasks)} bytes of WAL a task`,
  );
}

const writers = 32;
const groupSeconds = 3;

/** Commits of one small row by many connections at once: what the disk bears when the server shares a sync among them. */
async function groupCommits(tell: (line: string) => void, url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: writers });
  // A connection that the server ends is not needed any more.
  pool.on("error", () => undefined);
  await pool.query("create table probe (id bigserial primary key, at bigint)");
  const until = performance.now() + groupSeconds * 1_000;
  let commits = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() < until) {
        await pool.query("insert into probe (at) values (1)");
        commits++;
      }
    }),
  );
  await pool.end();
  tell(`postgres: ${Math.round(commits / groupSeconds)} commits a second by ${writers} connections`);
}

/** Processor time of the children of a process, in microseconds. */
function childrenUs(parent: number): number {
  let us = 0;
  for (const name of readdirSync("/proc")) if (/^\d+$/.test(name) && parentOf(Number(name)) === parent) us += ranUs(name);
  return us;
}

function ranUs(pid: string): number {
  return Number(read(`/proc/${pid}/schedstat`).split(" ")[0]) / 1e3;
}

function parentOf(pid: number): number {
  return Number(read(`/proc/${pid}/stat`).split(") ")[1]?.split(" ")[1]);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
