import { join } from "node:path";
import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** An agent with one MCP connection. */
export type Agent = {
  tools(): Promise<{ name: string; description?: string | undefined; inputSchema: object }[]>;
  call(name: string, given?: Record<string, unknown>, onProgress?: (progress: number) => void): Promise<Answer>;
  end(): Promise<void>;
};

export type Answer = { isError: boolean; text: string; content: CallToolResult["content"] };

/** Speaks to `/mcp` of a service. */
export async function httpAgent(url: string, key: string | null, headers: Record<string, string> = {}): Promise<Agent> {
  const shown = { ...headers, ...(key !== null && { authorization: `Bearer ${key}` }) };
  return agentOver(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: shown } }));
}

/** Starts `genway mcp` and speaks to it. */
export async function stdioAgent(args: readonly string[], env: Record<string, string>): Promise<Agent> {
  const script = join(import.meta.dirname, "../../src/cli/genway.ts");
  return agentOver(
    new StdioClientTransport({
      command: process.execPath,
      args: [script, "mcp", ...args],
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stderr: "ignore",
    }),
  );
}

async function agentOver(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Agent> {
  const client = new Client({ name: "a test", version: "1.0.0" });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, given = {}, onProgress) {
      const options = { timeout: 60_000, ...(onProgress && { onprogress: ({ progress }: { progress: number }) => onProgress(progress) }) };
      const { isError = false, content } = await client.callTool({ name, arguments: given }, options);
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
      return { isError, text, content };
    },
    end: () => client.close(),
  };
}
