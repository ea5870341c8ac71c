import { openBooks } from "./books.ts";
import type { Engine, Place } from "./engine-port.ts";
import { gather } from "./gather.ts";
import { atOnce, inPortions } from "./portion.ts";

/** The rows alone, without any queue: what is left is what a queue costs. */
export async function openBareEngine({ databaseUrl }: Place): Promise<Engine> {
  const books = await openBooks(databaseUrl);
  let waiting: string[] = [];
  const accept = gather<string>((ids) => books.transact((session) => books.accept(session, ids)));
  return {
    async submit(id) {
      await accept(id);
      waiting.push(id);
    },
    async work(tasks) {
      const ids = waiting.slice(0, tasks);
      waiting = waiting.slice(tasks);
      await inPortions(
        ids,
        async (some) => {
          await books.intend(books.pool, some);
          await books.transact((session) => books.accepted(session, some));
          await books.transact((session) => books.settle(session, some));
        },
        atOnce,
      );
    },
    fill: () => Promise.resolve(),
    poll: (count) => Promise.resolve(count),
    look: null,
    listen: () => Promise.reject(new Error("rows start nothing")),
    close: books.close,
  };
}
