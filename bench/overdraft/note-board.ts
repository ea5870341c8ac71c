import type { Bulletin, Topic } from "../../src/core/ports.ts";
import type { Machine } from "./machine.ts";
import type { World } from "./world.ts";

/** Carries notes between nodes: late, in any order, twice, or not at all. */
export type NoteBoard = {
  join(machine: Machine): Bulletin;
  loss: number;
};

type Listener = { machine: Machine; topic: Topic; heard: (id: string) => void };

const gatherMs = 20;
const spreadMs = 60;

export function createNoteBoard({ random, tell }: World, loss: number): NoteBoard {
  const listeners: Listener[] = [];

  function deliver({ machine, heard }: Listener, from: Machine, id: string): void {
    if (machine === from || !machine.isAlive || random.unit() < board.loss) return;
    const times = random.unit() < board.loss / 4 ? 2 : 1;
    for (let time = 0; time < times; time++) machine.after(random.unit() * spreadMs, () => heard(id));
  }

  const board: NoteBoard = {
    loss,
    join: (machine) => ({
      post(topic, id) {
        tell(`${machine.id} asks the others for what they have of ${id}`);
        const notes = listeners.filter((listener) => listener.topic === topic);
        machine.after(gatherMs, () => notes.forEach((listener) => deliver(listener, machine, id)));
      },
      hear: (topic, heard) => void listeners.push({ machine, topic, heard }),
      onGap: () => undefined,
      close: async () => undefined,
    }),
  };
  return board;
}
