import { fromJsonSchema, McpServer, type CallToolResult, type ServerContext } from "@modelcontextprotocol/server";
import { GenwayError, type Client, type TaskRecord } from "../../client/client.ts";
import { callTools } from "./call-tools.ts";
import { generateTools } from "./generate-tools.ts";
import { infoTools } from "./info-tools.ts";
import { taskTools } from "./task-tools.ts";
import type { Bench, Tool } from "./tool.ts";

const tools: readonly Tool[] = [...infoTools, ...generateTools, ...callTools, ...taskTools];

const instructions =
  "Genway makes video, music, lyrics, pictures, speech and text with the models that its operator configured. What takes long is a task: " +
  "the tools that make something answer with its result or, when it takes longer, with a task_id for wait_for_task. Files come as links that expire; get_task makes new ones. " +
  "Everything is paid from the account of the key: quote tells a price, get_balance what is left.";

export type McpServerOptions = {
  client: Client;
  version: string;
  readFile: Bench["readFile"];
  /** Fires when the service is about to stop. */
  closing?: AbortSignal;
};

/** A server whose tools do what the service lets this client do. */
export function createMcpServer({ client, version, readFile, closing }: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: "genway", title: "Genway", version },
    { capabilities: { tools: { listChanged: false } }, instructions },
  );
  for (const { name, title, says, input, isReadOnly, run } of tools) {
    const config = { title, description: says, inputSchema: fromJsonSchema(input), annotations: annotationsOf(isReadOnly) };
    server.registerTool(name, config, async (given, context) => {
      const signal = closing === undefined ? context.mcpReq.signal : AbortSignal.any([context.mcpReq.signal, closing]);
      return run(given, { client, signal, readFile, tell: teller(context) }).catch(refusal);
    });
  }
  return server;
}

function annotationsOf(isReadOnly: boolean) {
  return { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: !isReadOnly };
}

/** Progress goes to those who asked for it. */
function teller({ mcpReq }: ServerContext): (task: TaskRecord) => void {
  const { _meta: meta } = mcpReq;
  const token = meta?.progressToken;
  if (token === undefined) return () => undefined;
  let last = -1;
  return ({ status, progress }) => {
    // Progress must grow with every message.
    if (progress <= last) return;
    last = progress;
    const params = { progressToken: token, progress, total: 100, message: status };
    // Whoever has left does not hear it.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** What the service refused, in its own sentence: something for the agent to read, not a fault of the protocol. */
function refusal(error: unknown): CallToolResult {
  if (!(error instanceof GenwayError)) throw error;
  const wait = error.retryAfter === null ? "" : ` Try again in ${error.retryAfter} seconds.`;
  return { content: [{ type: "text", text: `${error.message}${wait} [${error.code}]` }], isError: true };
}
