import { keepNurserySmall } from "./nursery.ts";
import { accountCommands } from "./account.ts";
import { adminKeyCommands } from "./admin-key.ts";
import { command, type Command } from "./command.ts";
import { doctorCommands } from "./doctor.ts";
import { generateCommands } from "./generate.ts";
import { keyCommands } from "./key.ts";
import { labCommands } from "./lab.ts";
import { mcpCommands } from "./mcp.ts";
import { migrateCommands } from "./migrate.ts";
import { providerCommands } from "./provider.ts";
import { taskCommands } from "./task.ts";

const startCommand = command({
  name: "start",
  takes: [],
  says: "Run the service until it is stopped.",
  more: ["Environment variables and genway.yaml configure it: see docs/configure.md."],
  example: "PORT=9000 genway start",
  options: {
    workers: {
      type: "string",
      value: "N|auto",
      says: "processes that serve together, on PostgreSQL (GENWAY_WORKERS); auto: one for each processor",
    },
  },
  async run({ values }) {
    // The whole service is behind this import; no other command waits for it.
    keepNurserySmall();
    const { start } = await import("./start.ts");
    await start(values.workers);
  },
});

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  startCommand,
  ...generateCommands,
  ...mcpCommands,
  ...accountCommands,
  ...keyCommands,
  ...taskCommands,
  ...providerCommands,
  ...adminKeyCommands,
  ...doctorCommands,
  ...migrateCommands,
  ...labCommands,
];

/** The command that a line begins with, and what follows its name; null when it begins with none. */
export function findCommand(args: readonly string[]): { command: Command; rest: string[] } | null {
  for (const length of [2, 1]) {
    const found = commands.find(({ name }) => name === args.slice(0, length).join(" "));
    if (found !== undefined) return { command: found, rest: args.slice(length) };
  }
  return null;
}

/** The commands of a group such as `key`. */
export function commandsOf(group: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}
