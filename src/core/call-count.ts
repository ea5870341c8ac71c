import type { Caller } from "./accounts.ts";
import { failureOf } from "./call-answer.ts";
import { Failure } from "./errors.ts";
import type { Asked } from "./meter.ts";
import type { Clock } from "./ports.ts";
import type { Measured } from "./pricing.ts";
import type { Pulse } from "./pulse.ts";
import type { FailureClass } from "./refusal.ts";

/** Follows one call to its end, and counts it there. */
export type CallCount = {
  /** The model was found; before that, a name is only what somebody wrote. */
  model(name: string): void;
  provider(name: string): void;
  /** The reply had begun and broke off. */
  broke(why: FailureClass): void;
  /** The call ends with its charge. */
  paid(cost: Promise<number>, measured: Measured, signal: AbortSignal): Promise<number>;
  /** The call ends without one. */
  unpaid(signal: AbortSignal): void;
  failed(error: unknown): void;
};

type CountNeeds = { pulse: Pick<Pulse, "add">; clock: Clock };

export function createCallCount(
  { pulse, clock }: CountNeeds,
  { account, key }: Caller,
  { operation }: Asked,
  startedAt: number,
): CallCount {
  let model = "";
  let provider = "";
  let broken: string | null = null;

  function end(outcome: string, costNanos = 0, { inputTokens = 0, outputTokens = 0 }: Partial<Measured> = {}): void {
    const now = clock();
    const names = { account: account.id, key: key?.id ?? null, operation, model, provider, outcome };
    pulse.add({ ...names, ms: now - startedAt, waitMs: null, inputTokens, outputTokens, costNanos, now });
  }

  return {
    model(name) {
      model = name;
    },
    provider(name) {
      provider = name;
    },
    broke(why) {
      broken = failureOf({ class: why }).code;
    },
    async paid(cost, measured, signal) {
      try {
        const nanos = await cost;
        end(broken ?? (signal.aborted ? codeOf(signal.reason, "cancelled") : "ok"), nanos, measured);
        return nanos;
      } catch (error) {
        end(codeOf(error, "internal"));
        throw error;
      }
    },
    unpaid: (signal) => end(broken ?? (signal.aborted ? codeOf(signal.reason, "cancelled") : "internal")),
    failed: (error) => end(codeOf(error, "internal")),
  };
}

function codeOf(error: unknown, otherwise: string): string {
  return error instanceof Failure ? error.code : otherwise;
}
