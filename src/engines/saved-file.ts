import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a result so that it is there whole or not at all; gives back its path. */
export async function saveFile(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  const unfinished = join(folder, `.${name}.part`);
  await writeFile(unfinished, bytes);
  await rename(unfinished, path);
  return path;
}
