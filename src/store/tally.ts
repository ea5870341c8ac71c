import { sql } from "kysely";
import type { TallyReply, TallyRequest } from "../core/counts.ts";
import { byKey, each, type Tx, type Verb } from "./query.ts";

/** Notes what a node has counted and tells what the others have. A node writes its own rows alone, so that none waits for another. */
export const exchange: Verb<TallyRequest, TallyReply> = each(async (tx, request) => {
  await tell(tx, request);
  const replies = await hear(tx, request);
  if (request.forgetBefore !== null) await forget(tx, request.forgetBefore);
  return replies;
});

async function tell(tx: Tx, request: TallyRequest): Promise<void> {
  const { node, minute, until } = request;
  await sql`
    insert into tally (name, node, minute, used, running, until)
    select name, cast(${node} as text), cast(${minute} as bigint), used, running, cast(${until} as bigint) from ${said(tx, request)} where true
    on conflict (name, node) do update
    set minute = excluded.minute, used = excluded.used, running = excluded.running, until = excluded.until`.execute(tx.db);
}

async function hear(tx: Tx, request: TallyRequest): Promise<TallyReply> {
  const { node, minute, now, counts } = request;
  const { rows } = await sql<{ name: string; used: number; running: number }>`
    select name,
      cast(sum(case when minute = ${minute} then used else 0 end) as bigint) as used,
      cast(sum(case when until > ${now} then running else 0 end) as bigint) as running
    from tally where node <> ${node} and name in (select name from ${said(tx, request)}) group by name`.execute(tx.db);
  const found = byKey(rows, ({ name }) => name);
  return counts.map(({ name }) => ({ used: found.get(name)?.used ?? 0, running: found.get(name)?.running ?? 0 }));
}

/** Any number of counts as one value: the text of the statement is always the same, and short. */
function said({ dialect }: Tx, { counts }: TallyRequest) {
  const text = JSON.stringify(counts);
  return dialect === "postgres"
    ? sql`json_to_recordset(cast(${text} as json)) as said(name text, used bigint, running bigint)`
    : sql`(select value ->> 'name' as name, value ->> 'used' as used, value ->> 'running' as running from json_each(${text})) as said`;
}

/** Comes last, and leaves rows that somebody is just writing for the next time: whoever waits for nothing cannot wait in a circle. */
async function forget({ db, dialect }: Tx, before: number): Promise<void> {
  const old = db.selectFrom("tally").select(["name", "node"]).where("until", "<", before);
  const free = dialect === "postgres" ? old.forUpdate().skipLocked() : old;
  await db
    .deleteFrom("tally")
    .where(({ eb, refTuple }) => eb(refTuple("name", "node"), "in", free.$asTuple("name", "node")))
    .execute();
}
