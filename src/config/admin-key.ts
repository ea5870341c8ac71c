import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashKey, sameHash } from "../core/accounts.ts";
import { randomText } from "../kit/ids.ts";

const fileName = "admin-key.sha256";

/** Makes a new admin key; its hash is kept in the data folder, its text is returned this once. */
export function makeAdminKey(dataDir: string): string {
  const text = `gwa_${randomText(48)}`;
  // With the tables elsewhere nobody has made the folder yet.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, fileName), `${hashKey(text)}\n`, { mode: 0o600 });
  return text;
}

export type AdminLock = {
  exists(): boolean;
  opensFor(text: string): boolean;
  /** Changes with the key, and does not give it away. */
  mark(): string;
};

/** Knows the admin key by its hash: the environment's, else the data folder's, which may be made anew while we run. */
export function createAdminLock(dataDir: string, given: string | null): AdminLock {
  const file = join(dataDir, fileName);
  let seen = { changedMs: -1, hash: "" };

  function stored(): string {
    const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (changedMs !== seen.changedMs) seen = { changedMs, hash: changedMs === -1 ? "" : readFileSync(file, "utf8").trim() };
    return seen.hash;
  }

  const current = () => (given === null ? stored() : hashKey(given));

  return {
    exists: () => given !== null || stored() !== "",
    opensFor: (text) => sameHash(hashKey(text), current()),
    mark: () => hashKey(`mark of ${current()}`),
  };
}
