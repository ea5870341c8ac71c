import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createStub } from "../lab/stub.ts";
import type { StubReply } from "../lab/stub.ts";
import { callOperations } from "../src/core/call.ts";
import { errorTable } from "../src/core/errors.ts";
import type { Job, Work } from "../src/core/provider.ts";
import { operations } from "../src/http/operations.ts";
import { adapters } from "../src/providers/index.ts";
import { acmeMotion } from "./docs/example-provider.ts";
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

test("every page of docs is listed in its index", () => {
  const index = linksOf(textOf("docs/index.md"));
  const decisions = linksOf(textOf("docs/decisions/index.md"));
  const listed = new Set([...index.map((link) => join("docs", link)), ...decisions.map((link) => join("docs/decisions", link))]);
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

test("every type of provider has its row, with its address and everything it offers", () => {
  const rows = new Map(
    textOf("docs/providers.md")
      .split("\n")
      .map((line) => [/^\| `([\w-]+)` \| /.exec(line)?.[1], line]),
  );
  for (const { type, defaultBaseUrl, create } of adapters) {
    const row = rows.get(type) ?? "";
    const [, , address = "", , offers = ""] = row.split("|").map((cell) => cell.trim());
    const { calls, tasks } = create({ name: type, baseUrl: "https://upstream.example", allowPrivateNetwork: false });
    const edits = calls?.["image-edit"] === undefined ? "" : " with edits and variations";
    const names = callOperations.filter((name) => calls?.[name] !== undefined && !name.startsWith("image-"));
    const offered = [...names.map((name) => (name === "image" ? name + edits : name)), ...Object.keys(tasks?.serves ?? {})];
    assert.deepEqual(offers.split(", ").toSorted(), offered.toSorted(), type);
    if (tasks === undefined) assert.ok(address.startsWith(defaultBaseUrl === undefined ? "must be given" : `\`${defaultBaseUrl}\``), row);
  }
});

test("every metric is explained", () => {
  const source = readFileSync(join(root, "src/http/metrics.ts"), "utf8");
  const names = [...source.matchAll(/name: "(genway_\w+)"/g)].map(([, name = ""]) => name);
  assert.ok(names.length > 3);
  for (const name of names) assert.ok(textOf("docs/operate.md").includes(`| \`${name}\` |`), name);
});

test("the example of an adapter is shown as it is compiled", () => {
  const example = readFileSync(join(root, "test/docs/example-provider.ts"), "utf8");
  assert.ok(textOf("docs/add-a-provider.md").includes(`\`\`\`ts\n${example}\`\`\``), "docs/add-a-provider.md shows another text");
});

test("the example of an adapter carries a job through, and tells refusals apart", async (context) => {
  const replies: StubReply[] = [
    { status: 201, body: { job: { id: "j-1" } } },
    { body: { job: { state: "rendering", percent: 40 } } },
    { body: { job: { state: "ready", seconds: 5, files: { hd: "/v/j-1.mp4", poster: "/v/j-1.jpg" } } } },
    { status: 402, body: { error: { code: "out_of_credit" } } },
    { status: 500, body: { error: { code: "no_capacity" } } },
    { status: 500, body: {} },
  ];
  const stub = await createStub(() => replies.shift() ?? { status: 404 });
  context.after(() => stub.close());
  const provider = acmeMotion.create({ name: "acme", baseUrl: stub.url, allowPrivateNetwork: true }).tasks;
  const upstreamJob = { upstreamId: "j-1", keep: {}, kind: "video", model: "motion-1" } as const;

  assert.deepEqual(await provider.start(job, work), { state: "accepted", upstreamId: "j-1" });
  assert.deepEqual(stub.requests[0]?.body, {
    model: "motion-1",
    text: "waves",
    seconds: 5,
    size: "1280:720",
    options: { watermark: false },
  });
  assert.equal(stub.requests[0]?.headers["x-api-key"], "secret-123");
  assert.deepEqual(await provider.poll?.(upstreamJob, work), { state: "running", progress: 40 });
  assert.deepEqual(await provider.poll?.(upstreamJob, work), {
    state: "done",
    output: {
      kind: "video",
      video: { from: "url", url: `${stub.url}/v/j-1.mp4` },
      cover: { from: "url", url: `${stub.url}/v/j-1.jpg` },
      durationSeconds: 5,
    },
  });
  const outcomes = [await provider.start(job, work), await provider.start(job, work), await provider.start(job, work)];
  assert.deepEqual(
    outcomes.map((started) => (started.state === "refused" ? started.refusal.class : started.state)),
    ["quota", "transient", "unknown"],
  );
});

const job: Job = {
  kind: "video",
  taskId: "t",
  attempt: 1,
  idempotencyKey: "t-1",
  model: "motion-1",
  input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } },
};
const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: () => Promise.reject(new Error("nothing to load")),
};

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
      ...["video", "music-a", "music-b", "tasks-files-assets", "text", "images", "audio", "money"].map((name) => `docs/${name}.md`),
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
