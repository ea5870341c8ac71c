export type Loop = {
  start(): void;
  /** Looks soon, if it does not anyway. */
  wake(): void;
  /** Looks no more; returns when the last look has ended. */
  stop(): Promise<void>;
  lastLookAt(): number;
};

const tickMs = 100;
// Under load many wake us at once: one look serves them all.
const restMs = 25;

/** Repeats a look, never two at a time: quickly while there is more to find, else a few times a second. */
export function createLoop(look: () => Promise<boolean>, clock: () => number, failed: (error: unknown) => void): Loop {
  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let woken = false;
  let last = 0;

  function once(): void {
    if (stopped || looking !== null) return;
    clearTimeout(timer);
    woken = false;
    last = clock();
    looking = look()
      .catch((error: unknown) => {
        failed(error);
        return false;
      })
      .then((more) => {
        looking = null;
        if (!stopped) timer = setTimeout(once, more || woken ? restMs : tickMs);
      });
  }

  return {
    start: once,
    wake() {
      if (woken || stopped) return;
      woken = true;
      if (looking !== null) return;
      clearTimeout(timer);
      timer = setTimeout(once, Math.max(0, last + restMs - clock()));
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
    lastLookAt: () => last,
  };
}
