import type { CrashReport } from "./crash-run.ts";

const shownCases = 10;

/** A report as text: the figures, then one line for each promise, with the first cases in which it was broken. */
export function describeReport({ seed, verdicts, figures, folder }: CrashReport): string {
  const rows = Object.entries({ seed, ...figures }).map(([name, value]) => `${name.padEnd(38)} ${value}`);
  const promises = verdicts.flatMap(({ promise, counted, broken }) => [
    `${broken.length === 0 ? "ok    " : "BROKEN"} ${promise.padEnd(38)} ${broken.length} of ${counted}`,
    ...broken.slice(0, shownCases).map((one) => `         ${one}`),
  ]);
  return [...rows, "", ...promises, ...(folder === null ? [] : ["", `database and log: ${folder}`])].join("\n");
}
