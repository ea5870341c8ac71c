import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createDesk } from "./desk.ts";
import type { Dialect } from "./dialect.ts";
import { dialects } from "./dialects/index.ts";
import { createJobBook } from "./job-book.ts";
import type { LabJob } from "./job-book.ts";
import { serveMedia } from "./media.ts";
import { changeScript, createRandom, defaultScript } from "./script.ts";
import type { Script } from "./script.ts";

export type LabOptions = {
  script?: Partial<Script>;
  host?: string;
  port?: number;
  /** Keys that upstreams accept. */
  keys?: readonly string[];
  seed?: number;
  /** How many of the lab's seconds pass in one of ours. */
  speed?: number;
  now?: () => number;
};

/** Fake upstreams under one address: each speaks its wire under the path of its type. */
export type Lab = {
  url: string;
  /** Where a provider of this type finds its upstream. */
  baseUrl(type: string): string;
  jobs(): LabJob[];
  change(script: Partial<Script>): void;
  close(): Promise<void>;
};

export async function createLab(options: LabOptions = {}): Promise<Lab> {
  const { host = "127.0.0.1", port = 0, keys = ["lab-key"], seed = 1, speed = 1, now = Date.now } = options;
  let script = changeScript(defaultScript, options.script ?? {});
  let url = "";
  const random = createRandom(seed);
  const book = createJobBook({ script: () => script, random, now, speed, origin: () => url });
  const desk = createDesk({ book, script: () => script, random, keys });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? "/", "http://lab");
    const body = parsed(await readBody(request));
    const [, first = ""] = target.pathname.split("/");
    const dialect = dialects.find(({ type }) => type === first);
    if (dialect) desk.serve(dialect, requestOf(request, dialect, target, body), response);
    else if (first === "media") serveMedia(response, target, now());
    else if (target.pathname === "/lab/jobs") json(response, 200, matching(book.list(), target.searchParams.get("prompt")));
    else if (target.pathname === "/lab/script") {
      script = changeScript(script, request.method === "POST" && typeof body === "object" && body !== null ? body : {});
      json(response, 200, script);
    } else json(response, 404, { error: "The lab has nothing here." });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) json(response, 400, { error: String(error) });
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const address = server.address();
  url = `http://${host}:${typeof address === "object" && address ? address.port : port}`;
  return {
    url,
    baseUrl: (type) => `${url}/${type}`,
    jobs: () => book.list(),
    change: (change) => void (script = changeScript(script, change)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function requestOf({ method = "GET", headers }: IncomingMessage, { type }: Dialect, { pathname }: URL, body: unknown) {
  return { method, path: pathname.slice(type.length + 1), headers, body };
}

function matching(jobs: LabJob[], prompt: string | null): LabJob[] {
  return prompt === null ? jobs : jobs.filter((job) => job.prompt.includes(prompt));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
