import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMiB } from "../gateways/process-tree.ts";
import { createNode, type ClusterNode, type NodeRole } from "./cluster-node.ts";
import { quietPort } from "./quiet-port.ts";

/** An end of a node that nobody asked for. */
export type OwnEnd = { node: string; at: number; how: string; wasUp: boolean };

/** All nodes, and what was seen of them. */
export type Fleet = {
  nodes: readonly ClusterNode[];
  /** Starts all at the same time, as on the first day. */
  start(): Promise<void>;
  /** Kills a node that runs, the given one or the next, and has it started again later; null when none runs. */
  kill(place: number, pauseMs: number): Promise<{ node: ClusterNode; at: number } | null>;
  /** Starts no more, and resolves when all that were being started have answered. */
  settle(): Promise<void>;
  /** Ends all in order; answers those that did not end well. */
  stop(): Promise<string[]>;
  /** Ends all at once. */
  end(): Promise<void>;
  ownEnds: OwnEnd[];
  listensMs: number[];
  readyMs: number[];
  /** Starts after which a node did not call itself ready in two minutes, though nobody killed it. */
  neverReady: string[];
  /** The most memory of each node, in MiB. */
  memory: ReadonlyMap<string, number>;
  /** How many processes of the machine wanted to run at once, now and then. */
  machineLoads: number[];
};

export type FleetNeeds = { folder: string; roles: readonly NodeRole[]; ports: readonly number[]; env: Record<string, string> };

const ownEndPauseMs = 500;
const memoryEveryMs = 2_000;

export function createFleet({ folder, roles, ports, env }: FleetNeeds): Fleet {
  const ownEnds: OwnEnd[] = [];
  const listensMs: number[] = [];
  const readyMs: number[] = [];
  const neverReady: string[] = [];
  const memory = new Map<string, number>();
  const machineLoads: number[] = [];
  const starting = new Set<Promise<void>>();
  let isEnding = false;

  const counts = { gateway: 0, worker: 0, both: 0 };
  const nodes = roles.map((role, place): ClusterNode => {
    const name = `${role}-${++counts[role]}`;
    return createNode({
      name,
      role,
      port: ports[place] ?? 0,
      folder,
      env,
      onEnd(how) {
        ownEnds.push({ node: name, at: Date.now(), ...how });
        startLater(place, ownEndPauseMs);
      },
      onStart({ listens, ready }) {
        listensMs.push(listens);
        if (ready === null) neverReady.push(`${name}, which answered after ${Math.round(listens)} ms`);
        else readyMs.push(ready);
      },
    });
  });

  function startLater(place: number, pauseMs: number): void {
    const started = sleep(pauseMs).then(async () => {
      if (!isEnding && nodes[place]?.pid() === null) await nodes[place].launch();
    });
    starting.add(started);
    void started.finally(() => starting.delete(started));
  }

  const look = setInterval(() => {
    machineLoads.push(loadavg()[0] ?? 0);
    for (const node of nodes) {
      const pid = node.pid();
      const size = pid === null ? 0 : residentMiB(pid);
      if (size > (memory.get(node.name) ?? 0)) memory.set(node.name, size);
    }
  }, memoryEveryMs);

  async function settle(): Promise<void> {
    while (starting.size > 0) await Promise.all(starting);
  }

  return {
    nodes,
    ownEnds,
    listensMs,
    readyMs,
    neverReady,
    memory,
    machineLoads,
    settle,
    async start() {
      await Promise.all(nodes.map((node) => node.launch()));
      const silent = nodes.filter((node) => !node.isUp());
      if (silent.length > 0) throw new Error(`did not start: ${silent.map(({ name, logFile }) => `${name} (${logFile})`).join(", ")}`);
    },
    async kill(place, pauseMs) {
      const inTurn = [...nodes.keys()].map((step) => (place + step) % nodes.length);
      const chosen = inTurn.find((one) => nodes[one]?.pid() !== null);
      const node = chosen === undefined ? undefined : nodes[chosen];
      if (chosen === undefined || node === undefined) return null;
      const at = Date.now();
      await node.kill();
      startLater(chosen, pauseMs);
      return { node, at };
    },
    async stop() {
      isEnding = true;
      await settle();
      const ends = await Promise.all(nodes.map(async (node) => [node.name, await node.stop()] as const));
      return ends.filter(([, how]) => how !== "exit code 0").map(([name, how]) => `${name}: ${how}`);
    },
    async end() {
      isEnding = true;
      clearInterval(look);
      await settle();
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

/** Ports for so many nodes. */
export async function portsFor(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await quietPort());
  return ports;
}
