import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startCallGateway, type CallGateway } from "../support/call-gateway.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import type { PlainError } from "../support/wire.ts";

type Point = Record<string, number | null> & { at: number; requests: number; errors: number; cost_usd: number };
type Series = { name: string; total: Point; points: Point[] };
type Usage = { object: string; from: number; to: number; step: string; by: string | null; series: Series[] };

/** Rows of a table as records, by the names in its first line. */
function recordsOf(text: string): Record<string, string>[] {
  const [head = "", ...lines] = text.trimEnd().split("\r\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [names[at] ?? "", cell])));
}

describe("usage of calls", () => {
  let service: CallGateway;
  const chat = (content: string, more: object = {}) =>
    service.client.post("/v1/chat/completions", { model: "lab-chat", messages: [{ role: "user", content }], max_tokens: 50, ...more });

  async function usage(query: string, requests: number): Promise<Usage> {
    return eventually(async () => {
      const { status, body } = await service.client.get<Usage>(`/v1/usage?${query}`);
      assert.equal(status, 200);
      return body.series.reduce((sum, { total }) => sum + total.requests, 0) >= requests ? body : null;
    });
  }

  before(async () => {
    service = await startCallGateway();
    const statuses = [
      (await chat("hi")).status,
      (await chat("hi")).status,
      (await chat("hi", { stream: true })).status,
      (await chat("[lab:refuse=content_policy]")).status,
      (await chat("[lab:cut=5]", { stream: true })).status,
      (await chat("hi", { model: "no-such-model" })).status,
    ];
    assert.deepEqual(statuses, [200, 200, 200, 400, 200, 404]);
  });
  after(() => service.end());

  test("every call is counted with what became of it, failed ones too", async () => {
    const { object, by, step, series } = await usage("by=outcome", 6);
    assert.deepEqual([object, by, step], ["usage.series", "outcome", "hour"]);
    const counts = Object.fromEntries(series.map(({ name, total }) => [name, [total.requests, total.errors]]));
    assert.deepEqual(counts, { ok: [3, 0], content_policy: [1, 1], upstream_error: [1, 1], model_not_found: [1, 1] });
    const ok = series.find(({ name }) => name === "ok")?.total;
    assert.ok(ok && ok["p50_ms"] !== null && ok["p99_ms"] !== null && (ok["p99_ms"] ?? 0) >= (ok["p50_ms"] ?? 0));
    assert.deepEqual([ok["wait_p50_ms"], ok["input_tokens"], ok["output_tokens"]], [null, 24, 36]);
  });

  test("a model that does not exist is no name in it", async () => {
    const { series } = await usage("by=model", 6);
    assert.deepEqual(
      series.map(({ name, total }) => [name, total.requests]),
      [
        ["lab-chat", 5],
        ["", 1],
      ],
    );
  });

  test("the cost is what the balance lost, and the month's spending of the account", async () => {
    const [series] = (await usage("", 6)).series;
    const { body } = await service.client.get<{ available_usd: number; used_usd: number }>("/v1/balance");
    assert.equal(series?.total.cost_usd, body.used_usd);
    assert.equal(Math.round((100 - body.available_usd) * 1e9), Math.round(body.used_usd * 1e9));
    const { body: account } = await service.gateway.admin("GET", `/admin/v1/accounts/${service.account}`);
    assert.equal(account["spent_this_month_usd"], body.used_usd);
  });

  test("it can be told apart and narrowed, and points have no gaps", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { from, to, step, series } = await usage(`from=${now - 1800}&to=${now + 60}&by=provider&model=lab-chat&operation=chat`, 4);
    assert.equal(step, "minute");
    const [first] = series;
    assert.deepEqual(
      first?.points.map(({ at }) => at),
      Array.from({ length: (to - from) / 60 }, (_, n) => from + n * 60),
    );
    assert.equal(
      first?.points.reduce((sum, { requests }) => sum + requests, 0),
      first?.total.requests,
    );
    const { series: none } = await usage("operation=embedding", 0);
    assert.deepEqual(
      none.map(({ name, total }) => [name, total.requests]),
      [["", 0]],
    );
  });

  test("the table has the same numbers", async () => {
    const query = "by=outcome&step=hour";
    const { series } = await usage(query, 6);
    const { text, headers } = await service.client.get(`/v1/usage?${query}&format=csv`);
    assert.match(headers.get("content-type") ?? "", /^text\/csv/);
    assert.match(headers.get("content-disposition") ?? "", /attachment; filename="usage.csv"/);
    const shown = recordsOf(text).map(({ name, ...cells }) => ({
      name,
      ...Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, cell === "" ? null : Number(cell)])),
    }));
    assert.deepEqual(
      shown,
      series.flatMap(({ name, points }) => points.map((point) => ({ name, ...point }))),
    );
  });

  test("operators see all accounts and each of them, another client nothing of it", async () => {
    const { key } = await service.gateway.customer(1);
    const other = await service.client.as(key).get<Usage>("/v1/usage");
    assert.deepEqual(
      other.body.series.map(({ total }) => total.requests),
      [0],
    );
    const asked = async (query: string) =>
      (await service.gateway.admin("GET", `/admin/v1/usage/series?${query}`)) as { status: number; body: unknown };
    const { series } = (await asked("by=account")).body as Usage;
    assert.deepEqual(
      series.map(({ name, total }) => [name, total.requests]),
      [[service.account, 6]],
    );
    assert.equal(((await asked(`account=${service.account}&by=key`)).body as Usage).series.length, 1);
    assert.equal((await asked("account=nobody")).status, 404);
    assert.equal((await service.client.get("/admin/v1/usage/series")).status, 403);
  });

  test("ranges that make no sense or too many points are refused", async () => {
    for (const query of [
      "from=20&to=10",
      "from=0&step=minute",
      "by=colour",
      "step=year",
      "from=yesterday",
      "format=xml",
      "from=0&step=day&by=model",
    ]) {
      const { status, body } = await service.client.get<PlainError>(`/v1/usage?${query}`);
      assert.equal(status, 400, query);
      assert.equal(body.error.code, "invalid_request");
    }
  });

  test("a key that is limited to other groups sees neither usage nor ledger nor alerts", async () => {
    const client = service.client.as(await service.key({ scopes: ["chat"] }));
    for (const path of ["/v1/usage", "/v1/ledger", "/v1/alerts"]) assert.equal((await client.get(path)).status, 403);
    const allowed = service.client.as(await service.key({ scopes: ["usage"] }));
    for (const path of ["/v1/usage", "/v1/ledger", "/v1/alerts"]) assert.equal((await allowed.get(path)).status, 200);
  });
});

describe("usage of tasks", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.end());

  test("the end of a task is counted once, with the wait for its turn", async () => {
    const { key } = await gateway.customer(1);
    const made = await fetch(`${gateway.url}/musicA/submit/lyrics`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "wait=30" },
      body: JSON.stringify({ prompt: "a kite" }),
    });
    assert.equal(made.status, 200);
    const series = await eventually(async () => {
      const { body } = await gateway.admin("GET", "/admin/v1/usage/series?by=operation");
      const found = (body as unknown as Usage).series;
      return found.length > 0 && found;
    });
    assert.equal(series.length, 1);
    const [{ name, total } = { name: "", total: null }] = series;
    assert.deepEqual([name, total?.requests, total?.errors, total?.cost_usd], ["lyrics", 1, 0, 0.005]);
    assert.ok(typeof total?.["p50_ms"] === "number" && typeof total["wait_p50_ms"] === "number");
    assert.ok(total["wait_p50_ms"] <= total["p50_ms"] * 1.5);
    const { body } = await gateway.admin("GET", "/admin/v1/usage/series?by=provider");
    assert.deepEqual(
      (body as unknown as Usage).series.map((one) => one.name),
      ["local"],
    );
  });
});
