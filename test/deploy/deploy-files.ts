import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { Environment } from "../../src/config/schema.ts";

const root = join(import.meta.dirname, "../..");

/** Where a file of the project is. */
export const placeOf = (file: string): string => join(root, file);

export const textOf = (file: string): string => readFileSync(placeOf(file), "utf8");

/** The only document of a YAML file, merge keys followed. */
export const yamlOf = (file: string) => parse(textOf(file), { merge: true, uniqueKeys: true });

/** What keeps a text from being YAML: errors and warnings of the parser. */
export function yamlProblems(text: string): string[] {
  const documents = parseAllDocuments(text, { merge: true, uniqueKeys: true });
  return [...documents].flatMap(({ errors, warnings }) => [...errors, ...warnings].map(({ message }) => message));
}

/** Every YAML file under deploy but the templates of the chart, which become YAML only by Helm. */
export const yamlFiles: readonly string[] = globSync("deploy/**/*.yaml", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.includes("/templates/"))
  .toSorted();

export const packageFile: { version: string; license: string; description: string; engines: { node: string } } = JSON.parse(
  textOf("package.json"),
);

/** The variables that some part of the service reads, whatever the configuration file refers to. */
export const knownVariables: ReadonlySet<string> = new Set([
  ...Object.keys(Environment.properties),
  "GENWAY_MASTER_KEY",
  "GENWAY_ROLE",
  "LOG_LEVEL",
  "NODE_ENV",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
]);

/** The ${NAMES} that a text refers to, comments left out. */
export function variablesIn(text: string): string[] {
  const spoken = text.replaceAll(/^\s*#.*$/gm, "");
  return [...new Set([...spoken.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name))];
}

// Servers often lie where only root looks for programs.
const everywhere = [process.env["PATH"], "/usr/local/sbin", "/usr/sbin"].join(delimiter);

/** Whether a program of the machine can be started with these arguments. */
export const runs = (program: string, ...args: string[]): boolean => runProgram(program, args).status === 0;

/** Runs a program of the machine to its end. */
export function runProgram(program: string, args: readonly string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env: { ...process.env, PATH: everywhere } });
  return { status, said: stdout + stderr };
}

/** Starts a program of the machine, with nothing but these variables. */
export function startProgram(program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(program, args, { env: { ...env, PATH: everywhere }, stdio: ["ignore", "ignore", "pipe"] });
}
