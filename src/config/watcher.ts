import { statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Config } from "./configuration.ts";

export type WatchOptions = {
  /** The configuration in force. */
  current: Config;
  /** A right change: the configuration from now on, and the settings of the file that wait for a restart. */
  onChange: (config: Config, needsRestart: readonly string[]) => void;
  /** A wrong change: the old configuration stays. */
  onRefused: (says: string) => void;
  /** The file says again what is in force. */
  onSame?: () => void;
  /** How long the file must be left alone before it is read. */
  quietMs?: number;
  /** How often the file is looked at, where the system does not tell. */
  pollMs?: number;
  /** Calls back with the name of each entry of a folder that changes. */
  watchFolder?: (folder: string, onEvent: (entry: string | null) => void) => () => void;
};

/** What cannot change while the gateway runs, and what an operator calls it. */
const fixed = [
  ["host", "HOST"],
  ["port", "PORT"],
  ["dataDir", "GENWAY_DATA_DIR"],
  ["adminKey", "GENWAY_ADMIN_KEY"],
  ["role", "GENWAY_ROLE"],
  ["storeUrl", "store.url"],
  ["mediaUrl", "media.url"],
  ["redisUrl", "redis_url"],
] as const satisfies readonly (readonly [keyof Config, string])[];

/** Watches the configuration file, however it is replaced, and loads it again after each change; without a file there is nothing to watch. */
export function watchConfig(load: () => Config, options: WatchOptions): { close(): void } {
  const { file } = options.current;
  if (file === null) return { close: () => {} };
  const { quietMs = 250, pollMs = 2_000, watchFolder = folderEvents } = options;
  const reload = reloader(file, load, options);
  let seen = "";
  let quiet: NodeJS.Timeout | undefined;
  const stir = (): void => {
    seen = lookAt(file);
    clearTimeout(quiet);
    quiet = setTimeout(() => (seen === lookAt(file) ? reload() : stir()), quietMs).unref();
  };
  const stirIfChanged = (): void => {
    if (seen !== lookAt(file)) stir();
  };
  // Others may write to the same folder all the time; only an event of the file itself counts without a second look.
  const stopEvents = watchFolder(dirname(file), (entry) => (entry === basename(file) ? stir() : stirIfChanged()));
  const poll = setInterval(stirIfChanged, pollMs).unref();
  // The file may have changed since the current configuration was loaded.
  stir();
  return {
    close: () => {
      clearTimeout(quiet);
      clearInterval(poll);
      stopEvents();
    },
  };
}

function reloader(file: string, load: () => Config, { current, onChange, onRefused, onSame }: WatchOptions): () => void {
  return () => {
    const loaded = attempt(load);
    if ("says" in loaded) return onRefused(loaded.says);
    if (loaded.config.file !== file) return onRefused(`The configuration file ${file} is gone.`);
    const { config, needsRestart } = keepFixed(current, loaded.config);
    if (needsRestart.length === 0 && isDeepStrictEqual(config, current)) return onSame?.();
    current = config;
    onChange(config, needsRestart);
  };
}

function attempt(load: () => Config): { config: Config } | { says: string } {
  try {
    return { config: load() };
  } catch (error) {
    return { says: error instanceof Error ? error.message : String(error) };
  }
}

function keepFixed(current: Config, loaded: Config): { config: Config; needsRestart: string[] } {
  const { host, port, dataDir, adminKey, role, storeUrl, mediaUrl, mediaTarget, redisUrl } = current;
  return {
    config: { ...loaded, host, port, dataDir, adminKey, role, storeUrl, mediaUrl, mediaTarget, redisUrl },
    needsRestart: fixed.flatMap(([setting, name]) => (current[setting] === loaded[setting] ? [] : [name])),
  };
}

// The folder, not the file: editors and container platforms put a new file in the place of the old one.
function folderEvents(folder: string, onEvent: (entry: string | null) => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, (_, entry) => onEvent(entry));
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

function lookAt(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "absent" : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
