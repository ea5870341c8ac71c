export type Looker = { wake(): void; stop(): Promise<void> };

const tickMs = 100;
const restMs = 25;

/** Looks for work as a node does: every tenth of a second, and soon after it was woken. */
export function startLooker(look: () => Promise<void>): Looker {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let lastAt = 0;

  function once(): void {
    if (looking !== null || isStopped) return;
    isWoken = false;
    lastAt = performance.now();
    looking = look()
      .catch((error: unknown) => console.error(error))
      .then(() => {
        looking = null;
        if (!isStopped) timer = setTimeout(once, isWoken ? restMs : tickMs);
      });
  }

  once();
  return {
    wake() {
      isWoken = true;
      if (looking !== null || isStopped) return;
      clearTimeout(timer);
      timer = setTimeout(once, Math.max(0, lastAt + restMs - performance.now()));
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
