import type { Probed, Provider } from "../../core/provider.ts";
import { liveMint, type Mint } from "../../dialects/mint.ts";
import { lackingEngines } from "../../engines/engine-packages.ts";
import { createLocalCalls } from "./calls.ts";
import { createLocalTasks, type LocalTaskOptions } from "./tasks.ts";

export type LocalOptions = LocalTaskOptions & {
  /** Where converted models are kept between starts. */
  cacheDir: string;
  /** The language model in force, a GGUF file; null: the small one that comes with the packages. */
  modelPath?: () => string | null;
  mint?: Mint;
};

/** The provider that needs no upstream: the built-in generators, under any model name. */
export function createLocalProvider(options: LocalOptions): Provider {
  const { engines, workDir, cacheDir, modelPath = () => null, mint = liveMint } = options;
  const calls = createLocalCalls({ engines, workDir, cacheDir, modelPath, mint });
  return { tasks: createLocalTasks(options), calls, probe: async () => probeEngines() };
}

function probeEngines(): Probed {
  const lacking = lackingEngines();
  if (lacking.length === 0) return { ok: true, says: "Every generator has its packages." };
  const list = lacking.map(({ engine, packages }) => `${engine} (${packages.join(", ")})`).join("; ");
  return { ok: false, says: `Some generators lack packages, which npm install --include=optional brings: ${list}.` };
}
