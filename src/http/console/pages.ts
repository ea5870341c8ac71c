import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import files from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Services } from "../services.ts";

/** The built console: where its files lie, and when they are there. */
export type ConsoleFiles = { folder: string; ready: Promise<void> };

/** Everything from this service alone, and media from where it keeps them; nothing inline, no frames. */
function policy(assetOrigin: string | null): string {
  const media = assetOrigin === null ? "" : ` ${assetOrigin}`;
  return [
    "default-src 'self'",
    `connect-src 'self'${media}`,
    `img-src 'self' data: blob:${media}`,
    `media-src 'self' blob:${media}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}

const pageHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

const aYear = 365 * 24 * 3_600_000;

/** Serves the console's files; every address that is none of them is the console's own, and gets its page. */
export async function registerConsole(
  app: FastifyInstance,
  { folder, ready }: ConsoleFiles,
  settings: Services["settings"],
): Promise<void> {
  await app.register(files, { root: folder, serve: false, preCompressed: true, cacheControl: false });
  const hidden = { schema: { hide: true } } as const;
  app.get("/console", hidden, (_request, reply) => page(reply));
  app.get<{ Params: { "*": string } }>("/console/*", hidden, async ({ params: { "*": path } }, reply) => {
    if (extname(path) === "") return page(reply);
    await ready.catch(() => undefined);
    const isHashed = path.startsWith("assets/");
    return reply
      .headers({
        "x-content-type-options": "nosniff",
        "cache-control": isHashed ? `public, max-age=${aYear / 1000}, immutable` : "no-cache",
      })
      .sendFile(path);
  });

  async function page(reply: FastifyReply): Promise<FastifyReply> {
    await ready.catch(() => undefined);
    void reply.headers({ ...pageHeaders, "content-security-policy": policy(settings().assetOrigin), "cache-control": "no-cache" });
    if (existsSync(join(folder, "index.html"))) return reply.sendFile("index.html");
    return reply.code(503).type("text/html; charset=utf-8").send(notBuilt);
  }
}

const notBuilt = `<!doctype html><html lang="en"><title>Genway</title><h1>The console is not built</h1>
<p>In a checkout run <code>node run.mjs scripts/build-console.mjs</code> and load this page again. Everything else works without it.</p></html>`;
