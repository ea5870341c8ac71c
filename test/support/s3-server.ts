import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMediaUrl } from "../../src/media/s3-url.ts";
import type { S3Target } from "../../src/media/s3-url.ts";
import type { S3Fault } from "./s3-server-process.ts";

/** A server that speaks S3 on loopback, with one bucket, gone without a trace after `stop`. */
export type S3Server = {
  endpoint: string;
  bucket: string;
  /** The bucket as the configuration reads it; further parameters replace or add. */
  target(prefix?: string, parameters?: Record<string, string>): S3Target;
  /** The keys of all objects, and the ids of all unfinished uploads, as they lie on its disk. */
  objects(): string[];
  uploads(): string[];
  misbehave(fault: S3Fault): Promise<void>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts one; takes about a second. */
export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "genway-s3-"));
  const bucket = "media.test";
  let child = await launch(folder, bucket, 0);
  const { port } = child;
  const endpoint = `http://127.0.0.1:${port}`;
  const root = join(folder, bucket);
  const kill = async () => {
    if (child.process.exitCode !== null || child.process.signalCode !== null) return;
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
  };
  return {
    endpoint,
    bucket,
    target: (prefix = "", parameters = {}) => {
      const given = { endpoint, access_key_id: "S3RVER", secret_access_key: "S3RVER", ...parameters };
      const read = readMediaUrl(`s3://${bucket}/${prefix}?${new URLSearchParams(given).toString()}`, {});
      if ("problem" in read) throw new Error(read.problem);
      return read.target;
    },
    objects: () =>
      readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith("._S3rver_object"))
        .map((name) => name.replace("._S3rver_object", "")),
    uploads: () => (existsSync(join(root, "._S3rver_uploads")) ? readdirSync(join(root, "._S3rver_uploads")) : []),
    misbehave: async (fault) => {
      child.process.send(fault);
      await once(child.process, "message");
    },
    kill,
    startAgain: async () => void (child = await launch(folder, bucket, port)),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, bucket: string, port: number): Promise<{ process: ChildProcess; port: number }> {
  const path = join(import.meta.dirname, "s3-server-process.ts");
  // The tokens of its lists are written in an old cipher.
  const execArgv = ["--openssl-legacy-provider"];
  const child = fork(path, [folder, bucket, String(port)], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [told] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [null])]);
  if (typeof told !== "number") throw new Error("the S3 server did not start");
  return { process: child, port: told };
}
