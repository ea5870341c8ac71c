import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { command } from "./command.ts";
import { CommandError } from "./complaint.ts";

const runLab = command({
  name: "lab",
  takes: ["[OPTIONS]"],
  says: "Run fake upstreams to try a configuration against (in a clone of the project).",
  more: ["Its options go to the lab as they stand, such as --port 8788 --min-seconds 5 --fail-rate 0.1."],
  example: "genway lab --port 8788",
  options: {},
  passesOn: true,
  async run({ words }) {
    // By a computed address: the lab is no part of the published package.
    const place = new URL("../../lab/main.ts", import.meta.url);
    const path = fileURLToPath(place);
    if (!existsSync(path)) throw new CommandError("The lab comes with a clone of the project, not with the package.");
    process.argv.splice(1, Infinity, path, ...words.map(String));
    await import(place.href);
  },
});

export const labCommands = [runLab];
