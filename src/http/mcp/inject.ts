import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Send } from "../../client/transport.ts";

/** What belongs to the message that came, not to those that are made of it. */
const ownHeaders = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "idempotency-key",
  "last-event-id",
  "prefer",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Asks the service itself as whoever sent a request: same key, same address, same limits. */
export function askingAs({ headers: came, server, socket }: FastifyRequest): Send {
  const kept = Object.entries(came).flatMap(([name, value]): [string, string | string[]][] =>
    value === undefined || ownHeaders.has(name) || name.startsWith("mcp-") ? [] : [[name, value]],
  );
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const payload = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const response = await server.inject({
      method: request.method === "POST" ? "POST" : request.method === "DELETE" ? "DELETE" : "GET",
      url: pathname + search,
      headers: { ...Object.fromEntries(kept), ...Object.fromEntries(request.headers) },
      ...(payload !== null && { payload }),
      // Never our own address for somebody else's: this machine may do more.
      remoteAddress: socket.remoteAddress ?? "0.0.0.0",
      payloadAsStream: true,
    });
    const stream = response.stream();
    const leave = () => stream.destroy();
    request.signal.addEventListener("abort", leave, { once: true });
    stream.once("close", () => {
      request.signal.removeEventListener("abort", leave);
      // What is still being written hears that nobody reads it.
      response.raw.res.req.socket.emit("close");
    });
    const shown = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = Readable.toWeb(stream);
    return new Response(response.statusCode === 204 ? null : body, { status: response.statusCode, headers: shown });
  };
}
