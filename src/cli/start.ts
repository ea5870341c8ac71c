import pino from "pino";
import { loadConfig } from "../config/config.ts";
import { unusedSettings } from "../config/unused.ts";
import { createGateway, type Gateway } from "../main.ts";
import { adapters } from "../providers/index.ts";
import { letNurseryGrow } from "./nursery.ts";
import { readPackageFile } from "./package-file.ts";

/** Runs the service until it is told to stop. */
export async function start(): Promise<void> {
  const load = () => loadConfig({ env: process.env, cwd: process.cwd(), adapters });
  const config = load();
  const log = pino({ level: process.env["LOG_LEVEL"] ?? "info" });
  const gateway = await createGateway({ config, log, version: readPackageFile().version, reload: load });
  letNurseryGrow();
  console.log(greeting(gateway, config.mode));
  const unused = unusedSettings(config);
  if (unused.length > 0) console.log(`Without effect in this version: ${unused.join(", ")}.\n`);
  let stopping = false;
  const stop = (why: string) => {
    if (stopping) return;
    stopping = true;
    console.log(`Stopping (${why}); what runs is finished or handed over.`);
    // Whatever hangs is cut off: everything accepted is on disk.
    setTimeout(() => process.exit(1), 9_500).unref();
    gateway.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("disconnect", () => stop("its parent is gone"));
}

function greeting({ url, firstKey, adminKey }: Gateway, mode: "local" | "configured"): string {
  const lines = ["", `Genway is serving at ${url}`, `  description  ${url}/docs`];
  if (adminKey !== null) lines.push(`  admin key    ${adminKey}   (shown once)`);
  if (firstKey !== null) lines.push(`  client key   ${firstKey}   (shown once)`);
  if (mode === "local") {
    lines.push("", "Make a song (paste this):");
    const key = firstKey === null ? "" : ` -H 'Authorization: Bearer ${firstKey}'`;
    lines.push(
      `  curl -s ${url}/musicA/submit/music${key} -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '{"gpt_description_prompt":"a calm song about the sea","mv":"chirp-v3-5"}'`,
    );
  }
  return `${lines.join("\n")}\n`;
}
