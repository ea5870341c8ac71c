import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Static } from "typebox";
import { kinds } from "../core/kinds.ts";
import { parseCidrs } from "../kit/address.ts";
import { parseDuration } from "../kit/duration.ts";
import { readMediaUrl } from "../media/s3-url.ts";
import type { Config } from "./configuration.ts";
import { readConsole } from "./console-settings.ts";
import type { Variables } from "./source.ts";
import type { Path, Report } from "./problems.ts";
import { sections } from "./schema.ts";
import { fitting } from "./shape.ts";
import { httpProblem, schemeProblem, withoutTrailingSlash } from "./web-address.ts";

/** Everything that a file may leave out. */
export type Settings = Omit<
  Config,
  "mode" | "file" | "host" | "port" | "dataDir" | "adminKey" | "role" | "workers" | "providers" | "models" | "lines"
>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const usualDeadlineMs: Record<string, number> = { music: 20 * minuteMs, video: 60 * minuteMs, lyrics: 5 * minuteMs };

/** Reads the sections beside `providers` and `models`; an absent or refused one counts as its defaults. */
export function readSettings(root: Record<string, unknown>, file: string | null, report: Report, env: Variables = {}): Settings {
  const section = <K extends keyof typeof sections>(name: K): Static<(typeof sections)[K]> | undefined =>
    fitting(sections[name], root[name]);
  const limits = section("limits");
  const address = (path: Path, text: string | undefined, schemes: string[]): string | null =>
    checked(path, text, (given) => schemeProblem(given, schemes), report);
  return {
    server: readServer(section("server") ?? {}, report),
    outboundAllow: readNetworks(section("outbound")?.allow ?? [], ["outbound", "allow"], report),
    anonymousAccount: section("anonymous_account") ?? null,
    local: readLocal(section("local") ?? false, file, report),
    limits: {
      requestsPerMinute: limits?.requests_per_minute ?? null,
      tokensPerMinute: limits?.tokens_per_minute ?? null,
      concurrentCalls: limits?.concurrent_calls ?? null,
      concurrentTasks: limits?.concurrent_tasks ?? null,
    },
    calls: readCalls(section("calls") ?? {}, report),
    tasks: readTasks(section("tasks") ?? {}, report),
    assets: readAssets(section("assets") ?? {}, report),
    storeUrl: address(["store", "url"], section("store")?.url, ["postgres", "postgresql"]),
    ...readMedia(section("media") ?? {}, report, env),
    oidc: readConsole(section("console") ?? {}, section("server")?.public_url ?? null, report),
    redisUrl: address(["redis_url"], section("redis_url"), ["redis", "rediss"]),
  };
}

function readMedia(
  { url, download = "proxy" }: Static<typeof sections.media>,
  report: Report,
  env: Variables,
): Pick<Settings, "mediaUrl" | "mediaTarget" | "presignedDownloads"> {
  const read = url === undefined ? null : readMediaUrl(url, env);
  if (read !== null && "problem" in read) report(["media", "url"], read.problem);
  const mediaTarget = read !== null && "target" in read ? read.target : null;
  return { mediaUrl: mediaTarget === null ? null : (url ?? null), mediaTarget, presignedDownloads: download === "presigned" };
}

/** Networks as given, each checked; a list from the environment has no positions of its own. */
export function readNetworks(list: readonly string[], path: Path, report: Report): string[] {
  return list.map((entry, index) => {
    try {
      parseCidrs([entry]);
    } catch (error) {
      report([...path, index], error instanceof Error ? error.message : "is not a network");
    }
    return entry.trim();
  });
}

function readServer(server: Static<typeof sections.server>, report: Report): Settings["server"] {
  const { cors = [], hosts = [] } = server;
  cors.forEach((origin, index) => {
    if (origin !== "*" && URL.parse(origin)?.origin !== origin)
      report(["server", "cors", index], "must be an origin such as https://app.example, without a path, or *");
  });
  hosts.forEach((host, index) => {
    if (URL.parse(`http://${host}`)?.host !== host.toLowerCase().replace(/:80$/, ""))
      report(["server", "hosts", index], "must be a host name such as gen.example or gen.example:8787");
  });
  const publicUrl = checked(["server", "public_url"], server.public_url, httpProblem, report);
  return {
    trustProxy: server.trust_proxy ?? false,
    cors,
    hosts: hosts.map((host) => host.toLowerCase()),
    publicUrl: publicUrl && withoutTrailingSlash(publicUrl),
  };
}

function readLocal(local: Static<typeof sections.local>, file: string | null, report: Report): Settings["local"] {
  if (typeof local === "boolean") return { enabled: local, gguf: null };
  const gguf = resolve(dirname(file ?? ""), local.gguf);
  if (!existsSync(gguf)) report(["local", "gguf"], `there is no file ${gguf}`);
  return { enabled: true, gguf };
}

function readCalls({ deadline, silence, cache }: Static<typeof sections.calls>, report: Report): Settings["calls"] {
  return {
    deadlineMs: readDuration(["calls", "deadline"], deadline, 10 * minuteMs, report),
    silenceMs: readDuration(["calls", "silence"], silence, minuteMs, report),
    cache:
      cache === undefined
        ? null
        : {
            ttlMs: readDuration(["calls", "cache", "ttl"], cache.ttl, 10 * minuteMs, report),
            bytes: (cache.megabytes ?? 64) * 1024 * 1024,
          },
  };
}

function readTasks({ deadline = {}, retention }: Static<typeof sections.tasks>, report: Report): Settings["tasks"] {
  const deadlines = kinds.map((kind): [string, number] => [
    kind,
    readDuration(["tasks", "deadline", kind], deadline[kind], usualDeadlineMs[kind] ?? 10 * minuteMs, report),
  ]);
  return { deadlineMs: Object.fromEntries(deadlines), retentionMs: readDuration(["tasks", "retention"], retention, 30 * dayMs, report) };
}

function readAssets(assets: Static<typeof sections.assets>, report: Report): Settings["assets"] {
  return {
    urlTtlMs: readDuration(["assets", "url_ttl"], assets.url_ttl, dayMs, report),
    retentionMs: readDuration(["assets", "retention"], assets.retention, 30 * dayMs, report),
  };
}

function readDuration(path: Path, text: string | undefined, usualMs: number, report: Report): number {
  const ms = text === undefined ? usualMs : parseDuration(text);
  if (ms < 1_000 || ms > 3_650 * dayMs) report(path, "must be between 1s and 3650d");
  return ms;
}

function checked(path: Path, text: string | undefined, problemOf: (text: string) => string | null, report: Report): string | null {
  const problem = text === undefined ? null : problemOf(text);
  if (problem !== null) report(path, problem);
  return text ?? null;
}
