import { openAsBlob } from "node:fs";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { createClient, GenwayError } from "../client/client.ts";
import { errorCode } from "../kit/error-code.ts";
import { ownKey } from "./command-line-key.ts";
import { command, gatewayOptions } from "./command.ts";
import { findGateway } from "./connection.ts";
import { readPackageFile } from "./package-file.ts";
import type { Shell } from "./shell.ts";

const serveMcp = command({
  name: "mcp",
  takes: [],
  says: "Be an MCP server on stdin and stdout, for agents on this machine.",
  more: [
    "The key is --key, else GENWAY_KEY. Without either, beside a service on this machine's data folder, the command makes",
    "a key of its own and keeps it there. docs/mcp.md tells how agents are configured.",
  ],
  example: "genway mcp --url https://genway.example --key gw_…",
  options: { key: { type: "string", value: "KEY", says: "a client key (GENWAY_KEY)" }, ...gatewayOptions },
  run: ({ values }, shell) => serve(shell, values, { input: process.stdin, output: process.stdout }),
});

type Streams = { input: Readable; output: Writable };

/** Serves until the agent closes its end. */
async function serve(
  shell: Shell,
  named: { url?: string | undefined; key?: string | undefined },
  { input, output }: Streams,
): Promise<void> {
  const connection = findGateway(shell, named.url);
  const given = named.key ?? (shell.env["GENWAY_KEY"] || undefined);
  const key = given ?? (connection.isOurs ? (await ownKey(connection)).text : null);
  const client = createClient({ baseUrl: connection.url, key });
  // No other command waits for these.
  const [{ serveStdio, StdioServerTransport }, { createMcpServer }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("../http/mcp/mcp-server.ts"),
  ]);
  const closed = new Promise<void>((end) => void input.once("end", end).once("close", end));
  const server = serveStdio(
    () => createMcpServer({ client, version: readPackageFile().version, readFile: (path) => readFile(shell, path) }),
    {
      transport: new StdioServerTransport(input, output, { maxBufferSize: mostBytes }),
      onerror: (error) => shell.note(error.message),
    },
  );
  shell.note(`Serving ${connection.url} over stdio.`);
  await closed;
  await server.close();
}

/** A recording inside a message, in base64. */
const mostBytes = 48 * 1024 * 1024;

async function readFile({ cwd }: Shell, path: string): Promise<Blob> {
  try {
    return await openAsBlob(resolve(cwd, path));
  } catch (cause) {
    const says = errorCode(cause) === "ENOENT" || errorCode(cause) === "ERR_INVALID_ARG_VALUE" ? "There is no file" : "Cannot read";
    throw new GenwayError(`${says} ${resolve(cwd, path)}.`, { status: 0, code: "invalid_request", param: "audio", cause });
  }
}

export const mcpCommands = [serveMcp];
