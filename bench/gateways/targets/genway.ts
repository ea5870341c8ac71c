import { readRunFile } from "../../../src/config/run-file.ts";
import { startService, type BenchService } from "../../service.ts";
import { models } from "../exchange.ts";
import type { Target } from "../target.ts";

/** Far above what the load reaches: every limit is counted, none is met. */
const limits = { requests_per_minute: 100_000_000, tokens_per_minute: 1_000_000_000, concurrent_calls: 100_000 };

export const genway: Target = {
  name: "genway",
  title: "Genway",
  about: "a client key with three limits, a hold and a committed charge for every call",
  async start(upstreamPort) {
    const service = await startService(configuration(upstreamPort));
    const key = await limitedKey(service).catch(async (error: unknown) => {
      await service.stop();
      throw error;
    });
    return {
      port: Number(new URL(service.url).port),
      pid: service.process.pid ?? 0,
      headers: { authorization: `Bearer ${key}` },
      trouble: () => (service.process.exitCode === null ? null : "it ended by itself"),
      stop: () => service.stop(),
    };
  },
};

function configuration(upstreamPort: number): string {
  const entries = Object.values(models).map(
    (name) =>
      `  ${name}: { kinds: [chat, completion], routes: [{ provider: mock }], max_output_tokens: 4096, price: { input_per_million: 0.15, output_per_million: 0.60 } }`,
  );
  return `
providers:
  mock: { type: openai-compatible, base_url: "http://127.0.0.1:${upstreamPort}/v1", keys: ["mock-key"], limits: { concurrent: 10000 }, allow_private_network: true }
models:
${entries.join("\n")}
`;
}

async function limitedKey({ url, dataDir }: BenchService): Promise<string> {
  const account = await admin(dataDir, `${url}/admin/v1/accounts`, { name: "bench", credit_usd: 100_000 });
  const { key } = await admin(dataDir, `${url}/admin/v1/keys`, { account: account["id"], name: "bench", ...limits });
  return key ?? "";
}

async function admin(dataDir: string, url: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${readRunFile(dataDir)?.token}`, "content-type": "application/json" };
  const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${new URL(url).pathname} answered ${reply.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Record<string, string>;
}
