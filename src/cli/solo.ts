import type { Config } from "../config/config.ts";
import { createGateway } from "../main.ts";
import { openConsole } from "./console-files.ts";
import { greet } from "./greeting.ts";
import { createLog } from "./log.ts";
import { letNurseryGrow } from "./nursery.ts";
import { readPackageFile } from "./package-file.ts";
import { createStop, stopWords } from "./stop.ts";

/** Serves in this process until it is told to stop. */
export async function serveAlone(config: Config, reload: () => Config): Promise<void> {
  const gateway = await createGateway({
    config,
    log: createLog(),
    version: readPackageFile().version,
    reload,
    console: openConsole(),
  });
  letNurseryGrow();
  console.log(greet(gateway, config));
  const end = createStop(() => gateway.close());
  const stop = (why: string) => {
    if (end()) console.log(stopWords(why));
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("disconnect", () => stop("its parent is gone"));
}
