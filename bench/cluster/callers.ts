import { nameOfTry, requestOf, type CallOrder } from "./call-orders.ts";
import { pauseBefore, type Client } from "./client.ts";

/** What became of one try of a call, as its client saw it. */
export type CallOutcome = {
  name: string;
  customer: number;
  operation: "chat" | "embedding";
  /** `lost`: the connection broke; `broken`: a stream ended in an error or without its end. */
  is: "whole" | "broken" | "lost" | "refused";
  /** When the client knew. */
  at: number;
  detail: string;
};

export type CallersNeeds = {
  client: Client;
  seed: number;
  keyOf: (customer: number, key: number) => string;
  /** Whether a customer may be told that its balance is not enough. */
  isPoor: (customer: number) => boolean;
  random: () => number;
};

/** Clients that make a call, and make it anew when it is not answered whole, three times at most. */
export type Callers = { serve(order: CallOrder): Promise<void>; outcomes: CallOutcome[] };

const mostTries = 3;
const patienceMs = 30_000;

export function createCallers({ client, seed, keyOf, isPoor, random }: CallersNeeds): Callers {
  const outcomes: CallOutcome[] = [];

  async function attempt(order: CallOrder, name: string): Promise<{ is: CallOutcome["is"]; detail: string }> {
    const as = order.stream ? "stream" : order.operation;
    const question = {
      as,
      key: keyOf(order.customer, order.key),
      method: "POST" as const,
      ...requestOf(order, name),
      timeoutMs: patienceMs,
    };
    if (order.stream) return follow(question);
    const reply = await client.ask(question);
    if (reply === null) return { is: "lost", detail: "" };
    if (reply.status === 200) return reply.body === null ? { is: "broken", detail: "no JSON" } : { is: "whole", detail: "" };
    return { is: "refused", detail: `${reply.status} ${reply.code}` };
  }

  async function follow(question: Parameters<Client["ask"]>[0]): Promise<{ is: CallOutcome["is"]; detail: string }> {
    const reply = await client.open(question, AbortSignal.timeout(patienceMs));
    if (reply === null) return { is: "lost", detail: "" };
    const text = await reply.text().catch(() => null);
    if (reply.status !== 200) return { is: "refused", detail: `${reply.status}` };
    if (text === null) {
      client.count("stream", "connection lost in a reply");
      return { is: "lost", detail: "in the stream" };
    }
    const isWhole = text.includes("data: [DONE]");
    const error = /^data: .*"error":\{.*$/m.exec(text)?.[0] ?? "without its end";
    client.count("stream", isWhole ? "200" : `200, then ${/"code":"(\w+)"/.exec(error)?.[1] ?? "no end"}`);
    return isWhole ? { is: "whole", detail: "" } : { is: "broken", detail: error.slice(0, 200) };
  }

  return {
    outcomes,
    async serve(order) {
      for (let turn = 1; turn <= mostTries; turn++) {
        const name = nameOfTry(seed, order.n, turn);
        const { is, detail } = await attempt(order, name);
        outcomes.push({ name, customer: order.customer, operation: order.operation, is, at: Date.now(), detail });
        if (is === "whole" || (detail.startsWith("402") && isPoor(order.customer))) return;
        if (detail.startsWith("4")) return client.complain(`call ${name} was answered ${detail}`);
        await pauseBefore(null, random);
      }
    },
  };
}
