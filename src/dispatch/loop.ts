export type Loop = {
  start(): void;
  /** Looks soon, if it does not anyway. */
  wake(): void;
  /** Looks no more; returns when the last look has ended. */
  stop(): Promise<void>;
  /** When it last looked and was answered, or else began to. */
  lastLookAt(): number;
};

const tickMs = 100;
const slower = 1.3;
const troubleMs = 1_000;
// Under load many wake us at once: one look serves them all.
const restMs = 25;

export type LoopNeeds = {
  /** Answers how much was found. */
  look: () => Promise<"much" | "some" | "nothing">;
  clock: () => number;
  failed: (error: unknown) => void;
  /** The longest rest; looks that find nothing come ever more slowly until then. */
  longestRestMs: number;
};

/** Repeats a look, never two at a time: quickly while there is more to find, else a few times a second. */
export function createLoop({ look, clock, failed, longestRestMs }: LoopNeeds): Loop {
  let idleMs = tickMs;
  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  // A process that runs no tasks never begins to look.
  let stopped = true;
  let woken = false;
  let last = 0;
  let lastGood = 0;

  function once(): void {
    if (stopped || looking !== null) return;
    clearTimeout(timer);
    woken = false;
    last = clock();
    looking = look().then(
      (found) => {
        lastGood = last;
        idleMs = found === "nothing" ? Math.min(idleMs * slower, longestRestMs) : tickMs;
        rest(found === "much" || woken ? restMs : idleMs);
      },
      (error: unknown) => {
        failed(error);
        rest(troubleMs);
      },
    );
  }

  function rest(ms: number): void {
    looking = null;
    if (!stopped) timer = setTimeout(once, ms);
  }

  return {
    start() {
      stopped = false;
      lastGood = clock();
      once();
    },
    wake() {
      if (woken || stopped) return;
      woken = true;
      idleMs = tickMs;
      if (looking !== null) return;
      clearTimeout(timer);
      timer = setTimeout(once, Math.max(0, last + restMs - clock()));
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
    lastLookAt: () => lastGood,
  };
}
