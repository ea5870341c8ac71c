import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

export type Heard = { status: string; times: number; bodies: Set<string> };

/** A client's end of the webhooks: checks signatures and tells messages apart by their ids. */
export type Receiver = {
  urlOf(n: number): string;
  /** What came for an order, by webhook-id. */
  heard(n: number): Map<string, Heard>;
  /** Messages in all, repetitions included. */
  count(): number;
  badSignatures: string[];
  close(): Promise<void>;
};

export type ReceiverNeeds = { random: () => number; secretOf: (n: number) => string };

/** Starts a receiver; one message in twelve is answered 500 at its first try. */
export async function startReceiver({ random, secretOf }: ReceiverNeeds): Promise<Receiver> {
  const orders = new Map<number, Map<string, Heard>>();
  const badSignatures: string[] = [];
  let count = 0;

  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      if (body === null) return;
      count++;
      const n = Number(request.url?.split("/").at(-1));
      const id = String(request.headers["webhook-id"]);
      if (!isSigned(request, body, secretOf(n))) badSignatures.push(`order ${n}, message ${id}`);
      const messages = orders.get(n) ?? new Map<string, Heard>();
      orders.set(n, messages);
      const before = messages.get(id);
      // A message counts when it is answered 2xx: the sender must repeat the others.
      if (before === undefined && random() < 1 / 12) {
        messages.set(id, { status: statusIn(body), times: 0, bodies: new Set([body]) });
        response.writeHead(500).end();
        return;
      }
      messages.set(id, { status: statusIn(body), times: (before?.times ?? 0) + 1, bodies: new Set([...(before?.bodies ?? []), body]) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    urlOf: (n) => `http://127.0.0.1:${port}/hook/${n}`,
    heard: (n) => orders.get(n) ?? new Map(),
    count: () => count,
    badSignatures,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Null when the sender was killed before its message was complete. */
async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString();
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const sum = createHmac("sha256", key).update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${sum}`);
}

/** The task's state, whether the message is the plain record or an event around it. */
function statusIn(body: string): string {
  const message = JSON.parse(body) as { status?: string; data?: { status?: string } };
  return message.status ?? message.data?.status ?? "none";
}
