import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import test from "node:test";

const root = join(import.meta.dirname, "..");
const rooms = [
  "kit",
  "client",
  "core",
  "dialects",
  "engines",
  "http",
  "providers",
  "dispatch",
  "store",
  "media",
  "webhooks",
  "config",
  "main",
  "cli",
];

/** What each room may import besides itself; a room that is not named here is none of ours. */
const below: Record<string, readonly string[]> = {
  kit: [],
  // What is shipped to other programs: it knows the service only by its description.
  client: ["generated"],
  core: ["kit"],
  dialects: ["kit", "core"],
  engines: ["kit"],
  http: ["kit", "core", "dialects", "client"],
  providers: ["kit", "core", "dialects"],
  dispatch: ["kit", "core"],
  store: ["kit", "core"],
  media: ["kit", "core"],
  webhooks: ["kit", "core"],
  config: rooms.filter((room) => !["main", "cli"].includes(room)),
  main: rooms.filter((room) => room !== "cli"),
  cli: rooms,
  // In the browser: it knows the service by its description, too.
  console: ["client", "generated"],
};

/** Packages that belong to one room, so that the rest can be read without knowing them. */
const owners: [RegExp, readonly string[]][] = [
  [/^(fastify|@fastify\/.*)$/, ["http"]],
  [/^(kysely|pg|node:sqlite)$/, ["store"]],
  [/^openapi-fetch$/, ["client", "console"]],
  [/^@modelcontextprotocol\/server/, ["http", "cli"]],
  [/^playwright-core$/, ["test", "bench"]],
];

const sources = globSync(["src/**/*.ts", "lab/**/*.ts", "console/src/**/*.{ts,tsx}"], { cwd: root }).map((file) =>
  file.replaceAll("\\", "/"),
);

test("every import of src, lab and console goes to the same room or a floor below", () => {
  const broken = sources.flatMap((file) => importsOf(file).flatMap((target) => complaint(file, target) ?? []));
  assert.deepEqual(broken, [], `\n${broken.join("\n")}\n`);
});

test("every folder of src is a room with rules", () => {
  const unknown = [...new Set(sources.filter((file) => file.startsWith("src/")).map(roomOf))].filter((room) => !(room in below));
  assert.deepEqual(unknown, [], `these have no line in the table of rooms: ${unknown.join(", ")}`);
});

test("no file of src is longer than 300 lines", () => {
  const long = sources.filter((file) => file.startsWith("src/")).filter((file) => linesOf(file) > 300);
  assert.deepEqual(long, [], `split these: ${long.map((file) => `${file} (${linesOf(file)} lines)`).join(", ")}`);
});

test("the README stays within 150 lines", () => {
  const lines = existsSync(join(root, "README.md")) ? linesOf("README.md") : 0;
  assert.ok(lines <= 150, `README.md has ${lines} lines; move the rest to docs/`);
});

test("the rules refuse what they should and allow the rest", () => {
  const refused: [string, string][] = [
    ["src/kit/json.ts", "../core/errors.ts"],
    ["src/core/tasks.ts", "../store/sqlite.ts"],
    ["src/http/video/video.ts", "../../store/reads.ts"],
    ["src/store/reads.ts", "../main.ts"],
    ["src/providers/runway.ts", "../engines/engines.ts"],
    ["src/engines/pool.ts", "../core/errors.ts"],
    ["src/config/config.ts", "../cli/genway.ts"],
    ["src/cli/genway.ts", "../../lab/lab.ts"],
    ["src/client/client.ts", "../kit/ids.ts"],
    ["src/core/tasks.ts", "../client/client.ts"],
    ["src/core/tasks.ts", "kysely"],
    ["lab/lab.ts", "../test/support/postgres.ts"],
    ["console/src/api/client.ts", "../../../src/core/errors.ts"],
  ];
  const allowed: [string, string][] = [
    ["src/http/admin/keys.ts", "../auth.ts"],
    ["src/store/accept.ts", "../core/ledger.ts"],
    ["src/providers/local/local.ts", "../../engines/engines.ts"],
    ["src/providers/local/video.ts", "../../engines/engines.ts"],
    ["src/main.ts", "./store/sqlite.ts"],
    ["src/client/client.ts", "../../generated/openapi.d.ts"],
    ["src/http/mcp/tool.ts", "../../client/client.ts"],
    ["src/providers/job.test.ts", "../../lab/lab.ts"],
    ["src/store/postgres.ts", "pg"],
    ["src/core/tasks.ts", "node:crypto"],
    ["console/src/api/events.ts", "../../../src/client/event-stream.ts"],
  ];
  for (const [file, target] of refused) assert.notEqual(complaint(file, target), null, `${file} → ${target} should be refused`);
  for (const [file, target] of allowed) assert.equal(complaint(file, target), null);
});

test("imports are found in all their forms", () => {
  const text = `import { a } from "./a.ts";\nimport type {\n  B,\n} from './b.ts';\nexport * from "./c.ts";\nconst d = await import("./d.ts");\nimport "./e.ts";`;
  assert.deepEqual(importsIn(text), ["./a.ts", "./b.ts", "./c.ts", "./d.ts", "./e.ts"]);
});

/** The rule that an import breaks, in words, or null. */
function complaint(file: string, target: string): string | null {
  if (/\.(test|fixture)\.ts$/.test(file)) return null;
  const from = roomOf(file);
  if (!target.startsWith(".")) {
    const owner = owners.find(([name]) => name.test(target))?.[1];
    const isOurs = owner === undefined || owner.includes(from);
    return isOurs ? null : `${file} imports ${target}: only ${owner.join(" and ")} may`;
  }
  const to = roomOf(posix.join(dirname(file), target));
  if (from === to) return null;
  const says = (rule: string) => `${file} imports ${target}: ${rule}`;
  if (to === "lab") return says("lab is for test, bench and lab only");
  if (from === "lab") return rooms.includes(to) ? null : says("lab knows only src");
  if (from === "providers" && to === "engines") {
    return file.startsWith("src/providers/local/") ? null : says("only providers/local/ may know engines");
  }
  const reach = below[from] ?? [];
  return reach.includes(to) ? null : says(`${from} may import only ${[from, ...reach].join(", ")}`);
}

/** `src/http/admin/keys.ts` → http, `src/main.ts` → main, `lab/lab.ts` → lab. */
function roomOf(file: string): string {
  const [top = "", room = ""] = file.split("/");
  return top === "src" ? room.replace(/\.ts$/, "") : top;
}

function importsOf(file: string): string[] {
  return importsIn(readFileSync(join(root, file), "utf8"));
}

function importsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g)].flatMap(([, target]) => target ?? []);
}

function linesOf(file: string): number {
  return readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
}
