import { grantHolds, holdLines } from "../core/ledger.ts";
import { nextRank } from "../core/pace.ts";
import type { AcceptReply, AcceptRequest } from "../core/records.ts";
import { acceptedTask, type Task } from "../core/task.ts";
import { post } from "./books.ts";
import { changeKeys } from "./key-use.ts";
import { reclaim } from "./leases.ts";
import { insertMany } from "./remembered.ts";
import { byKey, locking, type Tx, type Verb } from "./query.ts";
import { rowOfNewTask, taskOf } from "./rows.ts";

/** Task, hold, first step and idempotency row appear together or not at all. */
export const accept: Verb<AcceptRequest, AcceptReply> = async (tx, requests) => {
  const earlier = await earlierTasks(tx, requests);
  const done = tx.again ? await acceptedBefore(tx, requests) : new Map<string, number>();
  const leaders = new Map<string, AcceptRequest>();
  const fresh: AcceptRequest[] = [];
  for (const request of requests) {
    if (done.has(request.task.id)) continue;
    const name = handle(request);
    if (name !== null && (earlier.has(name) || leaders.has(name))) continue;
    if (name !== null) leaders.set(name, request);
    fresh.push(request);
  }
  const { accounts, verdicts } = await decide(tx, fresh);
  const granted = fresh.filter((request) => verdicts.get(request) === "granted");
  await write(tx, granted);
  const left = new Map([...accounts].map(([id, { available }]) => [id, available]));

  return requests.map((request): AcceptReply => {
    const before = done.get(request.task.id);
    if (before !== undefined) return { outcome: "accepted", availableNanos: before };
    const name = handle(request);
    const first = name === null ? undefined : earlier.get(name);
    if (first !== undefined)
      return first.fingerprint === request.idempotency?.fingerprint ? { outcome: "replay", task: first.task } : { outcome: "mismatch" };
    const leader = (name === null ? undefined : leaders.get(name)) ?? request;
    if (leader !== request && leader.idempotency?.fingerprint !== request.idempotency?.fingerprint) return { outcome: "mismatch" };
    const verdict = verdicts.get(leader) ?? "insufficient";
    if (verdict !== "granted") return { outcome: verdict };
    if (leader !== request) return { outcome: "replay", task: acceptedTask(leader.task) };
    const { account, holdNanos } = leader.task;
    const availableNanos = (left.get(account) ?? 0) - holdNanos;
    left.set(account, availableNanos);
    return { outcome: "accepted", availableNanos };
  });
};

type Verdict = ReturnType<typeof grantHolds>[number] | "over_cap" | "too_many";

function handle({ task, idempotency }: AcceptRequest): string | null {
  return idempotency === null ? null : JSON.stringify([task.account, idempotency.route, idempotency.key]);
}

async function earlierTasks({ db }: Tx, requests: readonly AcceptRequest[]): Promise<Map<string, { fingerprint: string; task: Task }>> {
  const keyed = requests.flatMap(({ task, idempotency }) => (idempotency === null ? [] : [{ account: task.account, ...idempotency }]));
  if (keyed.length === 0) return new Map();
  const rows = await db
    .selectFrom("idempotency")
    .innerJoin("task", "task.id", "idempotency.task")
    .selectAll("task")
    .select(["idempotency.route as first_route", "idempotency.key as first_key", "idempotency.fingerprint as first_fingerprint"])
    .where("idempotency.account", "in", [...new Set(keyed.map(({ account }) => account))])
    .where("idempotency.key", "in", [...new Set(keyed.map(({ key }) => key))])
    .execute();
  return new Map(
    rows.map((row) => [
      JSON.stringify([row.account, row.first_route, row.first_key]),
      { fingerprint: row.first_fingerprint, task: taskOf(row) },
    ]),
  );
}

