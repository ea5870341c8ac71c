/** Where a setting stands: names of settings and positions in lists, from the top of the file. */
export type Path = readonly (string | number)[];

export type Place = { line: number; column: number };

/** One thing that is wrong; line and column are null where no file is involved. */
export type Problem = { file: string; line: number | null; column: number | null; path: string; says: string };

/** Notes a problem, unless one is noted at that path or above it: the later one would only follow from the first. */
export type Report = (path: Path, says: string) => void;

/** The configuration is wrong; the message lists every problem, one a line. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(renderProblems(problems));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Gathers the problems of one file, or of the environment. */
export function collectProblems(file: string, placeOf: (path: Path) => Place | null): { problems: () => Problem[]; report: Report } {
  const found = new Map<string, Problem>();
  return {
    problems: () => [...found.values()].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    report: (path, says) => {
      if (path.some((_, index) => found.has(JSON.stringify(path.slice(0, index))))) return;
      const key = JSON.stringify(path);
      const { line, column } = placeOf(path) ?? { line: null, column: null };
      if (!found.has(key)) found.set(key, { file, line, column, path: renderPath(path), says });
    },
  };
}

function renderProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map(({ file, line, column, path, says }) => {
    const place = line === null ? file : `${file}:${line}:${column}`;
    return `  ${place}  ${path === "" ? "" : `${path}: `}${says}`;
  });
  return [`The configuration is refused (${count}):`, ...lines].join("\n");
}

function renderPath(path: Path): string {
  return path.reduce<string>((text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`), "");
}
