export type RhythmNeeds = {
  /** Exchanges names with the others; answers for each whether they now believe that something runs here. */
  exchange(names: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Hears after each exchange whether it came about, and if not, why. */
  tellContact(isThere: boolean, cause?: unknown): void;
};

/** When nodes exchange what they count: at once after a quiet time, then with rests; never while nothing happens. */
export type Rhythm = {
  want(name: string): void;
  /** True where the others believe that something runs here. */
  holds(name: string): boolean;
  /** Exchanges a last time what is open, if that is quick, and no more. */
  close(): Promise<void>;
};

/** The rest between two exchanges. */
export const restMs = 250;
const restsToRenewal = 4;
const mostDoublings = 4;
const mostNames = 512;
const farewellMs = 500;

export function createRhythm({ exchange, tellContact }: RhythmNeeds): Rhythm {
  const wanted = new Set<string>();
  const held = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let isClosed = false;
  let rests = 0;
  let failures = 0;

  function rest(ms: number): void {
    if (!isClosed) timer = setTimeout(wake, ms).unref();
  }

  function wake(): void {
    timer = undefined;
    if (++rests >= restsToRenewal) renew();
    if (wanted.size > 0) underWay = trade();
    else if (held.size > 0) rest(restMs);
  }

  // What runs for long is said again before the others stop to believe it.
  function renew(): void {
    rests = 0;
    for (const name of held) wanted.add(name);
  }

  async function trade(): Promise<void> {
    const names = [...wanted];
    wanted.clear();
    try {
      for (let at = 0; at < names.length; at += mostNames) note(held, await exchange(names.slice(at, at + mostNames)));
      failures = 0;
      tellContact(true);
    } catch (cause) {
      for (const name of names) wanted.add(name);
      failures = Math.min(failures + 1, mostDoublings);
      tellContact(false, cause);
    }
    underWay = null;
    rest(restMs * 2 ** failures);
  }

  return {
    want(name) {
      wanted.add(name);
      if (timer === undefined && underWay === null) rest(0);
    },
    holds: (name) => held.has(name),
    async close() {
      clearTimeout(timer);
      isClosed = true;
      await Promise.race([underWay, passed(farewellMs)]);
      renew();
      if (wanted.size > 0) await Promise.race([trade(), passed(farewellMs)]);
    },
  };
}

function note(held: Set<string>, running: ReadonlyMap<string, boolean>): void {
  for (const [name, isRunning] of running) {
    if (isRunning) held.add(name);
    else held.delete(name);
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
