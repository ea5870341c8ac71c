import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createCallDesk } from "./calls/call-desk.ts";
import { readBytes, readContent } from "./calls/form.ts";
import type { CallTotals, LabCall } from "./calls/ledger.ts";
import { createDesk } from "./desk.ts";
import type { Dialect, LabFile, LabRequest } from "./dialect.ts";
import { dialects as everyDialect } from "./dialects/index.ts";
import { createJobBook } from "./job-book.ts";
import type { LabJob } from "./job-book.ts";
import { serveMedia } from "./media.ts";
import { createMessenger } from "./messenger.ts";
import type { SentCallback } from "./outbox.ts";
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
  /** The wires it speaks, beside those that answer at once; all of them unless told. */
  dialects?: readonly Dialect[];
};

/** Fake upstreams under one address: each speaks its wire under the path of its type. */
export type Lab = {
  url: string;
  /** Where a provider of this type finds its upstream. */
  baseUrl(type: string): string;
  jobs(): LabJob[];
  /** The callbacks that were sent or lost, from the oldest to the newest. */
  callbacks(): SentCallback[];
  /** Sends the callbacks that are due by now, and resolves when they are answered. */
  sendCallbacks(): Promise<void>;
  /** Requests to addresses that no upstream has. */
  strays(): string[];
  /** The calls to the upstreams that answer at once, from the oldest to the newest. */
  calls(): LabCall[];
  /** What has been delivered, by model. */
  totals(): Record<string, CallTotals>;
  change(script: Partial<Script>): void;
  close(): Promise<void>;
};

export async function createLab(options: LabOptions = {}): Promise<Lab> {
  const { host = "127.0.0.1", port = 0, keys = ["lab-key"], seed = 1, speed = 1, now = Date.now, dialects = everyDialect } = options;
  let script = changeScript(defaultScript, options.script ?? {});
  let url = "";
  const random = createRandom(seed);
  const book = createJobBook({ script: () => script, random, now, speed, origin: () => url });
  const messenger = createMessenger({ book, script: () => script, random, now });
  const desk = createDesk({ book, messenger, script: () => script, random, keys });
  const calls = createCallDesk({ script: () => script, random, keys, now, origin: () => url });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? "/", "http://lab");
    const body = await bodyOf(request);
    const [, first = ""] = target.pathname.split("/");
    const prompt = target.searchParams.get("prompt");
    const dialect = dialects.find(({ type }) => type === first);
    if (dialect) desk.serve(dialect, requestOf(request, dialect, target, body), response);
    else if (first === "media") serveMedia(response, target, now());
    else if (target.pathname === "/lab/jobs") json(response, 200, matching(book.list(), prompt));
    else if (target.pathname === "/lab/callbacks") json(response, 200, matching(messenger.list(), prompt));
    else if (target.pathname === "/lab/calls") json(response, 200, matching(calls.calls(), prompt));
    else if (target.pathname === "/lab/totals") json(response, 200, calls.totals());
    else if (target.pathname === "/lab/script") {
      script = changeScript(script, request.method === "POST" && typeof body === "object" && body !== null ? body : {});
      json(response, 200, script);
    } else json(response, 404, { error: "The lab has nothing here." });
  };

  const server = createServer((request, response) => {
    const work = calls.isFor(request.url ?? "") ? calls.serve(request, response) : answer(request, response);
    work.catch((error: unknown) => {
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
    callbacks: messenger.list,
    sendCallbacks: messenger.flush,
    strays: desk.strays,
    calls: calls.calls,
    totals: calls.totals,
    change: (change) => void (script = changeScript(script, change)),
    close: () =>
      new Promise((resolve) => {
        messenger.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function requestOf({ method = "GET", headers }: IncomingMessage, { type }: Dialect, url: URL, body: unknown): LabRequest {
  return { method, path: url.pathname.slice(type.length + 1), query: url.searchParams, headers, body };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const type = request.headers["content-type"] ?? "";
  const bytes = await readBytes(request);
  if (type.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  const { body, files } = await readContent(bytes, type);
  if (files.length === 0) return body;
  const parts = new Map<string, LabFile[]>();
  for (const { field, name, mime, bytes: content } of files)
    parts.set(field, [...(parts.get(field) ?? []), { file: name, mime, bytes: content }]);
  return { ...Object(body), ...Object.fromEntries(Array.from(parts, ([field, list]) => [field, list.length === 1 ? list[0] : list])) };
}

function matching<W extends { prompt: string }>(list: W[], prompt: string | null): W[] {
  return prompt === null ? list : list.filter((work) => work.prompt.includes(prompt));
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
