import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { eventually } from "../support/eventually.ts";
import { findPostgres, startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import { isAlive, keepAsking, launch, startCrew, type CrewRun } from "./crew-run.ts";

const folder = mkdtempSync(join(tmpdir(), "genway-crew-"));
const answerMs = 800;
let database: TemporaryPostgres | null = null;
let upstream: Server;
let crew: CrewRun;

/** A model whose upstream takes its time, on a database that several processes may share. */
const yaml = (url: string) => `
store: { url: "${url}" }
providers:
  slow: { type: openai-compatible, base_url: "http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1", allow_private_network: true }
models:
  slow: { kinds: [chat], routes: [{ provider: slow }], price: free }
`;

before(async () => {
  upstream = createServer((_request, reply) => {
    const message = { role: "assistant", content: "at last" };
    const body = { id: "1", object: "chat.completion", created: 1, model: "slow", choices: [{ index: 0, message, finish_reason: "stop" }] };
    reply.setHeader("content-type", "application/json");
    setTimeout(() => reply.end(JSON.stringify({ ...body, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })), answerMs);
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
});
after(() => {
  upstream.closeAllConnections();
  upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

/** All that is left to see is that `count` processes serve. */
const complete = (count: number) =>
  eventually(async () => (await crew.figures(/^genway_workers /))[0] === count, {
    what: `a crew of ${count}`,
    everyMs: 100,
    withinMs: 60_000,
  });

async function health(): Promise<number> {
  return (await fetch(`${crew.url}/health`, { headers: { connection: "close" } })).status;
}

describe("several workers on PostgreSQL", { skip: findPostgres() === null && "PostgreSQL is not found", timeout: 240_000 }, () => {
  before(async () => {
    database = await startPostgres();
    assert.ok(database !== null);
    crew = await startCrew(join(folder, "one"), { workers: "2", yaml: yaml(database.url) });
    await complete(2);
  });
  after(async () => {
    if (crew.lead.exitCode === null && crew.lead.signalCode === null) await crew.end("SIGKILL");
    await database?.stop();
  });

  test("connections are handed out in turn, the figures of all are shown, and one banner is printed", async () => {
    for (let n = 0; n < 20; n++) assert.equal(await health(), 200);
    const requests = await crew.figures(/^genway_http_requests_total\{.*route="\/health".*worker="\d"\} /);
    assert.equal(requests.length, 2);
    assert.ok(Math.min(...requests) >= 5, `each its share: ${requests.join(" and ")}`);
    assert.equal((await crew.figures(/^process_resident_memory_bytes\{worker="\d"\} /)).length, 2);
    assert.equal(crew.pids().length, 2);
    assert.equal(crew.said().match(/Genway is serving at/g)?.length, 1);
    assert.match(crew.said(), /^ {2}workers {6}2$/m);
    assert.equal(crew.said().match(/admin key/g)?.length, 1, "made once");
  });

  test("the token of the data folder opens each of them", async () => {
    for (let n = 0; n < 4; n++) assert.ok(Array.isArray((await crew.admin("/admin/v1/accounts"))["data"]));
  });

  test("a worker that is killed comes back, and only the connections it had are cut", async (context) => {
    const load = keepAsking(crew.url, 6);
    context.after(load.stop);
    await eventually(() => load.answered > 50);
    const [victim = 0] = crew.pids();
    process.kill(victim, "SIGKILL");
    await eventually(async () => (await crew.figures(/^genway_workers_replaced_total /))[0] === 1, { what: "the end being seen" });
    await complete(2);
    const seen = load.answered;
    await eventually(() => load.answered > seen + 50);
    await load.stop();
    assert.ok(load.cut <= 6, `${load.cut} connections were cut`);
    assert.deepEqual(load.failed, []);
    assert.ok(!crew.pids().includes(victim));
    assert.equal(crew.pids().length, 2);
    assert.match(crew.said(), /"signal":"SIGKILL".*a worker ended; another one takes its place/);
  });

  test("SIGHUP replaces one worker after the other, and no request fails", async (context) => {
    const old = crew.pids();
    const load = keepAsking(crew.url, 4);
    context.after(load.stop);
    crew.lead.kill("SIGHUP");
    let fewest = 2;
    await eventually(
      async () => {
        fewest = Math.min(fewest, (await crew.figures(/^genway_workers /))[0] ?? 0);
        assert.equal(await health(), 200);
        return crew.said().includes("the workers have been replaced");
      },
      { withinMs: 60_000, what: "the renewal" },
    );
    await load.stop();
    assert.deepEqual(load.failed, []);
    assert.ok(fewest >= 2, "there were always two");
    const now = crew.pids();
    assert.equal(now.length, 2);
    assert.ok(now.every((pid) => !old.includes(pid)));
    assert.equal((await crew.figures(/^genway_workers_replaced_total /))[0], 1, "what was meant is not counted");
  });

  test("SIGTERM lets what is being answered end, and the exit code is 0", async () => {
    const account = await crew.admin("/admin/v1/accounts", { name: "shop", credit_usd: 1 });
    const { key } = await crew.admin("/admin/v1/keys", { account: account["id"], name: "web" });
    const asked = fetch(`${crew.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${String(key)}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "slow", messages: [{ role: "user", content: "hello" }] }),
    });
    await once(upstream, "request");
    const pids = crew.pids();
    const ended = crew.end("SIGTERM");
    const reply = await asked;
    assert.equal(reply.status, 200, await reply.text());
    assert.equal(await ended, "exit code 0");
    assert.deepEqual(pids.filter(isAlive), []);
    assert.ok(!existsSync(join(folder, "one/data/running.json")));
  });

  test("workers whose lead is killed end by themselves, and the port is free for the next at once", async () => {
    const options = { workers: "2", yaml: yaml(database?.url ?? "") };
    crew = await startCrew(join(folder, "one"), options);
    await complete(2);
    const pids = crew.pids();
    assert.equal(pids.length, 2);
    const { port } = new URL(crew.url);
    assert.equal(await crew.end("SIGKILL"), "SIGKILL");
    const next = await startCrew(join(folder, "one"), { ...options, env: { PORT: port } });
    await eventually(() => !pids.some(isAlive), { withinMs: 15_000, what: "the end of the workers" });
    assert.equal(await next.end("SIGINT"), "exit code 0");
  });

  test("a start that cannot have its port, or no database, ends with exit code 1 and says why", async () => {
    const { port } = upstream.address() as AddressInfo;
    const taken = launch(join(folder, "one"), { workers: "2", yaml: yaml(database?.url ?? ""), env: { PORT: String(port) } });
    assert.deepEqual(await once(taken.lead, "close"), [1, null]);
    assert.match(taken.said(), new RegExp(`Port ${port} is taken by another program`));
    assert.match(taken.said(), /The first of 2 workers ended before it served \(exit code 1\)/);
    const deserted = launch(join(folder, "two"), { workers: "2", yaml: yaml("postgres://nobody@127.0.0.1:9/none") });
    assert.deepEqual(await once(deserted.lead, "close"), [1, null]);
    assert.match(deserted.said(), /ECONNREFUSED/);
  });
});

test("on SQLite several workers are refused with what to change, and one is not", { timeout: 60_000 }, async () => {
  const refused = launch(join(folder, "three"), { workers: "2", yaml: null });
  assert.deepEqual(await once(refused.lead, "close"), [1, null]);
  assert.match(refused.said(), /^Several workers need PostgreSQL.* set store\.url to postgres:/m);
  const alone = await startCrew(join(folder, "three"), { workers: "1", yaml: null });
  assert.deepEqual(alone.pids(), []);
  assert.equal(await alone.end("SIGTERM"), "exit code 0");
});

test("a number of workers that cannot be is refused", { timeout: 60_000 }, async () => {
  for (const [workers, env] of [["0"], ["two"], ["1", { GENWAY_WORKERS: "0" }]] as const) {
    const refused = launch(join(folder, "four"), { workers, yaml: null, ...(env && { env }) });
    const [code] = (await once(refused.lead, "close")) as [number];
    assert.ok(code === 1 || code === 2, refused.said());
    assert.match(refused.said(), /(--workers|GENWAY_WORKERS):? must be /);
  }
});
