import { uuidv7 } from "../kit/ids.ts";
import { reachedMarks, spentInMonth } from "./budget.ts";
import { usdFromNanos } from "./money.ts";
import type { Account } from "./records.ts";

/** What somebody is told about the money of an account. */
export type AlertFact =
  | { kind: "budget"; mark: number; budgetNanos: number; spentNanos: number; /** When it began. */ month: number }
  | { kind: "balance"; availableNanos: number; creditedNanos: number };

export type Alert = {
  id: string;
  /** Keeps it from being told twice. */
  name: string;
  account: string;
  fact: AlertFact;
  at: number;
};

/** What a webhook is told of an alert. */
export const alertEvents = { budget: "budget.reached", balance: "balance.low" } as const satisfies Record<AlertFact["kind"], string>;

/** The alerts that a budget gives rise to: one for each mark, in each month and for each height of the budget. */
export function budgetAlerts(account: Pick<Account, "id" | "budget">, now: number): Alert[] {
  const { nanos, month } = account.budget;
  if (nanos === null) return [];
  const spentNanos = spentInMonth(account, now);
  return reachedMarks(account, now).map((mark) => ({
    id: uuidv7(now),
    name: `budget ${account.id} ${month} ${mark} ${nanos}`,
    account: account.id,
    fact: { kind: "budget", mark, budgetNanos: nanos, spentNanos, month },
    at: now,
  }));
}

/** An account, its latest credit, and what it was credited with in the 30 days until that. */
export type CreditedAccount = { id: string; availableNanos: number; creditId: string; creditedNanos: number };

export const creditedMs = 30 * 24 * 60 * 60 * 1000;
const lowShare = 0.05;

/** The alert of a balance that is almost used up: one for each latest credit. */
export function balanceAlerts({ id: account, availableNanos, creditId, creditedNanos }: CreditedAccount, now: number): Alert[] {
  if (availableNanos >= creditedNanos * lowShare) return [];
  const fact = { kind: "balance", availableNanos, creditedNanos } as const;
  return [{ id: uuidv7(now), name: `balance ${account} ${creditId}`, account, fact, at: now }];
}

/** An alert in a sentence. */
export function sayAlert(fact: AlertFact): string {
  if (fact.kind === "balance") return `The balance is low: ${dollars(fact.availableNanos)} of ${dollars(fact.creditedNanos)} are left.`;
  const { mark, spentNanos, budgetNanos, month } = fact;
  return `${mark} % of the budget for ${monthName(month)} are reached: ${dollars(spentNanos)} of ${dollars(budgetNanos)} are spent.`;
}

/** A month as its year and number. */
export function monthName(month: number): string {
  return new Date(month).toISOString().slice(0, 7);
}

function dollars(nanos: number): string {
  return `$${usdFromNanos(nanos).toFixed(2)}`;
}
