import { readFileSync } from "node:fs";
import type { Verdict } from "../../test/crash/audit.ts";

/** Deadlocks that PostgreSQL had to break, each a second in which nobody got on; the statements that met. */
export function deadlocksIn(log: string): string[] {
  const parts = log.split(/^(?=\d{4}-\d\d-\d\d )/m);
  return parts.flatMap((part, place) => {
    if (!part.includes("ERROR:  deadlock detected")) return [];
    const detail = parts[place + 1] ?? "";
    const statements = [...detail.matchAll(/^\s+Process \d+: (.*)$/gm)].map(([, statement = ""]) => shortened(statement));
    return [`${part.slice(11, 23)} ${statements.join(" <> ")}`];
  });
}

function shortened(statement: string): string {
  return statement.replaceAll(/(\$\d+, )+/g, "…").slice(0, 120);
}

export function deadlockVerdict(logFile: string, transactions: number): Verdict {
  return { promise: "deadlocks in the database", counted: transactions, broken: deadlocksIn(readFileSync(logFile, "utf8")) };
}
