// The service as the crash test starts it: the real one, with a clock set ahead as if it had been down for a while.
import { flushCompileCache } from "node:module";
import pino from "pino";
import { loadConfig } from "../../src/config/config.ts";
import { createGateway } from "../../src/main.ts";
import { adapters } from "../../src/providers/index.ts";

const aheadMs = Number(process.env["CRASH_AHEAD_MS"] ?? 0);
const config = loadConfig({ env: process.env, cwd: process.cwd(), adapters });
const gateway = await createGateway({ config, log: pino(), version: "crash test", clock: () => Date.now() + aheadMs });
// What is killed never gets to do this at its end.
flushCompileCache();

const stop = () =>
  void gateway.close().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
process.once("SIGTERM", stop);
process.once("disconnect", stop);
