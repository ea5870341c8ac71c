import { uuidv7 } from "../kit/ids.ts";
import type { Delivery } from "./records.ts";

/** A message to be told, before its first try. */
export function newDelivery(told: Pick<Delivery, "account" | "endpoint" | "task" | "url" | "event" | "style">, now: number): Delivery {
  const untold = { body: null, state: "pending", attempts: 0, lastStatus: null, lastError: null, deliveredAt: null } as const;
  return { id: `msg_${uuidv7(now)}`, ...told, ...untold, createdAt: now };
}
