import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

export type StubRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };
export type StubReply = { status?: number; headers?: Record<string, string>; body?: unknown };

/** An upstream without a wire of its own: remembers what it is sent, and answers what the test says. */
export async function createStub(
  answer: (request: StubRequest) => StubReply,
): Promise<{ url: string; requests: StubRequest[]; close(): Promise<void> }> {
  const requests: StubRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const seen: StubRequest = { method, url, headers, body: text === "" ? undefined : isJson(headers) ? JSON.parse(text) : text };
    requests.push(seen);
    const { status = 200, headers: extra, body } = answer(seen);
    response.writeHead(status, extra).end(body === undefined ? "" : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isJson({ "content-type": type = "" }: IncomingHttpHeaders): boolean {
  return type.startsWith("application/json");
}
