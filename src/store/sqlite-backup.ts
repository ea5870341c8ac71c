import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Writes the database as it is beside itself, under the first number that is free. */
export function backUp(database: DatabaseSync, file: string): void {
  let n = 1;
  while (existsSync(`${file}.backup-${n}`)) n++;
  database.exec(`vacuum into '${file.replaceAll("'", "''")}.backup-${n}'`);
}
