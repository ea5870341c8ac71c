import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { knownVariables, packageFile, placeOf, textOf } from "./deploy-files.ts";

const dockerfile = textOf("deploy/Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "");
const instructions = dockerfile.split("\n").flatMap((line) => {
  const [, word = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
  return word === "" ? [] : [{ word, rest }];
});
const all = (word: string): string[] => instructions.filter((line) => line.word === word).map(({ rest }) => rest);
const last = (word: string): string => all(word).at(-1) ?? "";
const ignoreLines = textOf(".dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Whether a file goes into the build, by the rule that the last line which fits decides. */
function isSent(file: string): boolean {
  const line = ignoreLines.findLast((entry) => patternOf(entry.replace(/^!/, "")).test(file));
  return line === undefined || line.startsWith("!");
}

/** A line as Docker reads it: a star stops at a slash and takes dots, and whatever fits takes all below it along. */
function patternOf(line: string): RegExp {
  const parts = line
    .split(/(\*\*\/|\*)/)
    .map((part) => (part === "**/" ? "(?:.*/)?" : part === "*" ? "[^/]*" : part.replaceAll(".", "\\.")));
  return new RegExp(`^${parts.join("")}(?:/|$)`);
}

test("what the image copies exists and is let into the build", () => {
  const sources = all("COPY").flatMap((rest) => (rest.includes("--from=") ? [] : rest.split(" ").slice(0, -1)));
  assert.ok(sources.length > 8, sources.join(" "));
  for (const source of sources) {
    assert.ok(existsSync(placeOf(source)), source);
    assert.ok(isSent(source === "src" || source === "lab" ? `${source}/main.ts` : source), `${source} is kept out by .dockerignore`);
  }
});

test("no secret, no data and no test goes into the build", () => {
  const kept = [
    "genway.yaml",
    "data/genway.db",
    "deploy/stack.env",
    ".git/config",
    "node_modules/x/y.js",
    "src/core/pace.test.ts",
    "src/.env",
  ];
  assert.deepEqual(kept.filter(isSent), []);
});

test("the image runs what the package needs: its Node, its version, its licence", () => {
  const [, node = ""] = /^ARG NODE_IMAGE=node:([\d.]+)-(\w+)-slim$/m.exec(dockerfile) ?? [];
  const [here = 0, least = 0] = [node, packageFile.engines.node.replace(">=", "")].map((version) => {
    const [major = 0, minor = 0] = version.split(".").map(Number);
    return major * 1_000 + minor;
  });
  assert.ok(here >= least && least > 0, node);
  assert.equal(node.split(".")[0], textOf(".nvmrc").trim());
  assert.match(dockerfile, /^ARG DEBIAN_IMAGE=debian:trixie-\d{8}-slim$/m);
  assert.match(dockerfile, /^ARG NODE_IMAGE=node:[\d.]+-trixie-slim$/m);
  assert.match(dockerfile, new RegExp(`^ARG VERSION=${packageFile.version.replaceAll(".", "\\.")}$`, "m"));
  assert.ok(last("LABEL").includes(`licenses="${packageFile.license}"`) && last("LABEL").includes(packageFile.description));
});

test("it listens on the port that it tells, and every variable it sets is known", () => {
  const env = Object.fromEntries(
    last("ENV")
      .split(/\s+/)
      .map((pair) => pair.split("=") as [string, string]),
  );
  assert.equal(env["PORT"], last("EXPOSE"));
  assert.equal(env["GENWAY_DATA_DIR"], last("VOLUME"));
  assert.equal(env["HOST"], "0.0.0.0");
  assert.deepEqual(
    Object.keys(env).filter((name) => !knownVariables.has(name)),
    [],
  );
});

test("it is not root, has an init process, stops by SIGTERM, and asks /ready", () => {
  assert.match(last("USER"), /^[1-9]\d{3,}:[1-9]\d{3,}$/);
  assert.deepEqual(JSON.parse(last("ENTRYPOINT")), ["/usr/bin/tini", "--", "node", "/app/genway.mjs"]);
  assert.deepEqual(JSON.parse(last("CMD")), ["start"]);
  assert.equal(last("STOPSIGNAL"), "SIGTERM");
  assert.match(last("HEALTHCHECK"), /CMD \["node", "\/app\/health\.mjs"\]$/);
});

test("nothing but production packages gets into the last stage, and no secret into any", () => {
  const stages = dockerfile.split(/^FROM /m);
  assert.equal(stages.length, 4);
  assert.match(stages[2] ?? "", /npm ci --omit=dev --ignore-scripts; else npm ci --omit=dev --omit=optional --ignore-scripts/);
  assert.ok(!(stages[3] ?? "").includes("npm "));
  assert.doesNotMatch(dockerfile, /--mount=type=secret|TOKEN|PASSWORD|_KEY/);
});

test("the health check is good at 200 alone", async () => {
  let status = 200;
  const paths: (string | undefined)[] = [];
  const server = createServer((request, reply) => {
    paths.push(request.url);
    reply.writeHead(status).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  assert.equal(await checkHealth(port), 0);
  status = 503;
  assert.equal(await checkHealth(port), 1);
  assert.deepEqual(paths, ["/ready", "/ready"]);
  server.close();
  assert.equal(await checkHealth(await freePort()), 1);
});

async function checkHealth(port: number): Promise<number | null> {
  const child = spawn(process.execPath, [placeOf("deploy/health.mjs")], { env: { HOST: "0.0.0.0", PORT: String(port) }, stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}
