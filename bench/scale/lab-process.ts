import { fork } from "node:child_process";
import { once } from "node:events";
import { eventually } from "../../test/support/eventually.ts";
import { freePort } from "../../test/support/free-port.ts";

export type LabProcess = { url: string; pid: number; stop(): Promise<void> };

/** The lab in a process of its own, with jobs that are not done before the run is over. */
export async function startLab(jobSeconds: number): Promise<LabProcess> {
  const port = await freePort();
  const args = ["--port", String(port), "--min-seconds", String(jobSeconds), "--max-seconds", String(jobSeconds * 2)];
  const child = fork(new URL("../../lab/main.ts", import.meta.url), args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  process.once("exit", () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/lab/script`).then(
      () => true,
      () => false,
    );
  await eventually(answers, { what: "the lab", withinMs: 60_000 });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
