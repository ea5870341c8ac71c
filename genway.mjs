#!/usr/bin/env node
// The `genway` command: the TypeScript itself in a clone, compiled JavaScript in an installed package.
import { existsSync, readFileSync } from "node:fs";

const source = "src/cli/genway.ts";
if (existsSync(new URL(source, import.meta.url))) {
  process.argv.splice(2, 0, source);
  await import("./run.mjs");
} else {
  const least = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).engines.node.replace(">=", "");
  const [here, needed] = [process.versions.node, least].map((version) => version.split(".").map(Number));
  if (here[0] < needed[0] || (here[0] === needed[0] && here[1] < needed[1])) {
    process.stderr.write(`genway: Node ${process.versions.node} is too old; install Node ${least} or later\n`);
    process.exit(1);
  }
  await import("./dist/src/cli/genway.js");
}
