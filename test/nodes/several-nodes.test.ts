import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startFleet } from "./fleet.ts";

const fleet = await startFleet();
after(() => fleet?.end());

describe("several nodes on one PostgreSQL", { skip: fleet === null && "no PostgreSQL on this machine" }, () => {
  if (fleet === null) return;
  const [one, two] = fleet.gateways;
  const { worker } = fleet;
  const body = { prompt: "a kite", duration: 2 };

  test("whoever waits at the node that accepted a task hears of its end at another", async () => {
    const { key } = await one.customer(10);
    const { status, body: task } = await createClient(one.url, key).post<{ status: string }>("/custom_video/model/gen4.5", body, {
      headers: { prefer: "wait=30" },
    });
    assert.deepEqual([status, task.status], [200, "SUCCESS"]);
  });

  test("events of a task arrive at a node that does not run it", async () => {
    const { key } = await one.customer(10);
    const made = await createClient(one.url, key).post<{ id: string }>("/custom_video/model/gen4.5", body);
    const reply = await fetch(`${two.url}/v1/tasks/${made.body.id}/events`, { headers: { authorization: `Bearer ${key}` } });
    const text = await reply.text();
    const seen = [...text.matchAll(/"status":"([A-Z_]+)"/g)].map(([, status]) => status);
    assert.equal(seen.at(-1), "SUCCESS");
    assert.ok(seen.length >= 2, `only ${seen.join()}`);
  });

  test("a key that is revoked at one node stops at the others at once", async () => {
    const { key } = await one.customer(10);
    const client = createClient(two.url, key);
    assert.equal((await client.get("/v1/balance")).status, 200);
    const began = performance.now();
    assert.equal((await one.admin("DELETE", `/admin/v1/keys/${key.split("_")[1]}`)).status, 200);
    await eventually(async () => ((await client.get("/v1/balance")).status === 401 ? true : null), { withinMs: 5_000, everyMs: 50 });
    assert.ok(performance.now() - began < 5_000);
  });

  test("a provider that is switched off at one node is off for all, and on again", async () => {
    assert.equal((await one.admin("PATCH", "/admin/v1/providers/runway", { off: true })).status, 200);
    const { key } = await one.customer(10);
    const client = createClient(two.url, key);
    const off = async () => {
      const { body: list } = await two.admin("GET", "/admin/v1/providers");
      return (list["data"] as { name: string; off: boolean }[]).find(({ name }) => name === "runway")?.off === true ? true : null;
    };
    await eventually(off, { withinMs: 5_000, everyMs: 50 });
    const made = await client.post<{ id: string }>("/custom_video/model/gen4.5", body);
    assert.equal((await one.admin("PATCH", "/admin/v1/providers/runway", { off: false })).status, 200);
    if (made.status !== 200) return;
    await eventually(
      async () => ((await client.get<{ status: string }>(`/v1/tasks/${made.body.id}`)).body.status === "SUCCESS" ? true : null),
      { withinMs: 20_000, everyMs: 100 },
    );
  });

  test("work in hand at one node is cut off when another cancels its task", async () => {
    const { key } = await one.customer(10);
    const client = createClient(one.url, key);
    const song = { gpt_description_prompt: "a calm song about the sea", mv: "song" };
    const { body: made } = await client.post<{ data: string }>("/musicA/submit/music", song);
    const statusOf = async () => (await client.get<{ status: string }>(`/v1/tasks/${made.data}`)).body.status;
    await eventually(async () => ((await statusOf()) === "IN_PROGRESS" ? true : null), { withinMs: 20_000, everyMs: 20 });
    const cancelled = await createClient(two.url, key).post<{ charged: boolean }>(`/v1/tasks/${made.data}/cancel`);
    assert.equal(cancelled.status, 200, cancelled.text);
    await eventually(async () => (worker.logged.some((line) => line.includes("it was ended at another node")) ? true : null), {
      withinMs: 5_000,
      everyMs: 50,
    });
    const next = await client.post<{ data: string }>("/musicA/submit/music", song, { headers: { prefer: "wait=60" } });
    assert.equal(next.status, 200);
  });

  test("a process that runs tasks says how it is, and sends everybody else away", async () => {
    assert.equal((await fetch(`${worker.url}/health`)).status, 200);
    const ready = await fetch(`${worker.url}/ready`);
    assert.equal(ready.status, 200, await ready.text());
    const other = await fetch(`${worker.url}/v1/models`);
    assert.equal(other.status, 404);
    assert.match(await other.text(), /GENWAY_ROLE=worker/);
    const { checks }: { checks: Record<string, string> } = JSON.parse(await (await fetch(`${one.url}/ready`)).text());
    assert.equal(checks["workers"], "ok");
    assert.equal(checks["dispatcher"], undefined);
  });

  test("calls at two nodes together spend what there is, and not more", async () => {
    const { key, account } = await one.customer(0.01);
    const ask = (at: string) =>
      fetch(`${at}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "talker", messages: [{ role: "user", content: "hello" }], max_tokens: 100 }),
      }).then(async (reply) => ({ status: reply.status, text: await reply.text() }));
    const statuses = new Map<number, number>();
    for (let round = 0; round < 40; round++)
      for (const { status } of await Promise.all([one, two, one, two].map(({ url }) => ask(url))))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.ok((statuses.get(200) ?? 0) > 10, JSON.stringify([...statuses]));
    assert.deepEqual(
      [...statuses.keys()].filter((status) => status !== 200 && status !== 402),
      [],
    );
    const { body: found } = await two.admin("GET", `/admin/v1/accounts/${account}`);
    assert.ok(Number(found["balance_usd"] ?? found["available_usd"]) >= 0, JSON.stringify(found));
  });
});
