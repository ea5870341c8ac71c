import { errorCode } from "../kit/error-code.ts";
import { runCommandLine } from "./command-line.ts";
import { processShell } from "./shell.ts";

// Whoever reads our output may have seen enough, as `head` does.
process.stdout.on("error", (error) => {
  if (errorCode(error) !== "EPIPE") throw error;
  process.exit(0);
});

// The exit code alone is set: a service that was started goes on running.
process.exitCode = await runCommandLine(process.argv.slice(2), processShell());
// But threads and sockets that a failed start left open do not keep the process.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 200).unref();
