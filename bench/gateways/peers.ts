import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder for a program of others, kept between runs and out of the repository. */
export function peerFolder(name: string): string {
  const peers = join(import.meta.dirname, "../.peers");
  mkdirSync(join(peers, name), { recursive: true });
  writeFileSync(join(peers, ".gitignore"), "*\n");
  return join(peers, name);
}
