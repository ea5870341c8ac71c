import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { errorTable } from "../src/core/errors.ts";
import { operations } from "../src/http/operations.ts";
import { startGateway, type TestGateway } from "./support/gateway.ts";

const root = join(import.meta.dirname, "..");
const pages = ["README.md", "AGENTS.md", "CHANGELOG.md", "lab/README.md", ...globSync("docs/**/*.md", { cwd: root })].map((file) => ({
  file: file.replaceAll("\\", "/"),
  text: readFileSync(join(root, file), "utf8"),
}));
const textOf = (file: string) => pages.find((page) => page.file === file)?.text ?? "";

test("the README stays within 150 lines", () => {
  const lines = textOf("README.md").trimEnd().split("\n").length;
  assert.ok(lines > 20 && lines <= 150, `README.md has ${lines} lines`);
});

test("every link inside the documentation leads somewhere", () => {
  const broken = pages.flatMap(({ file, text }) => linksOf(text).flatMap((link) => (leads(file, link) ? [] : [`${file}: ${link}`])));
  assert.deepEqual(broken, []);
});

test("every page of docs is listed in the index of its folder, and every such index in the first one", () => {
  const indexes = pages.filter(({ file }) => /^docs\/(\w+\/)?index\.md$/.test(file));
  const listed = new Set(indexes.flatMap(({ file, text }) => linksOf(text).map((link) => join(dirname(file), link))));
  const missing = pages.map(({ file }) => file).filter((file) => file.startsWith("docs/") && file !== "docs/index.md" && !listed.has(file));
  assert.deepEqual(missing, []);
});

test("every error code has its line, with its status and whether to try again", () => {
  const lines = textOf("docs/errors.md").split("\n");
  for (const [code, { status, retryable }] of Object.entries(errorTable)) {
    const start = `| \`${code}\` | ${status} | ${retryable ? "yes" : "no"} | `;
    assert.ok(
      lines.some((line) => line.startsWith(start) && line.length > start.length + 20),
      `docs/errors.md has no line that begins with ${start}`,
    );
  }
});

test("every operation and every other address of it is in the documentation", () => {
  const all = pages.map(({ text }) => text).join("\n");
  const missing = operations.flatMap(({ method, url, aliases = [] }) =>
    [`${method} ${url}`, ...aliases].map((place) => place.replace(/:(\w+)/g, "{$1}")).filter((place) => !all.includes(`\`${place}\``)),
  );
  assert.deepEqual(missing, []);
});

test("every metric is explained", () => {
  const sources = globSync("src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }).map((file) => readFileSync(join(root, file), "utf8"));
  const names = sources.flatMap((source) =>
    [...source.matchAll(/name: "(genway_\w+)"|# TYPE (genway_\w+) /g)].map(([, one, two]) => one ?? two ?? ""),
  );
  assert.ok(names.length > 25, names.join());
  for (const name of names) assert.ok(textOf("docs/operate.md").includes(`| \`${name}\` |`), name);
});

const lacksCurl = spawnSync("sh", ["-c", "command -v curl"], { stdio: "ignore" }).status !== 0;

describe("the examples that are marked as runnable", { skip: lacksCurl && "sh or curl is not found" }, () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.end());

  const scripts = pages.map(({ file, text }) => ({ file, script: runnable(text) })).filter(({ script }) => script !== "");
  for (const { file, script } of scripts) {
    test(`${file}: every request is answered with 200, and every file it saves has something in it`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "genway-docs-"));
      try {
        const { code, output } = await runScript(script.replaceAll("http://127.0.0.1:8787", gateway.url), folder, gateway.firstKey ?? "");
        const statuses = [...output.matchAll(/^answered (\d+)$/gm)].map(([, status]) => status);
        assert.equal(code, 0, output);
        assert.deepEqual(
          statuses,
          Array.from(script.matchAll(/\bcurl /g), () => "200"),
          output,
        );
        for (const name of globSync("*", { cwd: folder })) assert.ok(statSync(join(folder, name)).size > 0, `${name} is empty`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await stopTasks(gateway);
      }
    });
  }

  test("the pages that promise runnable examples have some", () => {
    const wanted = [
      "README.md",
      ...["requests", "video", "music-a", "music-b", "tasks-files-assets", "text", "images", "audio", "money"].map(
        (name) => `docs/${name}.md`,
      ),
    ];
    assert.deepEqual(
      wanted.filter((file) => !scripts.some((script) => script.file === file)),
      [],
    );
  });
});

/** The runnable blocks of a page, one after the other, as a reader would paste them. */
function runnable(text: string): string {
  return [...text.matchAll(/^```sh runnable\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join("\n");
}

async function runScript(script: string, cwd: string, key: string): Promise<{ code: number | null; output: string }> {
  const told = `curl() { command curl --max-time 60 -w '%{stderr}\\nanswered %{http_code}\\n' "$@"; }\n${script}`;
  const child = spawn("sh", ["-c", told], { cwd, env: { ...process.env, KEY: key }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

/** Ends what the examples left running, so that nobody waits for songs that nobody hears. */
async function stopTasks({ admin }: TestGateway): Promise<void> {
  for (const status of ["SUBMITTED", "QUEUED", "IN_PROGRESS"]) {
    const { body } = await admin("GET", `/admin/v1/tasks?status=${status}`);
    for (const { id } of body["data"] as { id: string }[]) await admin("POST", `/admin/v1/tasks/${id}/cancel`);
  }
}

function linksOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function leads(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = join(root, dirname(from), path);
  const file = path === "" ? join(root, from) : target;
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, "utf8")).includes(anchor);
}

/** The anchors that headings get where the pages are shown. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
