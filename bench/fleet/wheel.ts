/** A queue of events in virtual time: at most one for each id, on a wheel with a slot for every millisecond. */
export type Wheel = {
  now(): number;
  /** Sets the event of an id, in place of an earlier one; what lies in the past comes next. */
  schedule(id: number, at: number): void;
  cancel(id: number): void;
  /** The id of the next event, in the order of time and then of scheduling; -1 when none comes before `until`. */
  next(until: number): number;
  size(): number;
};

const slots = 1 << 17;
const none = -1;

/** Room for the events of `ids` ids; times are whole milliseconds. */
export function createWheel(ids: number): Wheel {
  const heads = new Int32Array(slots).fill(none);
  const tails = new Int32Array(slots).fill(none);
  const after = new Int32Array(ids).fill(none);
  const before = new Int32Array(ids).fill(none);
  const times = new Float64Array(ids).fill(none);
  let now = 0;
  let size = 0;

  function cancel(id: number): void {
    const at = times[id] ?? none;
    if (at === none) return;
    const slot = at % slots;
    const behind = after[id] ?? none;
    const ahead = before[id] ?? none;
    if (ahead === none) heads[slot] = behind;
    else after[ahead] = behind;
    if (behind === none) tails[slot] = ahead;
    else before[behind] = ahead;
    times[id] = none;
    size--;
  }

  function schedule(id: number, at: number): void {
    cancel(id);
    const time = at <= now ? now : Math.ceil(at);
    const slot = time % slots;
    const last = tails[slot] ?? none;
    times[id] = time;
    after[id] = none;
    before[id] = last;
    if (last === none) heads[slot] = id;
    else after[last] = id;
    tails[slot] = id;
    size++;
  }

  function next(until: number): number {
    while (size > 0 && now < until) {
      // A slot also holds events of later turns of the wheel.
      for (let id = heads[now % slots] ?? none; id !== none; id = after[id] ?? none) {
        if (times[id] !== now) continue;
        cancel(id);
        return id;
      }
      now++;
    }
    now = Math.max(now, until);
    return none;
  }

  return { now: () => now, schedule, cancel, next, size: () => size };
}
