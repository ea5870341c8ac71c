import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { enginePackages, lackingEngines } from "./engine-packages.ts";

const missing = (name: string): never => {
  throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
};

test("the packages of the generators are the optional ones of this package, all of them", () => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { optionalDependencies: Record<string, string> };
  assert.deepEqual([...new Set(Object.values(enginePackages).flat())].toSorted(), Object.keys(optionalDependencies).toSorted());
});

test("a generator that lacks a package is named with it", () => {
  const found = lackingEngines((name) => (name.startsWith("onnxruntime-node") ? missing(name) : name));
  assert.deepEqual(found, [
    { engine: "speech", packages: ["onnxruntime-node"] },
    { engine: "transcription", packages: ["onnxruntime-node"] },
  ]);
  assert.deepEqual(
    lackingEngines((name) => name),
    [],
  );
  const odd = () => {
    throw Object.assign(new Error("no main"), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
  };
  assert.deepEqual(lackingEngines(odd), [], "a package without an entry is there");
});
