/** The time of a test: that of the machine, and as much later as the test wants it. */
export type TestClock = {
  now(): number;
  advance(ms: number): void;
};

export function createTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (ms) => void (ahead += ms),
  };
}
