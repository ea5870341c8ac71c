import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Keeps a second process out of a data folder; the system lets go of it even after kill -9. */
export function lockFolder(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, "genway.lock"), { timeout: 0 });
  try {
    lock.exec("pragma locking_mode=exclusive; begin exclusive");
  } catch (cause) {
    lock.close();
    throw new Error(`Another Genway is running on the data folder ${dataDir}. Stop it, or set GENWAY_DATA_DIR to another folder.`, {
      cause,
    });
  }
  return lock;
}
