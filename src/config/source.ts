import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { collectProblems, type Path, type Place, type Problem, type Report } from "./problems.ts";

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A configuration file as plain values that know their places; `undefined` stands for what was left empty. */
export type Source = {
  value: unknown;
  report: Report;
  /** What is wrong; what came out of the environment is shown by the name it has there. */
  problems(): Problem[];
  /** The line that something stands on. */
  lineOf(path: Path): number | null;
  /** A number as it was written, before it became a binary fraction. */
  written(path: Path): string | undefined;
};

/** Reads YAML and puts environment variables in; whatever is wrong becomes one of the source's problems. */
export function readSource(file: string, text: string, env: Variables): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2" });
  const places = new Map<string, Place>();
  const numbers = new Map<string, string>();
  const taken = new Map<string, string>();
  const { report, problems } = collectProblems(file, (path) => nearestPlace(places, path));
  const note = (path: Path, offset: number): void => {
    const { line, col } = lines.linePos(offset);
    places.set(JSON.stringify(path), { line, column: col });
  };
  // After the first error of syntax everything is guesswork.
  const [broken] = document.errors;
  note([], broken?.pos[0] ?? 0);
  if (broken !== undefined) report([], `not valid YAML: ${broken.message}`);
  const resolve: Reading["resolve"] = (node) => (isAlias(node) ? node.resolve(document) : node);
  const value = broken === undefined ? readNode(document.contents, [], { env, note, numbers, taken, report, resolve }) : undefined;
  return {
    value,
    report,
    problems: () => problems().map((problem) => ({ ...problem, says: withNames(problem.says, taken) })),
    written: (path) => numbers.get(JSON.stringify(path)),
    lineOf: (path) => places.get(JSON.stringify(path))?.line ?? null,
  };
}

type Reading = {
  env: Variables;
  note: (path: Path, offset: number) => void;
  numbers: Map<string, string>;
  /** Values of the environment that were put in, with their names. */
  taken: Map<string, string>;
  report: Report;
  resolve: (node: unknown) => unknown;
};

function readNode(node: unknown, path: Path, reading: Reading): unknown {
  if (isAlias(node)) return readAlias(node, path, reading);
  if (isMap(node)) return Object.fromEntries(node.items.map((pair) => readEntry(pair, path, reading)));
  if (isSeq(node)) return node.items.map((item, index) => readItem(item, [...path, index], reading));
  if (!isScalar(node) || node.value === null) return undefined;
  if (typeof node.value === "number") reading.numbers.set(JSON.stringify(path), node.source ?? String(node.value));
  return typeof node.value === "string" ? substitute(node.value, path, reading) : node.value;
}

// One step only: an alias that leads to aliases can grow without end.
function readAlias(node: unknown, path: Path, reading: Reading): unknown {
  const refuse = (): void => reading.report(path, "an alias may not lead to another alias");
  return readNode(reading.resolve(node), path, { ...reading, resolve: refuse });
}

function readEntry({ key, value }: { key: unknown; value: unknown }, path: Path, reading: Reading): [string, unknown] {
  const name = isScalar(key) ? String(typeof key.value === "string" ? key.value : (key.source ?? key.value)) : "?";
  const here = [...path, name];
  reading.note(here, startOf(key));
  return [name, readNode(value, here, reading)];
}

function readItem(item: unknown, path: Path, reading: Reading): unknown {
  reading.note(path, startOf(item));
  return readNode(item, path, reading);
}

function startOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

function nearestPlace(places: Map<string, Place>, path: Path): Place | null {
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(JSON.stringify(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return null;
}

const shortestSecret = 4;

/** Keys come out of the environment, and whoever reads what is wrong need not know them. */
function withNames(says: string, taken: ReadonlyMap<string, string>): string {
  let shown = says;
  for (const [value, name] of taken) shown = shown.replaceAll(value, `\${${name}}`);
  return shown;
}

const reference = /\$\$\{|\$\{([^}]*)(\}?)/g;

function substitute(text: string, path: Path, { env, taken, report }: Reading): string {
  const missing: string[] = [];
  const whole = text.replaceAll(reference, (found: string, name: string | undefined, end: string | undefined) => {
    if (name === undefined) return "${";
    if (end === "" || !/^[A-Za-z_]\w*$/.test(name))
      report(path, "holds a ${ that names no environment variable: write ${NAME}, or $${ for the characters themselves");
    const value = env[name];
    if (value === undefined || value === "") missing.push(name);
    else if (value.length >= shortestSecret) taken.set(value, name);
    return value ?? found;
  });
  if (missing.length > 0) report(path, `needs the environment variable ${missing.join(" and ")}, which is not set`);
  return whole;
}
