import { uuidv7 } from "../kit/ids.ts";
import { makeKey, noLimits, starter } from "./accounts.ts";
import type { Clock, Store } from "./ports.ts";

/** Makes the starter account of local mode with its credit and its first key; null when it was there already. */
export async function makeStarter(store: Store, clock: Clock): Promise<{ key: string } | null> {
  const now = clock();
  const account = await store.createAccount({ id: uuidv7(now), name: starter.name, starter: true, now });
  if (account === null) return null;
  await store.credit({ id: uuidv7(now), account: account.id, nanos: starter.creditNanos, note: "starter credit", now });
  const { id, hash, lastFour, text } = makeKey();
  await store.createKey({
    id,
    hash,
    lastFour,
    account: account.id,
    name: "first key",
    scopes: null,
    models: null,
    ips: null,
    expiresAt: null,
    revokedAt: null,
    limits: noLimits,
    spentNanos: 0,
    createdAt: now,
  });
  return { key: text };
}
