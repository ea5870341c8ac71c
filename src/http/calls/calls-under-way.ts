import { Failure } from "../../core/errors.ts";

/** The calls that are being answered, so that the service can end without cutting them off at once. */
export type CallsUnderWay = {
  begin(call: AbortController): void;
  end(call: AbortController): void;
  /** Resolves when all have ended; those that have not after a time are told to. */
  drain(ms: number): Promise<void>;
};

const lookMs = 25;
const lastWordsMs = 1_000;

export function createCallsUnderWay(): CallsUnderWay {
  const open = new Set<AbortController>();

  async function empty(until: number): Promise<void> {
    while (open.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, lookMs));
  }

  return {
    begin: (call) => void open.add(call),
    end: (call) => void open.delete(call),
    async drain(ms) {
      await empty(performance.now() + ms);
      for (const call of open) call.abort(new Failure("unavailable", { says: "The service is stopping; try again in a moment." }));
      await empty(performance.now() + lastWordsMs);
    },
  };
}
