/** Task, attempt and ledger rows as our store writes them, for engines that have no such thing: the same tables, many rows a statement. */
import pg from "pg";
import { openPostgresStore } from "../../src/store/postgres.ts";

export type Session = Pick<pg.ClientBase, "query">;

export type Books = {
  pool: pg.Pool;
  account: string;
  /** Runs statements in one transaction. */
  transact<R>(act: (session: Session) => Promise<R>): Promise<R>;
  /** Task, hold and ledger rows. */
  accept(session: Session, ids: readonly string[]): Promise<void>;
  /** A job is about to be sent. */
  intend(session: Session, ids: readonly string[]): Promise<void>;
  /** The upstream has it. */
  accepted(session: Session, ids: readonly string[]): Promise<void>;
  /** All of the above. */
  send(session: Session, ids: readonly string[]): Promise<void>;
  /** The end of a task and of its hold; those that have ended already stay as they are. */
  settle(session: Session, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

const patienceMs = 60_000;
const holdNanos = 100;
const input = JSON.stringify({ prompt: "a red fox ☃", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } });

/** Opens the books in a database, with an account that can pay. */
export async function openBooks(url: string): Promise<Books> {
  const account = await payingAccount(url);
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: patienceMs, statement_timeout: patienceMs });
  // The server ends before its connections do.
  pool.on("error", () => undefined);
  const { accept, intend, accepted, settle } = statements(account);
  const send = async (session: Session, ids: readonly string[]) => {
    await accept(session, ids);
    await intend(session, ids);
    await accepted(session, ids);
  };
  return { pool, account, transact: (act) => transact(pool, act), accept, intend, accepted, send, settle, close: () => pool.end() };
}

/** The same one for all who open these books. */
async function payingAccount(url: string): Promise<string> {
  const store = await openPostgresStore(url);
  const id = "the account";
  const isNew = (await store.createAccount({ id, name: id, starter: false, now: 1 })) !== null;
  if (isNew) await store.credit({ id: "the credit", account: id, nanos: 1e12, note: "", now: 1 });
  await store.close();
  return id;
}

async function transact<R>(pool: pg.Pool, act: (session: Session) => Promise<R>): Promise<R> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const reply = await act(client);
    await client.query("commit");
    client.release();
    return reply;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function statements(account: string): Pick<Books, "accept" | "intend" | "accepted" | "settle"> {
  return {
    async accept(session, ids) {
      const { rows } = await session.query<{ available: string }>("select available from account where id = $1 for update", [account]);
      if (Number(rows[0]?.available) < ids.length * holdNanos) throw new Error("the account cannot pay");
      await session.query(acceptTasks, [ids, account, input, holdNanos, Date.now()]);
      await session.query(holdTransfers, [ids, account, Date.now()]);
      await session.query(holdEntries, [ids, account, holdNanos]);
      await session.query(holdBalance, [account, ids.length * holdNanos]);
    },
    async intend(session, ids) {
      await session.query(intendAttempts, [ids, Date.now()]);
    },
    async accepted(session, ids) {
      await session.query(acceptedAttempts, [ids, Date.now()]);
      await session.query(queuedTasks, [ids]);
    },
    async settle(session, ids) {
      const { rows } = await session.query<{ id: string }>(openTasks, [ids]);
      const open = rows.map(({ id }) => id);
      if (open.length === 0) return;
      await session.query(endTasks, [open, Date.now()]);
      await session.query(endTransfers, [open, account, Date.now()]);
      await session.query(endEntries, [open, account, holdNanos]);
      await session.query(endBalance, [account, open.length * holdNanos]);
      await session.query(endAttempts, [open, Date.now()]);
    },
  };
}

const acceptTasks = `insert into task (id, account, kind, dialect, model, status, progress, input, price, hold, assets, song_ids, created_at, deadline_at, version)
  select id, $2, 'video', 'video', 'm', 'SUBMITTED', 0, $3, '{}', $4, '[]', '[]', $5::bigint, $5::bigint + 3600000, 1 from unnest($1::text[]) id`;
const holdTransfers = `insert into transfer (id, kind, account, note, at) select id || ':hold', 'hold', $2, '', $3 from unnest($1::text[]) id`;
const holdEntries = `insert into entry (transfer, line, account, bucket, amount)
  select id || ':hold', line, $2, bucket, sign * $3::bigint from unnest($1::text[]) id, (values (0, 'available', -1), (1, 'held', 1)) lines (line, bucket, sign)`;
const holdBalance = "update account set available = available - $2::bigint, held = held + $2::bigint where id = $1";
const intendAttempts = `insert into attempt (task, n, lane, provider, credential, model, state, keep, created_at)
  select id, 1, 'lane', 'lane', 'k', 'm', 'INTENT', '{}', $2 from unnest($1::text[]) id on conflict do nothing`;
const acceptedAttempts = "update attempt set state = 'ACCEPTED', upstream_id = task, accepted_at = $2 where task = any($1) and n = 1";
const queuedTasks = "update task set status = 'QUEUED', version = version + 1 where id = any($1)";
const openTasks = "select id from task where id = any($1) and finished_at is null order by id for update";
const endTasks = `update task set status = 'SUCCESS', progress = 100, cost = hold, started_at = $2, finished_at = $2, version = version + 1 where id = any($1)`;
const endTransfers = `insert into transfer (id, kind, account, note, at) select id || ':end', 'settle', $2, '', $3 from unnest($1::text[]) id`;
const endEntries = `insert into entry (transfer, line, account, bucket, amount)
  select id || ':end', line, owner, bucket, sign * $3::bigint
  from unnest($1::text[]) id, (values (0, $2, 'held', -1), (1, 'house', 'revenue', 1)) lines (line, owner, bucket, sign)`;
const endBalance = "update account set held = held - $2::bigint, spent = spent + $2::bigint where id = $1";
const endAttempts = "update attempt set state = 'ENDED', ended_at = $2 where task = any($1) and n = 1";
