import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import { openPostgresStore } from "../../src/store/postgres.ts";
import { databasesOf } from "../store/databases.ts";
import { booksAgree } from "../store/fixture.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import { findBackupPrograms, run } from "./programs.ts";

const bin = findBackupPrograms();
const masterKey = "the master key of all nodes in these tests";

type Balance = { available_usd: number; held_usd: number };

describe("a dump of a database in use, restored elsewhere", { skip: bin === null && "pg_dump is not found", timeout: 180_000 }, () => {
  if (bin === null) return;
  const folder = mkdtempSync(join(tmpdir(), "genway-backup-"));
  const dump = join(folder, "genway.dump");
  let server: TemporaryPostgres;
  let lab: Lab;
  let restoredUrl = "";
  let key = "";
  let lateKey = "";
  let atBackup: Balance;
  const tasks = { ended: "", atUpstream: "", waiting: "", later: "" };

  const jobsOf = (prompt: string) => lab.jobs().filter((job) => JSON.stringify(job).includes(prompt)).length;
  const statusOf = async (client: Client, id: string) => (await client.get<{ status: string }>(`/v1/tasks/${id}`)).body.status;
  const reach = (client: Client, id: string, status: string) =>
    eventually(async () => (await statusOf(client, id)) === status, { withinMs: 60_000, what: `${status} of ${id}` });
  const paint = async (client: Client, prompt: string): Promise<string> => {
    const asked = { model: "flux-2-pro", prompt, size: "1024x1024", async: true };
    const { status, body, text } = await client.post<{ id: string }>("/v1/images/generations", asked);
    assert.ok(status < 300, text);
    return body.id;
  };
  const start = (url: string, dataDir: string, role: string): Promise<TestGateway> => {
    const at = `base_url: "${lab.baseUrl("bfl")}", keys: [lab-key], allow_private_network: true, limits: { concurrent: 1 }`;
    const flux = "flux-2-pro: { kinds: [image], price: { per_image: 0.1 }, routes: [{ provider: bfl }] }";
    const yaml = `store: { url: "${url}" }\nproviders: { bfl: { type: bfl, ${at} } }\nmodels: { ${flux} }\n`;
    return startGateway({ yaml, dataDir, env: { GENWAY_ROLE: role } });
  };

  before(async () => {
    process.env["GENWAY_MASTER_KEY"] = masterKey;
    const started = await startPostgres({ isDurable: false });
    if (started === null) throw new Error("PostgreSQL does not start");
    server = started;
    lab = await createLab({ script: { minSeconds: 0.2, maxSeconds: 0.2, queueSeconds: 0 } });
    await useAndBackUp();
  });
  after(async () => {
    await lab.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One task has ended, one is at the upstream, one waits; then the dump is made, and the service goes on for a while and is lost. */
  async function useAndBackUp(): Promise<void> {
    const live = await start(server.url, join(mkdtempSync(join(folder, "live-"))), "both");
    ({ key } = await live.customer(10));
    const client = createClient(live.url, key);
    tasks.ended = await paint(client, "ended before");
    await reach(client, tasks.ended, "SUCCESS");
    tasks.atUpstream = await paint(client, "[lab:seconds=4] at the upstream");
    await reach(client, tasks.atUpstream, "IN_PROGRESS");
    tasks.waiting = await paint(client, "waits for a slot");
    ({ key: lateKey } = await live.customer(1));
    atBackup = (await client.get<Balance>("/v1/balance")).body;
    const dumped = await run(join(bin ?? "", "pg_dump"), ["--format=custom", `--file=${dump}`, server.url]);
    assert.equal(dumped.code, 0, dumped.said);
    cpSync(join(live.dataDir, "media"), join(folder, "media"), { recursive: true });
    tasks.later = await paint(client, "accepted later");
    await live.admin("DELETE", `/admin/v1/keys/${lateKey.split("_")[1]}`);
    for (const id of [tasks.atUpstream, tasks.waiting, tasks.later]) await reach(client, id, "SUCCESS");
    await live.end();
    restoredUrl = await databasesOf(server).create("restored");
    const restored = await run(join(bin ?? "", "pg_restore"), ["--exit-on-error", `--dbname=${restoredUrl}`, dump]);
    assert.equal(restored.code, 0, restored.said);
  }

  test("the books of the copy agree, and are those of the moment of the dump", async () => {
    const store = await openPostgresStore(restoredUrl);
    assert.ok(await booksAgree(store));
    assert.equal((await store.task({ id: tasks.later, account: null })) ?? "unknown", "unknown");
    await store.close();
  });

  test("a node with another master key does not start on it", async () => {
    process.env["GENWAY_MASTER_KEY"] = "another master key than that of the backup";
    await assert.rejects(start(restoredUrl, mkdtempSync(join(folder, "other-")), "gateway"), /another master key/);
    process.env["GENWAY_MASTER_KEY"] = masterKey;
  });

  test("a gateway alone starts on it and sends nothing; a worker then asks about what was sent, and sends what waited", async () => {
    const dataDir = mkdtempSync(join(folder, "restored-"));
    cpSync(join(folder, "media"), join(dataDir, "media"), { recursive: true });
    const gateway = await start(restoredUrl, dataDir, "gateway");
    const client = createClient(gateway.url, key);
    assert.deepEqual((await client.get<Balance>("/v1/balance")).body, atBackup);
    assert.equal((await fetch(`${gateway.url}/ready`)).status, 200);
    // What was done after the dump is undone: a task is not known, and a key that was revoked works again.
    assert.equal((await client.get(`/v1/tasks/${tasks.later}`)).status, 404);
    assert.equal((await client.as(lateKey).get("/v1/balance")).status, 200);
    assert.deepEqual([await statusOf(client, tasks.ended), jobsOf("waits for a slot")], ["SUCCESS", 1]);

    const second = await paint(client, "waits, and is not wanted twice");
    assert.equal((await client.post(`/v1/tasks/${second}/cancel`)).status, 200);
    const worker = await start(restoredUrl, mkdtempSync(join(folder, "worker-")), "worker");
    for (const id of [tasks.atUpstream, tasks.waiting]) await reach(client, id, "SUCCESS");
    assert.deepEqual([jobsOf("at the upstream"), jobsOf("waits for a slot"), jobsOf("not wanted twice")], [1, 2, 0]);
    const { available_usd, held_usd } = (await client.get<Balance>("/v1/balance")).body;
    assert.deepEqual([available_usd, held_usd], [atBackup.available_usd + atBackup.held_usd - 0.2, 0]);
    await worker.end();
    await gateway.end();
    const store = await openPostgresStore(restoredUrl);
    assert.ok(await booksAgree(store));
    await store.close();
  });
});
