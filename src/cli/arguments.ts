import { parseArgs } from "node:util";
import { suggest } from "../config/suggestion.ts";
import { errorCode } from "../kit/error-code.ts";
import type { Command, Given, Options } from "./command.ts";
import { UsageError } from "./complaint.ts";

const help = { type: "boolean", short: "h" } as const;

/** Reads what follows the name of a command; throws a UsageError that names what is wrong, or answers "help" when that is asked for. */
export function readArguments(command: Command, args: readonly string[]): Given<Record<string, unknown>, (string | undefined)[]> | "help" {
  if (command.passesOn === true) return args[0] === "--help" || args[0] === "-h" ? "help" : { values: {}, words: [...args] };
  const { values, positionals } = parse(command, args);
  if (values["help"] === true) return "help";
  for (const [name, { required, value = "VALUE" }] of Object.entries(command.options)) {
    if (required === true && values[name] === undefined)
      throw new UsageError(`genway ${command.name} needs --${name} ${value}.`, command.name);
  }
  const missing = command.takes.find((name, index) => !name.startsWith("[") && !positionals[index]?.trim());
  if (missing !== undefined) throw new UsageError(`genway ${command.name} needs ${missing}.`, command.name);
  const extra = positionals[command.takes.length];
  if (extra !== undefined)
    throw new UsageError(`genway ${command.name} does not know what to do with "${extra}"${quoteHint(command)}.`, command.name);
  return { values, words: command.takes.map((_, index) => positionals[index]) };
}

function parse(command: Command, args: readonly string[]): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args: shieldNegatives(args, command.options), options: { ...command.options, help }, allowPositionals: true });
  } catch (error) {
    if (!errorCode(error).startsWith("ERR_PARSE_ARGS") || !(error instanceof Error)) throw error;
    throw new UsageError(parseComplaint(error, command), command.name);
  }
}

function parseComplaint(error: Error, command: Command): string {
  const unknown = errorCode(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? /'(-[^'\s]*)/.exec(error.message)?.[1] : undefined;
  const known = Object.keys(command.options).map((name) => `--${name}`);
  if (unknown !== undefined) return `genway ${command.name} has no option ${unknown}: ${suggest(unknown, known)}`;
  const [sentence = ""] = error.message.split("\n");
  return sentence;
}

/** Lets a negative number be a value or a word, where `parseArgs` would see an option: `credit shop -5`, `--seed -1`. */
function shieldNegatives(args: readonly string[], options: Options): string[] {
  const front: string[] = [];
  const negatives: string[] = [];
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const before = front.at(-1) ?? "";
    if (!/^-\d*\.?\d+$/.test(arg)) front.push(arg);
    else if (options[before.replace(/^--/, "")]?.type === "string") front.splice(-1, 1, `${before}=${arg}`);
    else negatives.push(arg);
  }
  return [...front, "--", ...negatives, ...(end === -1 ? [] : args.slice(end + 1))];
}

function quoteHint({ takes }: Command): string {
  return takes.some((name) => name.includes("PROMPT")) ? ": put the prompt in quotes" : "";
}
