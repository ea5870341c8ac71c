import type { Config } from "../config/config.ts";

/** What a service that has begun to serve shows of itself. */
export type Greeting = {
  url: string;
  /** What was made at this first start, to be shown once. */
  adminKey: string | null;
  firstKey: string | null;
};

/** The lines that a start prints. */
export function greet({ url, firstKey, adminKey }: Greeting, config: Config, workers = 1): string {
  const lines = ["", `Genway is serving at ${url}`, `  console      ${url}/console`, `  description  ${url}/docs`];
  if (workers > 1) lines.push(`  workers      ${workers}`);
  if (adminKey !== null) lines.push(`  admin key    ${adminKey}   (shown once)`);
  if (firstKey !== null) lines.push(`  client key   ${firstKey}   (shown once)`);
  if (config.mode === "local") {
    lines.push("", "Make a song (paste this):");
    const key = firstKey === null ? "" : ` -H 'Authorization: Bearer ${firstKey}'`;
    lines.push(
      `  curl -s ${url}/musicA/submit/music${key} -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '{"gpt_description_prompt":"a calm song about the sea","mv":"chirp-v3-5"}'`,
    );
  }
  return `${lines.join("\n")}\n`;
}
