import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export type SeenRequest = { method: string; path: string; query: string; headers: Record<string, string | undefined>; body: string };
export type LocalServer = { url: string; seen: SeenRequest[]; close(): Promise<void> };

/** A server that remembers what it is sent, and answers as the test says. */
export async function startServer(
  answer: (request: SeenRequest) => Promise<{ status: number; body?: unknown }> | { status: number; body?: unknown },
): Promise<LocalServer> {
  const seen: SeenRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
    const one = { method: request.method ?? "", path, query, headers, body: await text(request) };
    seen.push(one);
    const { status, body } = await answer(one);
    response.writeHead(status, { "content-type": "application/json" }).end(body === undefined ? "" : JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const { url, close } = await startServer(() => ({ status: 404 }));
  await close();
  return Number(new URL(url).port);
}
