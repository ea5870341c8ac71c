import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type StubRequest = { path: string; headers: IncomingHttpHeaders; text: string };

/** An upstream that remembers what it was sent and gives the same reply to everything. */
export type StubUpstream = {
  /** Its entry under `providers:`, by the name of `stub`. */
  provider: string;
  requests: StubRequest[];
  /** What it answers from now on: an object as JSON, a string as events. */
  answer(reply: object | string): void;
  end(): Promise<void>;
};

export async function startStubUpstream(type = "openai-compatible"): Promise<StubUpstream> {
  const requests: StubRequest[] = [];
  let reply: object | string = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    requests.push({ path: request.url ?? "", headers: request.headers, text: Buffer.concat(chunks).toString() });
    const isJson = typeof reply === "object";
    response.writeHead(200, { "content-type": isJson ? "application/json" : "text/event-stream", "x-secret": "the upstream's own" });
    response.end(isJson ? JSON.stringify(reply) : reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    provider: `stub: { type: ${type}, base_url: "http://127.0.0.1:${port}/v1", keys: ["stub-key"], allow_private_network: true }`,
    requests,
    answer: (next) => void (reply = next),
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
