import type { PulseRow } from "./counts.ts";
import type { Log, Store } from "./ports.ts";
import { stepOf } from "./speed-scale.ts";

/** A call or a task that has ended. */
export type Finished = {
  account: string;
  key: string | null;
  /** The operation of a call, the kind of a task. */
  operation: string;
  /** The name the client used; "" where there is no such model. */
  model: string;
  /** "" where nobody was asked. */
  provider: string;
  /** "ok", or the code of the error. */
  outcome: string;
  /** From the request to its end. */
  ms: number;
  /** How long it waited for its turn; null for what does not wait. */
  waitMs: number | null;
  inputTokens: number;
  outputTokens: number;
  costNanos: number;
  now: number;
};

export type Pulse = {
  /** Counts something that has ended; the store hears of it within seconds. */
  add(finished: Finished): void;
  /** Hands over what was counted; what the store does not take is kept for the next time. */
  flush(): Promise<void>;
};

const minuteMs = 60_000;
// What a database that is away for long leaves behind must not fill the memory.
const mostRows = 20_000;
// Others wait for the database too.
const portion = 256;

/** Counts what ends in this process, in memory, so that no request waits for it. */
export function createPulse({ store, log }: { store: Pick<Store, "recordPulse">; log: Log }): Pulse {
  let tree = new Branch();
  let rows: PulseRow[] = [];
  let lost = 0;
  let flushing: Promise<void> | null = null;

  function put(row: PulseRow): void {
    const { minute, account, key, operation, provider, outcome, model, speed, wait } = row;
    const alike = tree.at(account).at(key).at(operation).at(provider).at(outcome).at(model).rows;
    const known = alike.get(placeOf(minute, speed, wait));
    if (known !== undefined) {
      known.requests += row.requests;
      known.inputTokens += row.inputTokens;
      known.outputTokens += row.outputTokens;
      known.costNanos += row.costNanos;
    } else if (rows.length >= mostRows) lost += row.requests;
    else {
      alike.set(placeOf(minute, speed, wait), row);
      rows.push(row);
    }
  }

  async function handOver(): Promise<void> {
    if (lost > 0) log.warn({ requests: lost }, "some requests are missing in the usage: the store did not take what was counted");
    const taken = rows;
    [tree, rows, lost] = [new Branch(), [], 0];
    for (let at = 0; at < taken.length; at += portion) {
      try {
        await store.recordPulse({ rows: taken.slice(at, at + portion) });
      } catch (error) {
        log.warn({ err: error }, "the usage could not be written; it is kept for later");
        for (const row of taken.slice(at)) put(row);
        return;
      }
    }
  }

  return {
    add: (finished) => put(rowOf(finished)),
    flush() {
      flushing ??= handOver().finally(() => {
        flushing = null;
      });
      return flushing;
    },
  };
}

function rowOf(finished: Finished): PulseRow {
  const { account, key, operation, model, provider, outcome, ms, waitMs, inputTokens, outputTokens, costNanos, now } = finished;
  return {
    minute: Math.floor(now / minuteMs) * minuteMs,
    account,
    key: key ?? "",
    operation,
    model,
    provider,
    outcome,
    speed: stepOf(ms),
    wait: waitMs === null ? -1 : stepOf(waitMs),
    requests: 1,
    inputTokens,
    outputTokens,
    costNanos,
  };
}

/** Rows by their names, one after the other: a look makes no new text, and every call takes one. */
class Branch {
  readonly #branches = new Map<string, Branch>();
  readonly rows = new Map<number, PulseRow>();

  at(name: string): Branch {
    let branch = this.#branches.get(name);
    if (branch === undefined) {
      branch = new Branch();
      this.#branches.set(name, branch);
    }
    return branch;
  }
}

/** A minute, a speed and a wait as one number. */
function placeOf(minute: number, speed: number, wait: number): number {
  return ((minute / minuteMs) * 64 + speed) * 64 + wait + 1;
}
