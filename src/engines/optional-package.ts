import { errorCode } from "../kit/error-code.ts";
import { EngineError } from "./engine-error.ts";

/** Imports a package that may not be installed; the error names it and says how to get it. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const absent = errorCode(cause).endsWith("MODULE_NOT_FOUND");
    const what = absent ? "is not installed" : "could not be loaded";
    throw new EngineError("missing", `The package '${name}' ${what}: install it with npm install ${name}.`, cause);
  }
}
