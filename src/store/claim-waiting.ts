import { sql } from "kysely";
import type { ClaimRequest } from "../core/records.ts";
import { minuteOf, takeGates, type Gate } from "./gates.ts";
import { skippingLocked, type Tx } from "./query.ts";

export type Step = { id: string; fence: number; attempt: number };
type Taken = Step & { lane: string; provider: string; credential: string; rank: number };
type Lane = ClaimRequest["lanes"][number];

/** Takes slots for the fair share's next tasks: gate, attempt and lease move together. */
export async function claimWaiting(tx: Tx, request: ClaimRequest, gates: readonly Gate[]): Promise<Step[]> {
  const open = request.lanes.filter((lane) => slotsOf(freeSlots(lane, gates, request.now)) > 0);
  const crowded = await lanesWithWork(tx, open, request.now);
  if (crowded.length === 0) return [];
  const counted = await lockSlots(tx, crowded, gates);
  const taken: Taken[] = [];
  for (const lane of crowded) taken.push(...(await takeFrom(tx, lane, freeSlots(lane, counted, request.now), request.now)));
  await takeSlots(tx, taken, request);
  return taken;
}

/** How many slots of each credential may be taken now. */
function freeSlots({ lane, credentials }: Lane, gates: readonly Gate[], now: number): Map<string, number> {
  const own = new Map(gates.filter((gate) => gate.lane === lane).map((gate) => [gate.credential, gate]));
  return new Map(
    credentials.map(({ id, limit, perMinute = null, most }) => {
      const { used = 0, minute = 0, started = 0 } = own.get(id) ?? {};
      const starts = perMinute === null ? most : perMinute - (minute === minuteOf(now) ? started : 0);
      return [id, Math.max(0, Math.min(most, limit - used, starts))];
    }),
  );
}

function slotsOf(free: Map<string, number>): number {
  return [...free.values()].reduce((sum, count) => sum + count, 0);
}

/** Those of the lanes in which something waits, in the order of their names. */
async function lanesWithWork({ db, dialect }: Tx, lanes: readonly Lane[], now: number): Promise<Lane[]> {
  if (lanes.length === 0) return [];
  const names = JSON.stringify(lanes.map(({ lane }) => lane));
  const listed = dialect === "sqlite" ? sql`json_each(${names}) as listed` : sql`json_array_elements_text(${names}::json) as listed(value)`;
  const { rows } = await sql<{ value: string }>`
    select listed.value from ${listed} where exists (
      select 1 from step where phase = 'start' and lane = listed.value and run_at <= ${now} and deadline_at > ${now}
    )`.execute(db);
  const found = new Set(rows.map(({ value }) => value));
  return lanes.filter(({ lane }) => found.has(lane)).sort((a, b) => (a.lane < b.lane ? -1 : 1));
}

const slotLock = 7_234_001;

/** Slots are counted before they are taken: whoever else wants those of the same lanes waits for the count. */
async function lockSlots(tx: Tx, lanes: readonly Lane[], gates: readonly Gate[]): Promise<readonly Gate[]> {
  if (tx.dialect === "sqlite") return gates;
  for (const { lane } of lanes) await sql`select pg_advisory_xact_lock(${slotLock}, hashtext(${lane}))`.execute(tx.db);
  return tx.db
    .selectFrom("gate")
    .selectAll()
    .where(
      "lane",
      "in",
      lanes.map(({ lane }) => lane),
    )
    .execute();
}

async function takeFrom(tx: Tx, { lane, provider }: Lane, free: Map<string, number>, now: number): Promise<Taken[]> {
  const slots = slotsOf(free);
  if (slots === 0) return [];
  const waiting = await skippingLocked(
    tx,
    tx.db
      .selectFrom("step")
      .select(["id", "fence", "attempt", "credential", "rank"])
      .where("phase", "=", "start")
      .where("lane", "=", lane)
      .where("run_at", "<=", now)
      .where("deadline_at", ">", now)
      .orderBy("rank")
      .limit(Math.min(slots + 20, 200)),
  ).execute();
  const taken: Taken[] = [];
  for (const step of waiting) {
    const credential = step.credential === "" ? mostFree(free) : step.credential;
    const left = credential === null ? 0 : (free.get(credential) ?? 0);
    if (credential === null || left <= 0) continue;
    free.set(credential, left - 1);
    taken.push({ ...step, attempt: step.attempt + 1, fence: step.fence + 1, lane, provider, credential });
  }
  return taken;
}

function mostFree(free: Map<string, number>): string | null {
  let best: string | null = null;
  for (const [credential, count] of free) if (count > 0 && (best === null || count > (free.get(best) ?? 0))) best = credential;
  return best;
}

async function takeSlots(tx: Tx, taken: readonly Taken[], { now, leaseMs }: ClaimRequest): Promise<void> {
  if (taken.length === 0) return;
  const { db } = tx;
  await db
    .updateTable("step")
    .set((eb) => ({ phase: "run", leased: 1, run_at: now + leaseMs, fence: eb("fence", "+", 1), attempt: eb("attempt", "+", 1) }))
    .where(
      "id",
      "in",
      taken.map(({ id }) => id),
    )
    .execute();
  const fresh = { model: "", state: "PREPARED", upstream_id: null, keep: "{}", created_at: now };
  const open = { accepted_at: null, ended_at: null, cause: null, failure: null };
  await db
    .insertInto("attempt")
    .values(
      taken.map(({ id, attempt, lane, provider, credential }) => ({ task: id, n: attempt, lane, provider, credential, ...fresh, ...open })),
    )
    .execute();
  await takeGates(tx, taken, now);
  await moveClocks(tx, taken);
}

/** Each lane remembers whom it served last, so that new work is placed after it. */
async function moveClocks({ db }: Tx, taken: readonly Taken[]): Promise<void> {
  const clocks = new Map<string, number>();
  for (const { lane, rank } of taken) clocks.set(lane, Math.max(rank, clocks.get(lane) ?? 0));
  await db
    .insertInto("share")
    .values([...clocks].map(([lane, rank]) => ({ lane, account: "", rank })))
    .onConflict((conflict) => conflict.columns(["lane", "account"]).doUpdateSet({ rank: (eb) => eb.ref("excluded.rank") }))
    .execute();
}
