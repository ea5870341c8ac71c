// Makes dist/ for the npm package: JavaScript from the TypeScript, because Node does not strip types inside node_modules,
// and beside it every other file the code reads.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tsc = join(root, "node_modules/typescript/bin/tsc");
rmSync(join(root, "dist"), { recursive: true, force: true });
run("scripts/describe-api.ts");
run(tsc, "-p", "tsconfig.build.json");
// Other programs see the types of the client alone, and the description that they are made from.
run(tsc, "-p", "tsconfig.client.json");
run("scripts/build-console.mjs");
cpSync(join(root, "console/dist"), join(root, "dist/console"), { recursive: true });
cpSync(join(root, "generated"), join(root, "dist/generated"), { recursive: true });
for (const folder of ["src", "lab"]) {
  cpSync(join(root, folder), join(root, "dist", folder), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !path.endsWith(".ts"),
  });
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
