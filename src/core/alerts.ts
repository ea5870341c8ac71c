import { alertEvents, sayAlert, type Alert } from "./alert.ts";
import type { Clock, Log, Store } from "./ports.ts";
import type { ChoreClaim } from "./records.ts";

export type AlertsNeeds = {
  store: Pick<Store, "dueAlerts" | "raiseAlert" | "finishChore">;
  clock: Clock;
  log: Log;
  /** An alert as clients read it. */
  showAlert: (alert: Alert) => object;
  observeAlert: (kind: Alert["fact"]["kind"]) => void;
};

const minuteMs = 60_000;

/** Looks every minute whether somebody must be told about an account's money, and tells it once. Nothing is stopped by it. */
export function createAlertsChore({ store, clock, log, showAlert, observeAlert }: AlertsNeeds): (claim: ChoreClaim) => Promise<void> {
  return async (claim) => {
    const now = clock();
    for (const alert of await store.dueAlerts({ now })) {
      const event = alertEvents[alert.fact.kind];
      const body = JSON.stringify({ type: event, timestamp: new Date(now).toISOString(), data: showAlert(alert) });
      if (!(await store.raiseAlert({ alert, event, body }))) continue;
      observeAlert(alert.fact.kind);
      log.warn({ account: alert.account, alert: alert.id, ...alert.fact }, sayAlert(alert.fact));
    }
    await store.finishChore({ ...claim, runAt: clock() + minuteMs });
  };
}
