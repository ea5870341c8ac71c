import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../kit/error-code.ts";
import type { VerbName } from "./verbs.ts";

/** Why the database did not do what it was asked: it is away, it wants to be asked again, or it will never do it. */
export type Trouble = "away" | "contention" | "refused";

const awayCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]);
// Shutting down, crashed, starting up, no connection left, not the one that is written to any more; then those of class 08.
const awayStates = new Set(["57P01", "57P02", "57P03", "53300", "25006"]);
const contentionStates = new Set(["40001", "40P01", "55P03"]);

export function troubleOf(error: unknown): Trouble {
  const code = errorCode(error);
  if (contentionStates.has(code)) return "contention";
  if (awayCodes.has(code) || awayStates.has(code) || code.startsWith("08")) return "away";
  if (error instanceof Error && error.cause !== undefined) return troubleOf(error.cause);
  // The driver has no codes of its own.
  const says = error instanceof Error ? error.message : "";
  return /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|query read timeout/i.test(
    says,
  )
    ? "away"
    : "refused";
}

/**
 * Writes that may be made again when nobody knows whether they were: what they find then tells them, or they change nothing. A charge is
 * not among them: a call is rather forgiven than paid twice.
 */
const repeatable: ReadonlySet<VerbName> = new Set<VerbName>([
  "accept",
  "intend",
  "answer",
  "progress",
  "beginCollect",
  "park",
  "pollNow",
  "redirect",
  "renew",
  "finish",
  "credit",
  "beat",
  "setFact",
  "scheduleChore",
  "finishChore",
  "recordDelivery",
  "claimReply",
  "keepReply",
  "dropReply",
]);

// A client waits for those who accept something; a task that is under way, for the others.
const clientPatienceMs = 5_000;
const workPatienceMs = 15_000;
const openPatienceMs = 20_000;
const mostContentions = 8;

type What = VerbName | "read" | "open";

function patienceMs(what: What): number {
  if (what === "open") return openPatienceMs;
  if (what === "read" || what === "accept" || what === "claimReply") return clientPatienceMs;
  return repeatable.has(what) ? workPatienceMs : 0;
}

/** Asks until it is done, as long as asking again is right and can help; `again` is true once nobody knows whether it was done before. */
export async function persist<T>(
  what: What,
  act: (again: boolean) => Promise<T>,
  observe?: (trouble: Trouble, gaveUp: boolean) => void,
): Promise<T> {
  const until = performance.now() + patienceMs(what);
  let again = false;
  for (let tries = 1; ; tries++) {
    try {
      return await act(again);
    } catch (error) {
      const trouble = troubleOf(error);
      const gaveUp = trouble === "refused" || (trouble === "contention" ? tries > mostContentions : performance.now() > until);
      observe?.(trouble, gaveUp);
      if (gaveUp) throw error;
      again ||= trouble === "away";
      await sleep(Math.min(500, 20 * 2 ** tries) * (0.5 + Math.random() / 2));
    }
  }
}
