import type { World } from "./world.ts";

const balances = `
select account.id, account.available, account.held, spent, leased,
  (select coalesce(sum(amount), 0) from lease where lease.account = account.id) as lent,
  (select coalesce(min(amount), 1) from lease where lease.account = account.id) as least,
  coalesce(sums.available, 0) as entered, coalesce(sums.held, 0) as entered_held, coalesce(sums.credit, 0) as credited,
  (select coalesce(sum(paid), 0) from usage where usage.account = account.id and transfer = '') as unposted,
  (select coalesce(sum(hold), 0) from task where task.account = account.id and finished_at is null) as holds
from account left join (
  select account, sum(case when bucket = 'available' then amount end) as available, sum(case when bucket = 'held' then amount end) as held,
    sum(case when bucket = 'available' and transfer like 'credit-%' then amount end) as credit
  from entry group by account
) as sums on sums.account = account.id`;
const totals = `
select coalesce(sum(calls), 0) as calls, coalesce(sum(cost), 0) as cost, coalesce(sum(cost - paid), 0) as unpaid,
  coalesce(sum(case when model = 'after' then cost - paid end), 0) as unpaid_after, coalesce(min(cost - paid), 0) as least_unpaid,
  (select coalesce(sum(amount), 0) from entry) as entries,
  (select coalesce(sum(amount), 0) from entry where bucket = 'undercollected')
    + coalesce(sum(case when transfer = '' then paid - cost end), 0) as undercollected
from usage`;

type Row = Record<string, number>;

/** What must hold after every commit, however the nodes fare. */
export function checkBooks(world: World): void {
  const { database, charged } = world;
  for (const row of database.ask(balances) as Row[]) {
    const { available = 0, held = 0, spent = 0, leased = 0, lent, least = 0, entered = 0, unposted = 0, credited } = row;
    const broken = [
      available < 0 && "there is less than nothing",
      leased < 0 && "less than nothing is leased",
      leased !== lent && "what is leased is not the sum of the leases",
      least <= 0 && "a lease has nothing in it",
      leased > available && "more is leased than there is",
      entered - unposted !== available && "the balance is not what the entries say",
      (row["entered_held"] !== held || row["holds"] !== held) && "what is held is not what open tasks hold",
      available + held + spent !== credited && "money was made or lost",
    ].filter((one) => one !== false);
    if (broken.length > 0) return world.violate(`${broken.join("; ")}: ${JSON.stringify(row)}`);
  }
  const sums = totalsOf(world);
  if (sums.entries !== 0) world.violate(`the entries sum to ${sums.entries}`);
  if (sums.calls !== charged.calls) world.violate(`${charged.calls} calls were charged, ${sums.calls} are counted`);
  if (sums.cost !== charged.costNanos) world.violate(`${charged.costNanos} were charged, ${sums.cost} are counted`);
  if (charged.calls > charged.asked) world.violate(`${charged.asked} calls were to be paid, ${charged.calls} are`);
  if (charged.calls < charged.told) world.violate(`${charged.told} calls were told that they are paid, ${charged.calls} are`);
  if (sums.least_unpaid < 0) world.violate("a customer paid more than the cost");
  if (sums.unpaid !== -sums.undercollected) world.violate(`${sums.unpaid} were not paid, the ledger says ${-sums.undercollected}`);
  if (sums.unpaid > 0 && world.excuses.size === 0) world.violate(`${sums.unpaid} were not paid though nothing went wrong`);
  if (sums.unpaid_after > 0) world.violate(`${sums.unpaid_after} were not paid long after the last fault`);
}

export function totalsOf({ database }: World) {
  const [row = {}] = database.ask(totals) as Row[];
  const { entries = 0, calls = 0, cost = 0, unpaid = 0, unpaid_after = 0, least_unpaid = 0, undercollected = 0 } = row;
  return { entries, calls, cost, unpaid, unpaid_after, least_unpaid, undercollected };
}

const keys = `
select id, spent, running,
  (select coalesce(sum(cost), 0) from usage where usage.api_key = k.id) as used,
  (select coalesce(sum(case when finished_at is null then hold else cost end), 0) from task where task.api_key = k.id) as tasks,
  (select count(*) from task where task.api_key = k.id and finished_at is null) as open
from api_key as k`;

/** What must hold of keys when a run is over. */
export function checkKeys(world: World): void {
  for (const { id, spent, running, used = 0, tasks = 0, open } of world.database.ask(keys) as Row[])
    if (spent !== used + tasks || running !== open) world.violate(`key ${id} spent ${spent}, and its calls and tasks cost ${used + tasks}`);
}
