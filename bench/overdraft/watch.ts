import { noLimits } from "../../src/core/accounts.ts";
import type { Key } from "../../src/core/records.ts";
import type { Machine } from "./machine.ts";
import type { SharedDatabase } from "./shared-database.ts";

export type Customer = { account: string; key: string };
type Caller = { key: Key; isFrozen: boolean; at: number };

/** Looks at the whole from above: what is there, and what calls under way have set aside anywhere. */
export type Watch = {
  setAside(machine: Machine, account: string, nanos: number): () => void;
  /** What a customer could spend if all nodes were one. */
  idleNanos(customer: Customer, keyed: boolean): number;
  /** Whom a machine knows by a key; it looks again after two seconds. */
  caller(machine: Machine, customer: Customer): Caller;
};

const rememberMs = 2_000;

export function createWatch(database: SharedDatabase, capNanos: number | null): Watch {
  const aside = new Set<{ machine: Machine; account: string; nanos: number }>();
  const callers = new Map<string, Caller>();
  const spentBy = (key: string) => Number(database.ask("select spent from api_key where id = ?", key)[0]?.["spent"] ?? 0);
  const isFrozen = (account: string) => database.ask("select 1 from account where id = ? and frozen = 1", account).length > 0;

  return {
    setAside(machine, account, nanos) {
      const part = { machine, account, nanos };
      aside.add(part);
      return () => void aside.delete(part);
    },
    idleNanos({ account, key }, keyed) {
      if (isFrozen(account)) return 0;
      const [row] = database.ask("select available from account where id = ?", account);
      let taken = 0;
      for (const part of aside) if (part.account === account && part.machine.isAlive) taken += part.nanos;
      const idle = Number(row?.["available"] ?? 0) - taken;
      // Which of the calls under way are the key's is not told apart: it may be all of them.
      return keyed && capNanos !== null ? Math.min(idle, capNanos - spentBy(key) - taken) : idle;
    },
    caller(machine, { account, key }) {
      const place = `${machine.id} ${key}`;
      const known = callers.get(place);
      if (known !== undefined && machine.monotonic() - known.at < rememberMs) return known;
      const found = { id: key, account, spentNanos: spentBy(key), limits: { ...noLimits, spendCapNanos: capNanos } } as Key;
      const caller = { key: found, isFrozen: isFrozen(account), at: machine.monotonic() };
      callers.set(place, caller);
      return caller;
    },
  };
}
