/** Questions to another process, each with the answer that comes back under its number. */
export type Questions<T> = {
  /** Null when no answer comes in time. */
  ask(send: (id: number) => void, withinMs: number): Promise<T | null>;
  answer(id: number, value: T): void;
};

export function createQuestions<T>(): Questions<T> {
  const open = new Map<number, (value: T | null) => void>();
  let last = 0;
  return {
    ask: (send, withinMs) =>
      new Promise((resolve) => {
        const id = ++last;
        const end = (value: T | null) => {
          clearTimeout(timer);
          open.delete(id);
          resolve(value);
        };
        const timer = setTimeout(() => end(null), withinMs);
        open.set(id, end);
        send(id);
      }),
    answer: (id, value) => open.get(id)?.(value),
  };
}
