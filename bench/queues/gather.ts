/** Gathers what is asked at the same time into one commit, as our own store does: at once when nothing is under way, else when the last one returns. */
export function gather<T>(commit: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: { item: T; settle: (error: unknown) => void }[] = [];
  let isBusy = false;

  async function flush(): Promise<void> {
    const group = waiting;
    waiting = [];
    const error = await commit(group.map(({ item }) => item)).then(
      () => null,
      (reason: unknown) => reason,
    );
    for (const { settle } of group) settle(error);
    if (waiting.length > 0) return flush();
    isBusy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, settle: (error) => (error === null ? resolve() : reject(error)) });
      if (isBusy) return;
      isBusy = true;
      setImmediate(() => void flush());
    });
}
