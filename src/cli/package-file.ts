import { readFileSync } from "node:fs";
import { Type, type Static } from "typebox";
import { fitting } from "../config/shape.ts";

const PackageFile = Type.Object({
  version: Type.String(),
  engines: Type.Object({ node: Type.String() }),
  optionalDependencies: Type.Record(Type.String(), Type.String()),
});

/** What this package says about itself. */
export function readPackageFile(): Static<typeof PackageFile> {
  // One folder deeper in the published package, where the code lies under dist.
  for (const place of ["../../package.json", "../../../package.json"]) {
    const found = fitting(PackageFile, readJson(new URL(place, import.meta.url)));
    if (found !== undefined) return found;
  }
  throw new Error("the package.json of Genway is not where it should be");
}

function readJson(place: URL): unknown {
  try {
    return JSON.parse(readFileSync(place, "utf8"));
  } catch {
    return undefined;
  }
}
