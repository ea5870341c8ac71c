import { createServer } from "node:net";

// Below those that systems give to outgoing connections: one of these might else take the port of a node that is down for a moment.
const [first, last] = [20_000, 30_000];
const given = new Set<number>();

/** A port of this machine that nobody listens on, and that nobody is given by chance. */
export async function quietPort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = first + Math.floor(Math.random() * (last - first));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error("no port is free");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
