#!/usr/bin/env node
// The `genway` command: compiled JavaScript in an installed package, the TypeScript itself in a clone.
import { existsSync } from "node:fs";

const source = "src/cli/genway.ts";
if (existsSync(new URL(source, import.meta.url))) {
  process.argv.splice(2, 0, source);
  await import("./run.mjs");
} else {
  await import("./dist/src/cli/genway.js");
}
