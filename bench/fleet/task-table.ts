/** Where a task is: nowhere, before a time to try again, in a queue, being sent, waiting upstream, answered, or being stored. */
export const phase = { free: 0, delayed: 1, waiting: 2, sending: 3, polling: 4, answered: 5, collecting: 6 } as const;

/** The tasks that are under way, as columns; ids are used again. */
export function createTaskTable(room: number) {
  const phases = new Uint8Array(room);
  const freeIds = new Int32Array(room);
  let free = room;
  for (let id = 0; id < room; id++) freeIds[id] = room - 1 - id;
  return {
    phases,
    offer: new Uint8Array(room),
    lane: new Uint8Array(room),
    account: new Uint16Array(room),
    attempt: new Uint8Array(room),
    node: new Int16Array(room),
    /** What comes of the job, or of the start. */
    fate: new Uint8Array(room),
    isOrphan: new Uint8Array(room),
    shown: new Uint8Array(room),
    rank: new Float64Array(room),
    createdAt: new Float64Array(room),
    firstClaimAt: new Float64Array(room),
    deadlineAt: new Float64Array(room),
    /** Since when the upstream has the job, when it is done with it, and when we are asked to ask. */
    since: new Float64Array(room),
    doneAt: new Float64Array(room),
    dueAt: new Float64Array(room),
    add(): number {
      if (free === 0) throw new Error(`more than ${room} tasks are under way`);
      return freeIds[--free] ?? 0;
    },
    remove(id: number): void {
      phases[id] = phase.free;
      freeIds[free++] = id;
    },
    underWay: () => room - free,
    /** Of each phase, counted one by one. */
    count(): number[] {
      const counts = Array.from(Object.values(phase), () => 0);
      for (const at of phases) counts[at] = (counts[at] ?? 0) + 1;
      return counts;
    },
  };
}
