import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { alignColumns } from "./table.ts";

/** The help that lists commands: all of them, or those of a group. */
export function listHelp(listed: readonly Command[] = commands): string {
  const rows = listed.map((command) => [`genway ${[command.name, ...command.takes].join(" ")}`, command.says]);
  return [
    "Genway: one service in front of every provider of video, music and more.",
    "",
    "Commands",
    ...indented(rows),
    "",
    "genway help COMMAND tells its options; genway --version the version.",
  ].join("\n");
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, takes, says, more = [], example, options } = command;
  const needed = Object.entries(options).flatMap(([option, { required, value }]) =>
    required === true ? [`--${option} ${value ?? ""}`] : [],
  );
  const isOptional = Object.values(options).some(({ required }) => required !== true);
  const usage = ["genway", name, ...takes, ...needed, ...(isOptional ? ["[options]"] : [])].join(" ");
  const rows = Object.entries(options).map(([option, { short, value, says: meaning }]) => [
    `${short === undefined ? "" : `-${short}, `}--${option}${value === undefined ? "" : ` ${value}`}`,
    meaning,
  ]);
  const optionLines = rows.length === 0 ? [] : ["", "Options", ...indented(rows)];
  return [usage, "", says, ...more, ...optionLines, "", "Example", `  ${example}`].join("\n");
}

function indented(rows: readonly (readonly string[])[]): string[] {
  return alignColumns(rows).map((line) => `  ${line}`);
}
