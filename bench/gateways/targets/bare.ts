import { startModule } from "../child.ts";
import type { Target } from "../target.ts";

export const bare: Target = {
  name: "bare",
  title: "bare proxy",
  about: "Fastify and undici on the same Node, one JSON.parse, nothing else: no keys, no limits, no metering",
  async start(upstreamPort) {
    const child = await startModule(new URL("../bare-proxy.ts", import.meta.url), [`http://127.0.0.1:${upstreamPort}`]);
    return { ...child, headers: {}, trouble: () => (child.hasEnded() ? child.lastWords() : null) };
  },
};
