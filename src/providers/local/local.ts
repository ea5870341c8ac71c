import type { Provider } from "../../core/provider.ts";
import { liveMint, type Mint } from "../../dialects/mint.ts";
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
  return { tasks: createLocalTasks(options), calls: createLocalCalls({ engines, workDir, cacheDir, modelPath, mint }) };
}
