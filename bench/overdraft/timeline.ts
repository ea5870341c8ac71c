type Event = { at: number; order: number; act: () => unknown };

/** Virtual time: what is planned happens in order, each event with everything that follows from it at once. */
export type Timeline = {
  now(): number;
  plan(delayMs: number, act: () => unknown): void;
  /** Lets everything happen that is planned until then; `goesOn` is asked when an event and what followed are over. */
  run(until: number, goesOn: () => boolean): Promise<number>;
};

export function createTimeline(): Timeline {
  const heap: Event[] = [];
  let time = 0;
  let planned = 0;

  const isEarlier = (a: Event | undefined, b: Event | undefined) =>
    a !== undefined && (b === undefined || a.at < b.at || (a.at === b.at && a.order < b.order));

  function swap(a: number, b: number): void {
    const [one, other] = [heap[a], heap[b]];
    if (one === undefined || other === undefined) return;
    heap[a] = other;
    heap[b] = one;
  }

  function push(event: Event): void {
    let place = heap.push(event) - 1;
    while (place > 0 && isEarlier(event, heap[(place - 1) >> 1])) {
      swap(place, (place - 1) >> 1);
      place = (place - 1) >> 1;
    }
  }

  function pop(): Event | undefined {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const child = isEarlier(heap[right], heap[left]) ? right : left;
      if (!isEarlier(heap[child], heap[place])) return first;
      swap(place, child);
      place = child;
    }
  }

  return {
    now: () => time,
    plan: (delayMs, act) => push({ at: time + Math.max(0, delayMs), order: planned++, act }),
    async run(until, goesOn) {
      let events = 0;
      for (let next = heap[0]; next !== undefined && next.at <= until; next = heap[0]) {
        pop();
        time = next.at;
        await next.act();
        // Nothing here waits for anything but promises: they are all done when the event loop comes round.
        await new Promise(setImmediate);
        events++;
        if (!goesOn()) return events;
      }
      time = until;
      return events;
    },
  };
}
