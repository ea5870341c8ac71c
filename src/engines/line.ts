import { EngineError } from "./engine-error.ts";

/**
 * Places that are handed out one by one; who finds none waits in line, first come first served, and may leave it by the signal.
 * Who finds `mostWaiting` before him is refused.
 */
export type Line<T> = {
  take(signal?: AbortSignal): Promise<T>;
  giveBack(place: T): void;
  /** True when nobody uses this place. */
  isFree(place: T): boolean;
  /** Refuses everyone who waits and everyone who comes. */
  close(error: EngineError): void;
};

type Waiting<T> = { take(place: T): void; refuse(error: EngineError): void };

export function createLine<T extends object>(places: readonly T[], mostWaiting: number): Line<T> {
  const free = [...places];
  const waiting: Waiting<T>[] = [];
  let closed: EngineError | null = null;

  function join(signal: AbortSignal | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const leave = (): void => {
      waiting.splice(waiting.indexOf(one), 1);
      reject(cancelled());
    };
    const one = { take: resolve, refuse: reject };
    waiting.push(one);
    signal?.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  return {
    async take(signal) {
      if (closed !== null) throw closed;
      if (signal?.aborted === true) throw cancelled();
      // The place that was given back last has the warm process.
      const place = free.pop();
      if (place !== undefined) return place;
      if (waiting.length >= mostWaiting) throw new EngineError("busy", "Too many jobs are waiting for this generator: try again later.");
      return join(signal);
    },
    giveBack(place) {
      const next = waiting.shift();
      if (next === undefined) free.push(place);
      else next.take(place);
    },
    isFree: (place) => free.includes(place),
    close(error) {
      closed = error;
      for (const one of waiting.splice(0)) one.refuse(error);
    },
  };
}

function cancelled(): EngineError {
  return new EngineError("cancelled", "The job was cancelled.");
}
