import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { loadPackage } from "../optional-package.ts";

type TensorData = Float32Array | BigInt64Array | Uint8Array;

/** Numbers with a shape, as a model takes and gives them. */
export type Tensor = { readonly type: "float32" | "int64" | "bool"; readonly data: TensorData; readonly dims: readonly number[] };

/** A neural network in memory. */
export type OnnxModel = {
  /** Runs it once; only the outputs that are asked for are computed and given back. */
  run(inputs: Record<string, Tensor>, outputs: readonly string[]): Promise<Record<string, Tensor>>;
};

/** The part of onnxruntime-node that is used here: that package comes without declarations. */
type Runtime = {
  Tensor: new (type: Tensor["type"], data: TensorData, dims: readonly number[]) => Tensor;
  InferenceSession: { create(path: string, options: Record<string, unknown>): Promise<OnnxModel> };
};

/** One processor is left to the gateway: a model whose threads must wait for one another gets slower, not faster. */
const threads = Math.max(1, Math.min(2, availableParallelism() - 1));
const onlyErrors = 3;

/** `keepsMemory`: what a run needed is kept for the next, which pays where runs are many and small. */
export async function openOnnxModel(path: string, { keepsMemory }: { keepsMemory: boolean }): Promise<OnnxModel> {
  const { Tensor, InferenceSession } = await loadRuntime();
  const session = await InferenceSession.create(path, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    enableCpuMemArena: keepsMemory,
    logSeverityLevel: onlyErrors,
  });
  return {
    run(inputs, outputs) {
      const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]);
      return session.run(Object.fromEntries(feeds), outputs);
    },
  };
}

export function floatTensor(data: Float32Array, dims: readonly number[]): Tensor {
  return { type: "float32", data, dims };
}

export function wholeTensor(values: readonly number[], dims: readonly number[]): Tensor {
  return { type: "int64", data: BigInt64Array.from(values, BigInt), dims };
}

export function flagTensor(flag: boolean): Tensor {
  return { type: "bool", data: Uint8Array.of(flag ? 1 : 0), dims: [1] };
}

/** The numbers of an output that must be there. */
export function readFloats(outputs: Record<string, Tensor>, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`the model gave no numbers named ${name}`);
  return data;
}

function loadRuntime(): Promise<Runtime> {
  return loadPackage("onnxruntime-node", async (): Promise<Runtime> => createRequire(import.meta.url)("onnxruntime-node"));
}
