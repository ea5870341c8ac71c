import type { FastifyRequest } from "fastify";

/** Does something that can end early when its client goes away. */
export async function whileThere<T>({ socket }: FastifyRequest, work: (left: AbortSignal) => Promise<T>): Promise<T> {
  const left = new AbortController();
  const leave = () => left.abort();
  socket.once("close", leave);
  try {
    return await work(left.signal);
  } finally {
    // A connection is kept for many requests, and would keep what each of them left there.
    socket.off("close", leave);
  }
}
