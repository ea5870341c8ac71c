import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import pg from "pg";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import type { Balance } from "../support/wire.ts";
import { startFleet } from "./fleet.ts";

const fleet = await startFleet(
  "  vectors: { kinds: [embedding], price: { per_call: 0.01 }, routes: [{ provider: talk, model: lab-embed }] }",
);
after(() => fleet?.end());

const path = "/v1/chat/completions";
const chat = (content: string, more: object = {}) => ({ model: "talker", messages: [{ role: "user", content }], max_tokens: 3, ...more });
const under = (key: string) => ({ headers: { "idempotency-key": key } });
type Reply = { id: string; usage: { cost: number } };

describe("calls with an Idempotency-Key at several nodes", { skip: fleet === null && "no PostgreSQL on this machine" }, () => {
  if (fleet === null) return;
  const { gateways, lab, url } = fleet;
  const [one, two] = gateways;
  const made = (prompt: string) => lab.calls().filter((call) => call.prompt === prompt).length;
  const used = async (client: Client) => (await client.get<Balance>("/v1/balance")).body.used_usd;

  async function customer(): Promise<[Client, Client]> {
    const { key } = await one.customer(1);
    return [createClient(one.url, key), createClient(two.url, key)];
  }

  async function ask(statement: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client
      .query(statement, values)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  test("the same call sent to another node gets the first reply at once, free of charge", async () => {
    const [here, there] = await customer();
    for (let n = 0; n < 20; n++) {
      const prompt = `once ${n}`;
      const first = await here.post<Reply>(path, chat(prompt), under(`k${n}`));
      const second = await there.post<Reply>(path, chat(prompt), under(`k${n}`));
      assert.deepEqual([second.status, second.body], [200, first.body]);
      assert.deepEqual([first.headers.get("idempotent-replayed"), second.headers.get("idempotent-replayed")], [null, "true"]);
      assert.equal(made(prompt), 1);
    }
    const paid = await eventually(async () => ((await used(here)) > 0 ? await used(here) : null), { everyMs: 50 });
    assert.equal(await used(there), paid);
  });

  test("another request under the key is refused at every node, and another account's key is its own", async () => {
    const [here, there] = await customer();
    assert.equal((await here.post(path, chat("mine"), under("k"))).status, 200);
    const other = await there.post<{ error: { code: string } }>(path, chat("not mine"), under("k"));
    assert.deepEqual([other.status, other.body.error.code], [422, "idempotency_mismatch"]);
    const [, stranger] = await customer();
    const own = await stranger.post(path, chat("not mine"), under("k"));
    assert.deepEqual([own.status, own.headers.get("idempotent-replayed")], [200, null]);
  });

  test("of the same call sent to two nodes at once one is made, and the other told to come again", async () => {
    const clients = await customer();
    for (let n = 0; n < 10; n++) {
      const prompt = `both ${n} [lab:delay=60]`;
      const replies = await Promise.all([0, 1, 2, 3].map((at) => clients[at % 2 === 0 ? 0 : 1].post(path, chat(prompt), under(`b${n}`))));
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409, 409, 409],
      );
      for (const { status, headers } of replies) assert.equal(headers.get("retry-after"), status === 409 ? "1" : null);
      assert.equal(made(prompt), 1);
    }
  });

  test("a call that failed, and a stream, is made anew at another node", async () => {
    const [here, there] = await customer();
    assert.equal((await here.post(path, chat("bad [lab:refuse=invalid x1]"), under("c"))).status, 400);
    assert.equal((await there.post(path, chat("bad [lab:refuse=invalid x1]"), under("c"))).status, 200);
    assert.equal((await here.post(path, chat("streamed", { stream: true }), under("d"))).status, 200);
    await eventually(async () => ((await there.post(path, chat("streamed", { stream: true }), under("d"))).status === 200 ? true : null), {
      everyMs: 20,
    });
    assert.equal(made("streamed"), 2);
  });

  test("a call whose node is gone is made anew, and the late reply of the first changes nothing", async () => {
    const [here, there] = await customer();
    const prompt = "orphan [lab:delay=700]";
    const late = here.post<Reply>(path, chat(prompt), under("o"));
    await eventually(async () => (made(prompt) === 1 ? true : null), { everyMs: 10 });
    assert.equal((await there.post(path, chat(prompt), under("o"))).status, 409);
    // As if the node had died: nobody has seen the one that the call is of.
    await ask("update reply set node = 'gone' where key = 'o' and state = 'open'");
    const second = await there.post<Reply>(path, chat(prompt), under("o"));
    assert.deepEqual([second.status, second.headers.get("idempotent-replayed"), made(prompt)], [200, null, 2]);
    assert.equal((await late).status, 200);
    for (const client of [here, there]) assert.equal((await client.post<Reply>(path, chat(prompt), under("o"))).body.id, second.body.id);
  });

  test("a reply above 1 MiB is given again by the node that has it, and made anew by another", async () => {
    const [here, there] = await customer();
    const input = Array.from({ length: 30 }, (_, at) => `large ${at}`);
    const embed = (client: Client, more: object = {}) =>
      client.post("/v1/embeddings", { model: "vectors", input, dimensions: 4_096, ...more }, under("l"));
    const replayed = async (client: Client) => {
      const { status, headers } = await embed(client);
      return [status, headers.get("idempotent-replayed")];
    };
    assert.deepEqual(await replayed(here), [200, null]);
    assert.deepEqual(await replayed(here), [200, "true"]);
    assert.deepEqual(await replayed(there), [200, null]);
    assert.equal((await embed(there, { dimensions: 8 })).status, 422);
  });

  test("a call without the header leaves no trace among the replies", async () => {
    const [here] = await customer();
    const count = async () => (await ask("select count(*) as n from reply"))[0]?.["n"];
    const before = await count();
    assert.equal((await here.post(path, chat("plain"))).status, 200);
    assert.equal(await count(), before);
  });
});
