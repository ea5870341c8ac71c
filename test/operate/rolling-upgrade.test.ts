import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { createLab, type Lab } from "../../lab/lab.ts";
import { auditBooks } from "../../src/store/audit-books.ts";
import { openPostgresDatabase } from "../../src/store/postgres-database.ts";
import { createClient } from "../support/client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { findPostgres, startPostgres, type TemporaryPostgres } from "../support/postgres.ts";
import { figure, samplesOf } from "./figures.ts";
import { genway } from "./programs.ts";

const skip = findPostgres() === null && "no PostgreSQL on this machine";
process.env["GENWAY_MASTER_KEY"] ??= "the master key of all nodes in these tests";

describe("a fleet that is upgraded node by node", { skip, timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "genway-rolling-"));
  let server: TemporaryPostgres;
  let lab: Lab;
  let yaml = "";
  let nodes: TestGateway[] = [];
  const env = () => ({ GENWAY_CONFIG: join(folder, "genway.yaml"), GENWAY_DATA_DIR: join(folder, "data") });

  before(async () => {
    const started = await startPostgres({ isDurable: false });
    if (started === null) throw new Error("PostgreSQL does not start");
    server = started;
    lab = await createLab({ script: { minSeconds: 0.2, maxSeconds: 0.2, queueSeconds: 0 } });
    const at = (type: string) => `base_url: "${lab.baseUrl(type)}", keys: [lab-key], allow_private_network: true`;
    yaml = [
      `store: { url: "${server.url}" }`,
      `providers: { bfl: { type: bfl, ${at("bfl")} }, talk: { type: openai-compatible, ${at("openai/v1")} } }`,
      "models:",
      "  flux-2-pro: { kinds: [image], price: { per_image: 0.1 }, routes: [{ provider: bfl }] }",
      "  talker: { kinds: [chat], price: { input_per_million: 1, output_per_million: 2 }, routes: [{ provider: talk, model: lab-chat }] }",
      "",
    ].join("\n");
    writeFileSync(env().GENWAY_CONFIG, yaml);
  });
  after(async () => {
    for (const node of nodes) await node.end();
    await lab.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serves(node: TestGateway, key: string): Promise<void> {
    const client = createClient(node.url, key);
    const picture = { model: "flux-2-pro", prompt: "a kite", size: "1024x1024", async: true };
    const [made, said] = await Promise.all([
      client.post<{ status: string }>("/v1/images/generations", picture, { headers: { prefer: "wait=30" } }),
      client.post("/v1/chat/completions", { model: "talker", messages: [{ role: "user", content: "hello" }] }),
    ]);
    assert.deepEqual([made.status, made.body.status, said.status], [200, "SUCCESS", 200], made.text + said.text);
  }

  test("`genway migrate` makes the tables before any node starts, and does nothing beside nodes that run", async () => {
    const first = await genway("migrate", env());
    assert.deepEqual([first.code, /were brought up to date: 0001-foundation/.test(first.said)], [0, true], first.said);
    nodes = [await startGateway({ yaml }), await startGateway({ yaml })];
    const again = await genway("migrate", env());
    assert.deepEqual([again.code, again.said], [0, "The tables (PostgreSQL) are up to date.\n"]);
  });

  test("nodes go on while a newer version changes the tables under them", async () => {
    const [one, two] = nodes;
    assert.ok(one && two);
    const { key } = await one.customer(100);
    await serves(one, key);
    const underWay = Promise.all([one, two, one, two].map((node) => serves(node, key)));
    await newerVersion(server.url);
    await underWay;
    for (const node of [one, two]) {
      await serves(node, key);
      assert.equal((await fetch(`${node.url}/ready`)).status, 200);
      assert.deepEqual(
        node.logged.filter((line) => /went wrong|do not agree|kysely|column/.test(line)),
        [],
      );
    }
    const db = openPostgresDatabase(server.url);
    const { entrySumNanos, wrongAccounts, finishedWithHold } = await auditBooks(db).finally(() => db.destroy());
    assert.deepEqual([entrySumNanos, wrongAccounts, finishedWithHold], [0, [], []]);
  });

  test("one of the older version does not start any more, and does not touch the tables", async () => {
    const refused = /made by a newer version \(9999-newer\); run that version, or restore a backup/;
    await assert.rejects(startGateway({ yaml }), refused);
    const { code, said } = await genway("migrate", env());
    assert.notEqual(code, 0);
    assert.match(said, refused);
  });

  test("every node shows which versions are there", async () => {
    const [one] = nodes;
    assert.ok(one);
    const now = Date.now();
    await ask(server.url, `insert into node values ('newer', 'newer', 'both', '9.9.9', ${now}, ${now + 60_000})`);
    // Whoever changes something is told anew who is there.
    const { body } = await one.admin("PATCH", "/admin/v1/providers/talk", { off: false });
    assert.equal(body["off"], false);
    const samples = await samplesOf(one);
    assert.equal(figure(samples, "genway_nodes", { version: "test" }), 2);
    assert.equal(figure(samples, "genway_nodes", { version: "9.9.9" }), 1);
  });
});

/** What a later version may do to the tables: it only adds. */
async function newerVersion(url: string): Promise<void> {
  const tables = ["task", "step", "attempt", "account", "api_key", "lease", "node", "gate", "usage"];
  await ask(
    url,
    ...tables.map((table) => `alter table "${table}" add column newer bigint not null default 7`),
    "create table newer (id text primary key)",
    "insert into kysely_migration values ('9999-newer', '2030-01-01T00:00:00.000Z')",
  );
}

async function ask(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
