import type { LabCall } from "../../lab/calls/ledger.ts";
import type { Tables } from "../../test/crash/tables.ts";
import type { Outcome } from "./customer.ts";
import { orderIn, type Order } from "./orders.ts";

export type Evidence = {
  orders: readonly Order[];
  outcomes: readonly Outcome[];
  calls: readonly LabCall[];
  tables: Tables;
  /** What accounts have paid that is not in the ledger yet: it gets there when the minute is over. */
  unposted: ReadonlyMap<string, number>;
  /** Their ids, in the order of their numbers. */
  accounts: readonly string[];
  creditNanos: number;
  wasKilled: boolean;
};

/** What an account paid, what the lab delivered to it, and what of that its clients got whole. */
export type AccountSum = { account: number; paid: number; delivered: number; completed: number };

export type Verdict = {
  sums: AccountSum[];
  broken: string[];
  /** Calls that met a provider that rests after the faults of others. */ turnedAway: number;
};

const price = { input: 150, output: 600 };

/** Holds the ledger against the lab's book and against what the clients saw. */
export function audit(evidence: Evidence): Verdict {
  const { tables, wasKilled } = evidence;
  const sums = sumsOf(evidence);
  const broken = [...brokenBooks(evidence), ...surprises(evidence)];
  for (const { account, paid, delivered, completed } of sums) {
    if (!wasKilled && paid !== delivered)
      broken.push(`account ${account} paid ${paid} for ${delivered}: ${paid - delivered} nano-USD too much`);
    if (paid < completed) broken.push(`account ${account} paid ${paid}, less than the ${completed} of its whole replies`);
    if (paid > delivered) broken.push(`account ${account} paid ${paid}, more than the ${delivered} that was delivered`);
  }
  if (tables.integrity !== "ok") broken.push(`the database: ${tables.integrity}`);
  return { sums, broken, turnedAway: evidence.outcomes.filter((outcome) => isTurnedAway(evidence.orders, outcome)).length };
}

function sumsOf({ outcomes, calls, tables, accounts }: Evidence): AccountSum[] {
  const whole = new Set(outcomes.filter(({ is }) => is === "complete").map(({ n }) => n));
  const sums = new Map<number, AccountSum>();
  for (const call of calls) {
    const order = orderIn(call.prompt);
    const isDelivered = call.ended === "complete" || call.completionTokens > 0;
    if (order === null || !isDelivered) continue;
    const cost = call.promptTokens * price.input + call.completionTokens * price.output;
    const paid = tables.accounts.find(({ id }) => id === accounts[order.account])?.spent ?? Number.NaN;
    const sum = sums.get(order.account) ?? { account: order.account, paid, delivered: 0, completed: 0 };
    sums.set(order.account, sum);
    sum.delivered += cost;
    if (whole.has(order.n)) sum.completed += cost;
  }
  return [...sums.values()].toSorted((a, b) => a.account - b.account);
}

function brokenBooks({ tables: { accounts, entries }, unposted, creditNanos }: Evidence): string[] {
  const total = sumOf(entries);
  const wrong = accounts.flatMap(({ id, available, held, spent }) => {
    const entered = sumOf(entries.filter(({ account, bucket }) => account === id && bucket === "available"));
    const own = entered - (unposted.get(id) ?? 0);
    const isRight = available >= 0 && held === 0 && own === available && available + spent === creditNanos;
    return isRight ? [] : [`an account has ${available} of ${creditNanos}, spent ${spent}, holds ${held}; its entries say ${own}`];
  });
  return total === 0 ? wrong : [`the entries sum to ${total}`, ...wrong];
}

function sumOf(entries: Tables["entries"]): number {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}

function isTurnedAway(orders: readonly Order[], { n, is, detail }: Outcome): boolean {
  const body = JSON.stringify(orders[n]?.body);
  // A fault that would have passed is the end where there is no second try.
  return is === "refused" && (detail.startsWith("503") || / x1\]/.test(body)) && orders[n]?.plan.is !== "fault";
}

/** Ends that no plan explains. */
function surprises({ orders, outcomes, wasKilled }: Evidence): string[] {
  if (wasKilled) return [];
  return outcomes.flatMap((outcome) => {
    const { n, is, words, detail } = outcome;
    if (isTurnedAway(orders, outcome)) return [];
    const plan = orders[n]?.plan;
    const says = `order ${n} ended ${is} after ${words} words: ${detail} (${JSON.stringify(orders[n]?.body).slice(0, 160)})`;
    switch (plan?.is) {
      case "complete":
        return is === "complete" ? [] : [says];
      case "leave":
        return is === "left" && words === plan.words ? [] : [says];
      case "leave early":
        return is === "left" ? [] : [says];
      default:
        return is === "refused" || is === "broken" ? [] : [says];
    }
  });
}
