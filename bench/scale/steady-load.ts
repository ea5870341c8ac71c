import { Client } from "undici";
import { percentile } from "../service.ts";

export type SteadyLoad = {
  url: string;
  path: string;
  body: object;
  /** Requests take turns over them. */
  keys: readonly string[];
  connections: number;
  perSecond: number;
  forMs: number;
};

export type SteadyMeasured = { count: number; failures: Record<string, number>; p50Ms: number; p99Ms: number };

const tickMs = 5;

/** Sends so many requests a second, whether or not the ones before are answered, over connections that take turns. */
export async function runSteadyLoad({ url, path, body, keys, connections, perSecond, forMs }: SteadyLoad): Promise<SteadyMeasured> {
  const clients = Array.from({ length: connections }, () => new Client(url));
  const text = JSON.stringify(body);
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const ask = async (n: number): Promise<void> => {
    const headers = { authorization: `Bearer ${keys[n % keys.length]}`, "content-type": "application/json" };
    const from = performance.now();
    const outcome = await clients[n % connections]?.request({ method: "POST", path, headers, body: text }).then(
      async (reply) => {
        await reply.body.dump();
        return String(reply.statusCode);
      },
      (error: unknown) => String(error),
    );
    if (outcome === "200") times.push(performance.now() - from);
    else failures[outcome ?? "none"] = (failures[outcome ?? "none"] ?? 0) + 1;
  };
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let now = began; now - began < forMs; now = performance.now()) {
    while (asked.length < ((now - began) / 1_000) * perSecond) asked.push(ask(asked.length));
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  await Promise.all(asked);
  await Promise.all(clients.map((client) => client.close()));
  times.sort((a, b) => a - b);
  return { count: times.length, failures, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
}
