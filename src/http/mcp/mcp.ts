import { Failure } from "../../core/errors.ts";
import { isFromThisMachine } from "../auth.ts";
import { mebibyte, operation, type Ask } from "../operation.ts";
import type { HttpSettings, Services } from "../services.ts";
import { askingAs } from "./inject.ts";

const callMcp = operation({
  method: "POST",
  url: "/mcp",
  tag: "mcp",
  summary: "Use the service as an MCP server (streamable HTTP, JSON-RPC)",
  errors: "plain",
  auth: "client",
  isUncounted: true,
  bodyLimit: 32 * mebibyte,
  async run(ask, services) {
    refuseForeignPage(ask, services.settings());
    if (typeof ask.body !== "object" || ask.body === null)
      throw new Failure("invalid_request", { says: "Send a message of the Model Context Protocol as JSON." });
    return answerMessage(ask, services);
  },
});

/** A page of elsewhere must not speak to us in the name of whoever looks at it. */
function refuseForeignPage({ request }: Ask<unknown, unknown, unknown>, { cors, publicUrl }: HttpSettings): void {
  const { origin } = request.headers;
  if (origin === undefined || isFromThisMachine(request)) return;
  const known = [...cors, ...(publicUrl === null ? [] : [new URL(publicUrl).origin])];
  if (origin === "null" || !(known.includes(origin) || known.includes("*")))
    throw new Failure("not_allowed", { says: "Pages of this origin may not use this address." });
}

/** Each message gets a server of its own, which asks our operations as whoever sent it. */
async function answerMessage({ request, reply, base }: Ask<unknown, unknown, unknown>, services: Services): Promise<Response> {
  // Behind these imports is a library that nobody needs before the first message.
  const [{ createMcpHandler }, { createMcpServer }, { createClient }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("./mcp-server.ts"),
    import("../../client/client.ts"),
  ]);
  const client = createClient({ baseUrl: "http://genway", fetch: askingAs(request), retries: 0 });
  const left = new AbortController();
  const handler = createMcpHandler(
    () => createMcpServer({ client, version: services.version, readFile: null, closing: services.closing }),
    {
      // The tools stay as they are: there is nothing to hold a stream open for.
      maxSubscriptions: 0,
      onerror: (error) => services.log.warn({ err: error, request: request.id }, "an MCP message could not be served"),
    },
  );
  reply.raw.once("close", () => {
    left.abort();
    void handler.close();
  });
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === "content-length" ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const message = new Request(`${base}/mcp`, { method: "POST", headers, body: JSON.stringify(request.body), signal: left.signal });
  return handler.fetch(message, { parsedBody: request.body });
}

export const mcpOperations = [callMcp];
