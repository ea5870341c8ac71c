import type { Key } from "./records.ts";
import { forgetIdle } from "./reservation.ts";

export type SpendCaps = {
  /** Where a key stands; null for one without a cap. */
  of(key: Key | null): { reserved: number; left(): number } | null;
  /** What a commit says that a key has spent. */
  spent(key: string, nanos: number): void;
};

type Cap = { key: Key; spent: number; reserved: number; left(): number };

/** What keys with a spend cap may still spend. What other nodes spend (`shared`) is learned whenever the key is read anew. */
export function createSpendCaps(shared: boolean): SpendCaps {
  const caps = new Map<string, Cap>();

  function capOf(key: Key): Cap {
    const known = caps.get(key.id);
    if (known !== undefined) return known;
    const cap: Cap = {
      key,
      spent: key.spentNanos,
      reserved: 0,
      left: () => (cap.key.limits.spendCapNanos ?? Number.POSITIVE_INFINITY) - cap.spent - cap.reserved,
    };
    forgetIdle(caps);
    caps.set(key.id, cap);
    return cap;
  }

  return {
    of(key) {
      if (key === null || key.limits.spendCapNanos === null) return null;
      const cap = capOf(key);
      if (cap.key === key) return cap;
      cap.key = key;
      if (shared) cap.spent = key.spentNanos;
      return cap;
    },
    spent(key, nanos) {
      const cap = caps.get(key);
      if (cap !== undefined) cap.spent = nanos;
    },
  };
}
