import { setTimeout as sleep } from "node:timers/promises";
import { chosenStore } from "./store-choice.ts";

const neededMs = 12_000;
const minuteMs = 60_000;

/** Waits until a test has time before its counts begin anew: nodes on PostgreSQL count by the minutes of the clock. */
export async function timeInTheMinute(): Promise<void> {
  const leftMs = minuteMs - (Date.now() % minuteMs);
  if (chosenStore() === "postgres" && leftMs < neededMs) await sleep(leftMs + 50);
}
