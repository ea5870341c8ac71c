import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { surroundings, watch, type Run } from "./scratch-project.ts";

const root = join(import.meta.dirname, "../..");

/** The packages that the project itself calls optional. */
export const optionalPackages: readonly string[] = Object.keys(readJson("package.json").optionalDependencies);

export type LeanProject = {
  /** Starts the service in a data folder of its own: in local mode, or with a configuration file. */
  start(name: string, yaml?: string): Promise<LeanService>;
  /** Stops what was started and removes the copy. */
  end(): Promise<void>;
};
export type LeanService = { url: string; dataDir: string; run: Run };

/** A copy of the project with the packages that `npm ci --omit=optional` would bring, without running npm. */
export function makeLeanProject(): LeanProject {
  const folder = mkdtempSync(join(tmpdir(), "genway-lean-"));
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  for (const path of leanPackages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // What a package needs itself is found beside the one that the link leads to.
    symlinkSync(join(root, path), join(folder, path), "junction");
  }
  const runs: Run[] = [];
  return {
    async start(name, yaml) {
      const service = startIn(folder, name, yaml);
      runs.push(service.run);
      const ending = service.run.ended.then((how) => Promise.reject(new Error(`the service ended with ${how}: ${service.run.said()}`)));
      // It ends in any case, and by then nobody may be listening.
      ending.catch(() => {});
      await Promise.race([service.run.until("/docs"), ending]);
      const [, url = ""] = /serving at (\S+)/.exec(service.run.printed()) ?? [];
      return { ...service, url };
    },
    async end() {
      for (const { child } of runs) child.kill("SIGTERM");
      await Promise.all(runs.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The outermost folders of the lock file, without what only optional packages need. */
function leanPackages(): string[] {
  const packages: Record<string, { optional?: boolean }> = readJson("package-lock.json").packages;
  const left = new Set(optionalPackages.map((name) => `node_modules/${name}`));
  return Object.entries(packages).flatMap(([path, { optional }]) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && optional !== true && !left.has(path) ? [path] : [],
  );
}

function startIn(folder: string, name: string, yaml: string | undefined): Omit<LeanService, "url"> {
  const dataDir = join(folder, name);
  const config = join(folder, `${name}.yaml`);
  if (yaml !== undefined) writeFileSync(config, yaml);
  const { GENWAY_CONFIG: _config, GENWAY_ADMIN_KEY: _key, GENWAY_MASTER_KEY: _master, ...rest } = surroundings();
  const env = { ...rest, HOST: "127.0.0.1", PORT: "0", GENWAY_DATA_DIR: dataDir, ...(yaml !== undefined && { GENWAY_CONFIG: config }) };
  const child = spawn(process.execPath, ["src/cli/genway.ts", "start"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  return { dataDir, run: watch(child) };
}

function readJson(file: string) {
  return JSON.parse(readFileSync(join(root, file), "utf8"));
}
