import { createServer, type IncomingHttpHeaders } from "node:http";
import { eventually } from "./eventually.ts";

export type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: Record<string, unknown> };

/** Where webhooks arrive: remembers each one, and answers as told. */
export type Receiver = {
  url: string;
  received: Received[];
  /** The status for the next messages at a path; 200 unless told. */
  answer(path: string, ...statuses: number[]): void;
  /** The first message at a path that fits, once it is there. */
  next(path: string, fits?: (message: Received) => boolean): Promise<Received>;
  at(path: string): Received[];
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const planned = new Map<string, number[]>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = request.url ?? "/";
    const status = planned.get(path)?.shift() ?? 200;
    received.push({ path, headers: request.headers, text, body: JSON.parse(text) as Record<string, unknown> });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const at = (path: string) => received.filter((message) => message.path === path);
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    received,
    answer: (path, ...statuses) => void planned.set(path, statuses),
    next: (path, fits = () => true) => eventually(() => at(path).find(fits), { what: `a message at ${path}` }),
    at,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
