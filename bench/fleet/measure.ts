/** Takes the figures of constants.ts that the store decides: what each verb costs on a real PostgreSQL that syncs, and on SQLite. */
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import type { Store } from "../../src/core/ports.ts";
import type { AcceptRequest, ClaimReply, RunClaim } from "../../src/core/records.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../test/support/postgres.ts";
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
  await groupCommits(tell, server.url);
  await client.end();
  await store.close();
  await server.stop();
}

const alone = 100;
const together = 50;

async function report(tell: (line: string) => void, name: string, bench: Bench): Promise<void> {
  await life(bench, together, 2);
  const one = await life(bench, 1, alone);
  const many = await life(bench, together, 8);
  for (const verb of Object.keys(one)) {
    const [a, b] = [one[verb], many[verb]];
    if (a === undefined || b === undefined) continue;
    const each = (value: number) => Math.round(value / together);
    tell(
      `${name} ${verb.padEnd(13)} alone ${a.ms.toFixed(2)} ms, node ${Math.round(a.nodeUs)} µs, server ${Math.round(a.serverUs)} µs; ` +
        `one of ${together}: ${(b.ms / together).toFixed(3)} ms, node ${each(b.nodeUs)} µs, server ${each(b.serverUs)} µs`,
    );
  }
}

/** Whole lives of `size` tasks at once, `times` over; what one group of each verb took. */
async function life({ store, account, serverUs }: Bench, size: number, times: number): Promise<Record<string, Cost>> {
  const sums: Record<string, Cost> = {};
  const spend = async <T>(verb: string, act: () => Promise<T>): Promise<T> => {
    const before = { at: performance.now(), node: process.cpuUsage(), server: serverUs() };
    const value = await act();
    const node = process.cpuUsage(before.node);
    const sum = (sums[verb] ??= { ms: 0, nodeUs: 0, serverUs: 0 });
    sum.ms += (performance.now() - before.at) / times;
    sum.nodeUs += (node.user + node.system) / times;
    sum.serverUs += (serverUs() - before.server) / times;
    return value;
  };
  const all = <T, R>(items: readonly T[], act: (item: T) => Promise<R>) => Promise.all(items.map(act));
  for (let time = 0; time < times; time++) {
    await spend("empty claim", () => store.claim(claimRequest()));
    const asked: AcceptRequest[] = Array.from({ length: size }, () => acceptRequest(account));
    await spend("accept", () => all(asked, (request) => store.accept(request)));
    const claimed: ClaimReply = await spend("claim", () => store.claim(claimRequest({ lanes: lanesOf(size) })));
    const runs: RunClaim[] = claimed.runs;
    await spend("intend", () => all(runs, (claim) => store.intend({ ...claim, model: "m" })));
    await spend("answer", () =>
      all(runs, ({ taskId, fence }) =>
        store.answer({ taskId, fence, now: 3_000, outcome: "accepted", upstreamId: taskId, keep: {}, pollAt: 4_000 }),
      ),
    );
    await spend("poll claim", () => store.claim(claimRequest({ now: 5_000 })));
    await spend("progress", () => all(runs, ({ taskId }) => store.progress({ taskId, status: "IN_PROGRESS", progress: 10, now: 6_000 })));
    const fences = await spend("beginCollect", () =>
      all(runs, ({ taskId, fence }) => store.beginCollect({ taskId, fence, leaseUntil: 90_000 })),
    );
    await spend("finish", () => all(runs, ({ taskId }, index) => store.finish(success(taskId, fences[index] ?? null))));
  }
  return sums;

  async function unused(): Promise<void> {}
  void unused;
}

function lanesOf(size: number) {
  return [{ lane: "lane", provider: "lane", credentials: [{ id: "k", limit: size, most: size }] }];
}
