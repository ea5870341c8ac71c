import type { MoneyHeard } from "../core/ports.ts";
import type { News } from "./query.ts";

export type NewsText = { accounts: [string, number][]; keys: [string, number][]; leases: News["leases"] };

/** News as they pass between threads. */
export function newsText({ accounts, keys, leases }: News): NewsText {
  return { accounts: [...accounts], keys: [...keys], leases };
}

/** Tells everyone who listens. */
export function tellNews(listeners: readonly MoneyHeard[], { accounts, keys, leases }: NewsText | News): void {
  for (const listener of listeners) {
    for (const [account, nanos] of accounts) listener.available(account, nanos);
    for (const [key, nanos] of keys) listener.spent(key, nanos);
    for (const { account, epoch, nanos } of leases) listener.leased(account, epoch, nanos);
  }
}
