export type Rows<Row> = { rows: Row[]; hasMore: boolean };

/** The first rows as they are now, then those that were known below them; ids fall from row to row. */
export function joined<Row extends { id: string }>(rows: Row[], { rows: head, hasMore }: Rows<Row>): Row[] {
  const last = head.at(-1);
  if (last === undefined || !hasMore) return isSame(rows, head) ? rows : head;
  const from = rows.findIndex(({ id }) => id < last.id);
  // More has come than was asked for: what is known lies beyond a gap, and the cursor goes on from here.
  if (from === 0) return head;
  const above = from === -1 ? rows : rows.slice(0, from);
  return isSame(above, head) ? rows : [...head, ...(from === -1 ? [] : rows.slice(from))];
}

/** The same rows, those that were seen again as they are now. */
export function refreshed<Row extends { id: string }>(rows: Row[], head: Row[]): Row[] {
  const now = new Map(head.map((row) => [row.id, row]));
  const last = head.at(-1)?.id ?? "";
  const until = rows.findIndex(({ id }) => id < last);
  const seen = until === -1 ? rows : rows.slice(0, until);
  const fresh = seen.map((row) => now.get(row.id) ?? row);
  return isSame(seen, fresh) ? rows : [...fresh, ...(until === -1 ? [] : rows.slice(until))];
}

/** How many have come since. */
export function newerThan<Row extends { id: string }>(first: string | undefined, head: Row[]): number {
  return first === undefined ? head.length : head.filter(({ id }) => id > first).length;
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && JSON.stringify(some) === JSON.stringify(others);
}
