/** One movement of an account's money, and what the ledger says was available after it. */
export type LedgerRow = {
  id: string;
  at: number;
  kind: "hold" | "settle" | "release" | "credit" | "charge";
  note: string;
  /** By how much what is available changed, and what is held. */
  availableNanos: number;
  heldNanos: number;
  balanceNanos: number;
};

/** A place between two movements: those before it are older, and the newest of them left this balance. */
export type LedgerPlace = { at: number; id: string; balanceNanos: number };

export type LedgerQuestion = {
  account: string;
  limit: number;
  from: number;
  to: number;
  /** Goes on after a row, newest first: by its id alone, or where its place is known. */
  after?: string | LedgerPlace;
};

/** Where to go on after a row. */
export function placeAfter({ at, id, balanceNanos, availableNanos }: LedgerRow): LedgerPlace {
  return { at, id, balanceNanos: balanceNanos - availableNanos };
}

/** The task that a movement is for; null where it is for none. */
export function taskOfRow({ id, kind }: Pick<LedgerRow, "id" | "kind">): string | null {
  return kind === "hold" || kind === "settle" || kind === "release" ? id.slice(0, id.lastIndexOf(":")) : null;
}
