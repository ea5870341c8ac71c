import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { settled, withoutBrowser } from "./bench.ts";
import { openConsole, type ConsolePage } from "./console-page.ts";
import { enter } from "./lab-bench.ts";

const many = 100_000;
const failedEvery = 1000;
const mostRows = 200;
const file = `models:
  lyrics: { kinds: [lyrics], routes: [{ provider: local }], price: free }
local: true
`;

/** Of the browser's own types only what is looked at here. */
type Row = { ariaRowIndex: string | null; querySelector(of: string): { getAttribute(name: string): string } | null };

/** Copies the one task there is until there are many: the first is the newest, each next one a second older. */
function multiply(dataDir: string): string[] {
  const db = new DatabaseSync(join(dataDir, "genway.db"));
  const columns = db
    .prepare("select name from pragma_table_info('task')")
    .all()
    .map(({ name }) => String(name));
  const newest = Date.now() - 60_000;
  const hex = (ms: number) => ms.toString(16).padStart(12, "0");
  const idAt = (row: number) => `${hex(newest - row * 1000).replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;
  const given: Record<string, string> = {
    id: "printf('%s-%s-7000-8000-000000000000', substr(printf('%012x', :newest - n * 1000), 1, 8), substr(printf('%012x', :newest - n * 1000), 9))",
    created_at: ":newest - n * 1000",
    started_at: ":newest - n * 1000 + 5",
    finished_at: ":newest - n * 1000 + 700",
    status: `iif(n % ${failedEvery} = 7, 'FAILURE', 'SUCCESS')`,
    fail_code: `iif(n % ${failedEvery} = 7, 'upstream_error', null)`,
    fail_reason: `iif(n % ${failedEvery} = 7, 'It fell over.', null)`,
    result: `iif(n % ${failedEvery} = 7, null, result)`,
    version: "version",
  };
  const values = columns.map((name) => given[name] ?? name).join(", ");
  db.exec("begin; create temp table only_task as select * from task");
  db.prepare(
    `with recursive row(n) as (select 0 union all select n + 1 from row where n < ${many - 1})
     insert into task (${columns.join(", ")}) select ${values} from row, only_task`,
  ).run({ newest });
  db.exec("delete from task where id in (select id from only_task); commit");
  assert.equal(db.prepare("select count(*) as count from task").get()?.["count"], many);
  db.close();
  return Array.from({ length: many }, (_each, row) => idAt(row));
}

suite("a hundred thousand tasks", { skip: withoutBrowser }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), "genway-test-"));
  let gateway: TestGateway;
  let client: Client;
  let browser: Browser;
  let visitor: ConsolePage;
  let ids: string[] = [];
  const asked: URL[] = [];
  before(async () => {
    const first = await startGateway({ yaml: file, dataDir, store: "sqlite" });
    const { key } = await first.customer(1);
    await write(createClient(first.url, key));
    await first.close();
    ids = multiply(dataDir);
    gateway = await startGateway({ console: true, yaml: file, dataDir, store: "sqlite" });
    client = createClient(gateway.url, key);
    browser = await openBrowser();
    visitor = await openConsole(browser, gateway.url);
    visitor.page.setDefaultTimeout(30_000);
    visitor.page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname === "/admin/v1/tasks") asked.push(url);
    });
    await visitor.open("/tasks");
    await enter(visitor, first.adminKey ?? "");
    await settled(visitor.page);
  });
  after(async () => {
    await browser?.close();
    await gateway?.end();
  });

  async function write(by: Client): Promise<void> {
    const { status, text } = await by.post("/musicA/submit/lyrics", { prompt: "a kite" }, { headers: { prefer: "wait=30" } });
    assert.equal(status, 200, text);
  }

  /** The rows that are drawn, by their number in the list, from 0. */
  async function drawn(page: Page): Promise<Map<number, string>> {
    const rows = await page
      .locator("tbody")
      .getByRole("row")
      .evaluateAll((all: Row[]) =>
        all.map((row): [number, string] => [
          Number(row.ariaRowIndex) - 2,
          row.querySelector("a")?.getAttribute("href").split("/").at(-1) ?? "",
        ]),
      );
    return new Map(rows);
  }

  async function check(page: Page, expected: readonly string[]): Promise<number> {
    const rows = await drawn(page);
    assert.ok(rows.size > 10 && rows.size <= mostRows, `${rows.size} rows are drawn`);
    for (const [at, id] of rows) assert.equal(id, expected[at], `row ${at}`);
    return Math.max(...rows.keys());
  }

  test("End goes on and on, page by page, and only what is in sight is drawn", async () => {
    const { page } = visitor;
    await check(page, ids);
    const pages = 30;
    await eventually(
      async () => {
        await page.keyboard.press("End");
        return Math.max(...(await drawn(page)).keys()) >= pages * 100;
      },
      { withinMs: 60_000, what: `row ${pages * 100}` },
    );
    assert.ok((await check(page, ids)) >= pages * 100);
    const cursors = asked.flatMap((url) => url.searchParams.get("after") ?? []);
    assert.ok(cursors.length >= pages);
    assert.deepEqual(
      cursors,
      cursors.map((_cursor, at) => ids[(at + 1) * 100 - 1]),
    );
    assert.ok(asked.every((url) => Number(url.searchParams.get("limit")) <= 100));
    await visitor.inspect("far down in the list");
  });

  test("the wheel and the keys move through it, and every row is where it belongs", async (t) => {
    const { page } = visitor;
    await page.keyboard.press("Home");
    await eventually(async () => (await drawn(page)).has(0), { what: "the top" });
    await page.evaluate(`(() => {
      const frames = (window.frames_ = []);
      let last = performance.now();
      const tick = (now) => { frames.push(now - last); last = now; if (frames.length < 2000) requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    })()`);
    await page.mouse.move(640, 500);
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 900);
    for (let turn = 0; turn < 10; turn++) await page.keyboard.press("PageDown");
    const lowest = await eventually(
      async () => {
        const reached = await check(page, ids);
        return reached > 600 && reached;
      },
      { what: "rows further down" },
    );
    const frames = (await page.evaluate<number[]>("window.frames_")).toSorted((a, b) => a - b);
    const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => frames[Math.floor(frames.length * share)]);
    const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
    t.diagnostic(
      `row ${lowest}; ${frames.length} frames, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; heap ${(heap / 1e6).toFixed(1)} MB`,
    );
    const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
    assert.ok(elements < 4000, `${elements} elements`);
  });

  test("what arrives meanwhile waits at the top, so that nothing moves under the eye", async () => {
    const { page } = visitor;
    const place = () => page.evaluate<number>("new Promise((resolve) => requestAnimationFrame(() => resolve(scrollY)))");
    await eventually(async () => (await place()) === (await place()), { what: "the end of scrolling" });
    const shown = await drawn(page);
    await write(client);
    const more = page.getByRole("button", { name: "1 new task" });
    await more.waitFor();
    assert.deepEqual(await drawn(page), shown);
    await visitor.inspect("the list with a new task");
    await more.click();
    await eventually(
      async () => {
        const rows = await drawn(page);
        return rows.get(1) === ids[0] && rows.get(0) !== ids[0];
      },
      { what: "the new task at the top" },
    );
    await more.waitFor({ state: "detached" });
  });

  test("the failed ones among them are found, and the last one is reached", async () => {
    const { page } = visitor;
    const failed = ids.filter((_id, at) => at % failedEvery === 7);
    await page.getByLabel("Status", { exact: true }).selectOption("Failed");
    await eventually(async () => (await drawn(page)).get(0) === failed[0], { what: "failed tasks" });
    await check(page, failed);
    await page.keyboard.press("End");
    await eventually(async () => (await drawn(page)).has(failed.length - 1), { what: "the last failed task" });
    assert.equal(await check(page, failed), failed.length - 1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await eventually(async () => (await drawn(page)).get(1) === ids[0], { what: "all tasks" });
    await visitor.inspect("a hundred thousand tasks");
  });
});
