/** What an account may spend in a calendar month (UTC) before somebody is told, at which per cents of that, and what it has spent in one. */
export type Budget = {
  /** Null: there is none. */
  nanos: number | null;
  marks: number[];
  /** When the month began that `spentNanos` is of. */
  month: number;
  spentNanos: number;
};

type Budgeted = { budget: Budget };

/** Where nothing else is said, somebody is told at these per cents. */
export const usualMarks: readonly number[] = [80, 100];

export const noBudget: Budget = { nanos: null, marks: [...usualMarks], month: 0, spentNanos: 0 };

/** When the month of a moment began, in UTC. */
export function monthOf(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
}

/** What an account has spent in the month of a moment. */
export function spentInMonth({ budget }: Budgeted, now: number): number {
  return budget.month === monthOf(now) ? budget.spentNanos : 0;
}

/** The per cents of its budget that an account has reached in the month of a moment. */
export function reachedMarks(account: Budgeted, now: number): number[] {
  const { nanos, marks } = account.budget;
  if (nanos === null) return [];
  const spent = spentInMonth(account, now);
  return marks.filter((mark) => spent >= (nanos / 100) * mark);
}