/** Those of the requests that have been accepted already, with what their accounts have. */
async function acceptedBefore({ db }: Tx, requests: readonly AcceptRequest[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("task")
    .innerJoin("account", "account.id", "task.account")
    .select(["task.id", "account.available"])
    .where(
      "task.id",
      "in",
      requests.map(({ task }) => task.id),
    )
    .execute();
  return new Map(rows.map(({ id, available }) => [id, available]));
}

async function decide(
  tx: Tx,
  fresh: readonly AcceptRequest[],
): Promise<{ accounts: Map<string, { available: number }>; verdicts: Map<AcceptRequest, Verdict> }> {
  const ids = [...new Set(fresh.map(({ task }) => task.account))].sort();
  if (ids.length === 0) return { accounts: new Map(), verdicts: new Map() };
  const rows = await locking(
    tx,
    tx.db.selectFrom("account").select(["id", "available", "leased", "frozen"]).where("id", "in", ids).orderBy("id"),
  ).execute();
  const lent = rows.flatMap(({ id, leased }) => (leased > 0 ? [id] : []));
  const freed = lent.length === 0 ? null : await reclaim(tx, lent, fresh[0]?.task.createdAt ?? 0);
  const balances = new Map(
    rows.map(({ id, available, leased, frozen }) => {
      const availableNanos = available - leased + (freed?.get(id) ?? 0);
      return [id, { availableNanos, frozen: frozen === 1 }];
    }),
  );
  const verdicts = await refusedByKey(tx, fresh);
  const open = fresh.filter((request) => !verdicts.has(request));
  const decided = grantHolds(
    balances,
    open.map(({ task }) => ({ account: task.account, holdNanos: task.holdNanos })),
  );
  for (const [index, request] of open.entries()) verdicts.set(request, decided[index] ?? "insufficient");
  return { accounts: byKey(rows, ({ id }) => id), verdicts };
}

/** What a key's own limits forbid, in the order of asking. */
async function refusedByKey(tx: Tx, fresh: readonly AcceptRequest[]): Promise<Map<AcceptRequest, Verdict>> {
  const refused = new Map<AcceptRequest, Verdict>();
  const ids = [...new Set(fresh.flatMap(({ task }) => task.key ?? []))].sort();
  const query = tx.db.selectFrom("api_key").select(["id", "spend_cap", "spent", "running"]).where("id", "in", ids).orderBy("id");
  const keys = byKey(ids.length === 0 ? [] : await locking(tx, query).execute(), ({ id }) => id);
  for (const request of fresh) {
    if (request.onlyReplay !== undefined) {
      refused.set(request, request.onlyReplay.outcome);
      continue;
    }
    const key = request.task.key === null ? undefined : keys.get(request.task.key);
    if (key === undefined) continue;
    const { holdNanos } = request.task;
    if (key.spend_cap !== null && key.spent + holdNanos > key.spend_cap) refused.set(request, "over_cap");
    else if (request.mostTasks !== null && key.running >= request.mostTasks) refused.set(request, "too_many");
    else {
      key.spent += holdNanos;
      key.running++;
    }
  }
  return refused;
}

async function write(tx: Tx, requests: readonly AcceptRequest[]): Promise<void> {
  if (requests.length === 0) return;
  await insertMany(
    tx,
    "task",
    requests.map(({ task }) => rowOfNewTask(task)),
  );
  await post(
    tx,
    requests.map(({ task }) => ({
      id: `${task.id}:hold`,
      kind: "hold",
      account: task.account,
      note: "",
      at: task.createdAt,
      lines: holdLines(task.account, task.holdNanos),
    })),
  );
  await changeKeys(
    tx,
    requests.map(({ task }) => ({ key: task.key, spentNanos: task.holdNanos, running: 1 })),
  );
  await enqueue(tx, requests);
  const songs = requests.flatMap(({ task }) => task.songIds.map((id) => ({ id, task: task.id, account: task.account })));
  await insertMany(tx, "song", songs);
  const keyed = requests.flatMap(({ task, idempotency }) =>
    idempotency === null ? [] : [{ account: task.account, ...idempotency, task: task.id, created_at: task.createdAt }],
  );
  await insertMany(tx, "idempotency", keyed);
}

async function enqueue(tx: Tx, requests: readonly AcceptRequest[]): Promise<void> {
  const lanes = [...new Set(requests.map(({ lane }) => lane))];
  const accounts = [...new Set(requests.map(({ task }) => task.account))];
  const shares = await tx.db
    .selectFrom("share")
    .selectAll()
    .where("lane", "in", lanes)
    .where("account", "in", ["", ...accounts])
    .execute();
  const ranks = new Map(shares.map(({ lane, account, rank }) => [`${lane} ${account}`, rank]));
  const steps = requests.map(({ task, lane, credential }) => {
    const share = `${lane} ${task.account}`;
    const rank = nextRank(ranks.get(share), ranks.get(`${lane} `));
    ranks.set(share, rank);
    return {
      id: task.id,
      phase: "start",
      lane,
      account: task.account,
      work: task.kind,
      credential: credential ?? "",
      rank,
      run_at: task.createdAt,
      leased: 0,
      fence: 0,
      attempt: 0,
      since: task.createdAt,
      deadline_at: task.deadlineAt,
    };
  });
  await insertMany(tx, "step", steps);
  const last = new Map(steps.map(({ lane, account, rank }) => [`${lane} ${account}`, { lane, account, rank }]));
  await tx.db
    .insertInto("share")
    .values([...last.values()])
    .onConflict((conflict) => conflict.columns(["lane", "account"]).doUpdateSet({ rank: (eb) => eb.ref("excluded.rank") }))
    .execute();
}
