import { suggest } from "../config/suggestion.ts";
import { readArguments } from "./arguments.ts";
import { commands, commandsOf, findCommand } from "./commands.ts";
import { explainFailure, UsageError } from "./complaint.ts";
import { commandHelp, listHelp } from "./help.ts";
import { readPackageFile } from "./package-file.ts";
import type { Shell } from "./shell.ts";

/** Does what a command line says, and answers the exit code: 0 done, 1 could not be done, 2 typed wrong, 130 stopped by Ctrl-C. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<number> {
  try {
    return await run(args, shell);
  } catch (error) {
    const { says, exitCode } = explainFailure(error);
    shell.note(says);
    return exitCode;
  }
}

async function run(args: readonly string[], shell: Shell): Promise<number> {
  const [first = "help"] = args;
  if (first === "--version" || first === "-v") {
    shell.print(readPackageFile().version);
    return 0;
  }
  if (first === "help" || first === "--help" || first === "-h") {
    shell.print(helpAbout(args.slice(1)));
    return 0;
  }
  const found = findCommand(args);
  if (found === null) {
    const group = commandsOf(first);
    if (group.length > 0 && ["--help", "-h"].includes(args[1] ?? "")) {
      shell.print(listHelp(group));
      return 0;
    }
    throw unknownCommand(args);
  }
  const given = readArguments(found.command, found.rest);
  if (given === "help") {
    shell.print(commandHelp(found.command));
    return 0;
  }
  return (await found.command.run(given, shell)) ?? 0;
}

function helpAbout(words: readonly string[]): string {
  const [first] = words;
  if (first === undefined) return listHelp();
  const found = findCommand(words);
  if (found !== null) return commandHelp(found.command);
  const group = commandsOf(first);
  if (group.length === 0 || words.length > 1) throw unknownCommand(words);
  return listHelp(group);
}

function unknownCommand([first = "", second]: readonly string[]): UsageError {
  if (first.startsWith("-")) return new UsageError(`genway ${first}: the name of a command comes first.`);
  const group = commandsOf(first).map(({ name }) => name.slice(first.length + 1));
  if (group.length === 0) {
    const known = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? "")), "help"];
    return new UsageError(`There is no command "${first}": ${suggest(first, known)}`);
  }
  if (second === undefined || second.startsWith("-")) return new UsageError(`genway ${first} needs one of: ${group.join(", ")}.`, first);
  return new UsageError(`There is no command "${first} ${second}": ${suggest(second, group)}`, first);
}
