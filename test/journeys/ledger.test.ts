import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readRunFile } from "../../src/config/run-file.ts";
import { createClient, type Client } from "../support/client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";

type Row = {
  id: string;
  at: number;
  kind: string;
  task: string | null;
  note: string;
  amount_usd: number;
  held_usd: number;
  balance_usd: number;
};
type List = { data: Row[]; has_more: boolean };

let gateway: TestGateway;
let client: Client;
let account: string;
const tasks: string[] = [];

before(async () => {
  gateway = await startGateway();
  const customer = await gateway.customer(2);
  account = customer.account;
  client = createClient(gateway.url, customer.key);
  for (const note of ['=HYPERLINK("http://x")', "two, with a comma", "@me"])
    await gateway.admin("POST", "/admin/v1/credits", { account, amount_usd: 0.5, note });
  for (const prompt of ["a kite", "a stone"]) {
    const { status, body } = await client.post<{ data: { task_id: string } }>(
      "/musicA/submit/lyrics",
      { prompt },
      { headers: { prefer: "wait=30" } },
    );
    assert.equal(status, 200);
    tasks.push(body.data.task_id);
  }
});
after(() => gateway.end());

test("the ledger tells every movement, newest first, with the balance after it", async () => {
  const { status, body } = await client.get<List>("/v1/ledger");
  assert.equal(status, 200);
  assert.equal(body.has_more, false);
  assert.deepEqual(body.data.map(({ kind }) => kind).toSorted(), [
    "credit",
    "credit",
    "credit",
    "credit",
    "hold",
    "hold",
    "settle",
    "settle",
  ]);
  const { body: balance } = await client.get<{ available_usd: number }>("/v1/balance");
  assert.equal(body.data[0]?.balance_usd, balance.available_usd);
  for (const [at, row] of body.data.entries())
    assert.equal(
      Math.round((row.balance_usd - row.amount_usd) * 1e9),
      Math.round((body.data[at + 1]?.balance_usd ?? 0) * 1e9),
      `row ${at}`,
    );
  assert.deepEqual([...new Set(body.data.flatMap(({ task }) => task ?? []))].toSorted(), tasks.toSorted());
  assert.deepEqual(body.data.at(-1)?.note, "first credit");
});

test("pages give the same numbers as the whole, and an operator sees the same list", async () => {
  const { body: whole } = await client.get<List>("/v1/ledger");
  const rows: Row[] = [];
  for (let next = ""; ; next = `&after=${encodeURIComponent(rows.at(-1)?.id ?? "")}`) {
    const { body } = await client.get<List>(`/v1/ledger?limit=3${next}`);
    rows.push(...body.data);
    if (!body.has_more) break;
  }
  assert.deepEqual(rows, whole.data);
  const { body } = await gateway.admin("GET", `/admin/v1/accounts/${account}/ledger`);
  assert.deepEqual(body, whole);
  assert.equal((await gateway.admin("GET", "/admin/v1/accounts/nobody/ledger")).status, 404);
  assert.equal((await client.get("/v1/ledger?after=nothing")).status, 400);
  const now = Math.floor(Date.now() / 1000);
  assert.deepEqual((await client.get<List>(`/v1/ledger?to=${now - 3600}`)).body.data, []);
  assert.equal((await client.get<List>(`/v1/ledger?from=${now - 3600}`)).body.data.length, rows.length);
});

test("the table holds every row with the same numbers, and its notes are no formulas", async () => {
  const { body } = await client.get<List>("/v1/ledger");
  for (const path of ["/v1/ledger?format=csv&limit=1", `/admin/v1/accounts/${account}/ledger?format=csv`]) {
    const reply = path.startsWith("/v1") ? await client.get(path) : null;
    const text = reply?.text ?? (await adminText(path));
    const lines = text.trimEnd().split("\r\n");
    assert.equal(lines[0], "id,at,kind,task,note,amount_usd,held_usd,balance_usd");
    assert.equal(lines.length, body.data.length + 1);
    for (const [at, row] of body.data.entries()) {
      const line = lines[at + 1] ?? "";
      assert.ok(line.startsWith(`${row.id},${row.at},${row.kind},${row.task ?? ""},`), line);
      const numbers = line.split(",").slice(-3).map(Number);
      assert.deepEqual(numbers, [row.amount_usd, row.held_usd, row.balance_usd]);
    }
    assert.ok(text.includes(`,"'=HYPERLINK(""http://x"")",`));
    assert.ok(text.includes(`,"two, with a comma",`));
    assert.ok(text.includes(",'@me,"));
  }
});

async function adminText(path: string): Promise<string> {
  const token = readRunFile(gateway.dataDir)?.token ?? "";
  return (await fetch(gateway.url + path, { headers: { authorization: `Bearer ${token}` } })).text();
}
