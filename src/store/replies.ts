import { sql } from "kysely";
import type { ReplyClaim, ReplyName, ReplyQuestion, ReplyVerdict, StoredReply } from "../core/kept-reply.ts";
import { byKey, type Query, type Tx, type Verb } from "./query.ts";
import type { Database } from "./schema.ts";

// A node that has not been seen for so long does not make its calls any more.
const goneMs = 30_000;

/** Gives a call to the first who asks for it, and to the next once that one is gone; tells the others how it stands. */
export const claimReply: Verb<ReplyClaim, ReplyVerdict> = async (tx, claims) => {
  const leaders = [...byKey(claims.toReversed(), handle).values()];
  const taken = await take(tx, leaders);
  const others = claims.filter(({ fence }) => !taken.has(fence));
  const rows = others.length === 0 ? new Map<string, Database["reply"]>() : byKey(await find(tx, others), handle);
  return claims.map((claim) => (taken.has(claim.fence) ? { outcome: "yours" } : verdictOf(claim.fingerprint, rows.get(handle(claim)))));
};

/** What a process finds that has the store to itself: nobody else can have begun the call. */
export async function keptReply(db: Query, { account, route, key, fingerprint, now }: ReplyQuestion): Promise<ReplyVerdict> {
  const row = await db
    .selectFrom("reply")
    .selectAll()
    .where("account", "=", account)
    .where("route", "=", route)
    .where("key", "=", key)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  const verdict = verdictOf(fingerprint, row);
  return verdict.outcome === "under_way" ? { outcome: "yours" } : verdict;
}

/** Keeps the reply of a call that was made; null says that it was given but cannot be given again. False where somebody else has the call by now. */
export const keepReply: Verb<ReplyClaim & { reply: StoredReply | null }, boolean> = async (tx, items) => {
  const now = latest(items);
  const answers = items.map(({ reply, ...claim }) => ({ ...claim, state: reply === null ? "unkept" : "kept", ...(reply ?? nothing) }));
  // A row of somebody else that holds no reply, or an old one, is in nobody's hand.
  const { rows } = await sql<{ fence: string }>`
    ${insert(tx, answers)}
    where reply.fence = excluded.fence or reply.state = 'unkept' or reply.expires_at <= ${now}
    returning fence`.execute(tx.db);
  const kept = new Set(rows.map(({ fence }) => fence));
  return items.map(({ fence }) => kept.has(fence));
};

/** Forgets that a call was begun: it failed, and may be made anew. */
export const dropReply: Verb<ReplyName & { fence: string }, void> = async (tx, items) => {
  await sql`
    delete from reply where state = 'open' and (account, route, key, fence)
    in (select account, route, key, fence from ${said(tx, items, { ...nameColumns, fence: "text" })})`.execute(tx.db);
  return items.map(() => undefined);
};

const mostAtOnce = 100;
const mostBytes = 512 * 1024;

/** Forgets some replies that are past their time, few where they are large; answers how many. */
export async function pruneReplies(tx: Tx, now: number): Promise<number> {
  const rows = await tx.db
    .selectFrom("reply")
    .select(["account", "route", "key"])
    .select(({ fn }) => fn<number>("octet_length", ["body"]).as("bytes"))
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .limit(mostAtOnce)
    .execute();
  let bytes = 0;
  const old = rows.filter((row, index) => (bytes += row.bytes) <= mostBytes || index === 0);
  if (old.length === 0) return 0;
  await sql`
    delete from reply where expires_at <= ${now} and (account, route, key)
    in (select account, route, key from ${said(tx, old, nameColumns)})`.execute(tx.db);
  return old.length;
}

/** One statement, so that of nodes that ask at the same moment one gets the call. */
async function take(tx: Tx, claims: readonly ReplyClaim[]): Promise<Set<string>> {
  const now = latest(claims);
  const open = claims.map((claim) => ({ ...claim, state: "open", ...nothing }));
  const { rows } = await sql<{ fence: string }>`
    ${insert(tx, open)}
    where reply.expires_at <= ${now} or reply.fingerprint = excluded.fingerprint and (
      reply.fence = excluded.fence or reply.state = 'unkept' or reply.state = 'open' and (
        reply.until <= ${now} or reply.node = excluded.node
        or not exists (select 1 from node where id = reply.node and seen_at > ${now - goneMs})))
    returning fence`.execute(tx.db);
  return new Set(rows.map(({ fence }) => fence));
}

/** Writes rows in the order of their names, so that nodes never wait for each other in a circle; what is in the way is replaced where it may be. */
function insert(tx: Tx, rows: readonly (ReplyClaim & StoredReply & { state: string })[]) {
  return sql`
    insert into reply (account, route, key, fingerprint, state, node, fence, until, mime, provider, body, expires_at)
    select account, route, key, fingerprint, state, node, fence, until, mime, provider, body, "expiresAt" from ${said(tx, rows, rowColumns)}
    where true order by account, route, key
    on conflict (account, route, key) do update
    set fingerprint = excluded.fingerprint, state = excluded.state, node = excluded.node, fence = excluded.fence, until = excluded.until,
      mime = excluded.mime, provider = excluded.provider, body = excluded.body, expires_at = excluded.expires_at`;
}

function latest(claims: readonly ReplyClaim[]): number {
  return Math.max(...claims.map(({ now }) => now));
}

async function find(tx: Tx, claims: readonly ReplyClaim[]): Promise<Database["reply"][]> {
  const { rows } = await sql<Database["reply"]>`
    select reply.* from reply join ${said(tx, [...byKey(claims, handle).values()], nameColumns)} on ${isSame}`.execute(tx.db);
  return rows;
}

function verdictOf(fingerprint: string, row: Database["reply"] | undefined): ReplyVerdict {
  // One that has just been dropped is free in a moment.
  if (row === undefined) return { outcome: "under_way" };
  if (row.fingerprint !== fingerprint) return { outcome: "mismatch" };
  if (row.state !== "kept") return { outcome: "under_way" };
  const { mime, provider, body } = row;
  return { outcome: "kept", reply: { mime, provider, body } };
}

function handle({ account, route, key }: ReplyName): string {
  return JSON.stringify([account, route, key]);
}

const nothing: StoredReply = { mime: "", provider: "", body: "" };
const nameColumns: Columns = { account: "text", route: "text", key: "text" };
const ownColumns: Columns = { fingerprint: "text", state: "text", node: "text", fence: "text", until: "bigint", expiresAt: "bigint" };
const rowColumns: Columns = { ...nameColumns, ...ownColumns, mime: "text", provider: "text", body: "text" };
const isSame = sql`reply.account = said.account and reply.route = said.route and reply.key = said.key`;

type Columns = Readonly<Record<string, "text" | "bigint">>;

/** Any number of items as one value: the text of the statement is always the same. */
function said({ dialect }: Tx, items: readonly object[], columns: Columns) {
  const text = JSON.stringify(items);
  const names = Object.entries(columns);
  return dialect === "postgres"
    ? sql`json_to_recordset(cast(${text} as json)) as said(${sql.join(names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})`
    : sql`(select ${sql.join(names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`))} from json_each(${text})) as said`;
}
