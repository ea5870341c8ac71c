import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createClient, GenwayError } from "../../src/client/client.ts";
import { startGateway } from "../support/gateway.ts";

const gateway = await startGateway();
const folder = mkdtempSync(join(tmpdir(), "genway-client-"));
after(async () => {
  await gateway.end();
  rmSync(folder, { recursive: true, force: true });
});
const { key } = await gateway.customer(5);
const client = createClient({ baseUrl: `${gateway.url}/`, key });

test("every operation is there by its address", async () => {
  const { data } = await client.unwrap(client.GET("/v1/models"));
  assert.ok(data.some(({ kinds }) => kinds.includes("video")));
  const balance = await client.unwrap(client.GET("/v1/balance"));
  assert.equal(balance.available_usd, 5);
});

test("lyrics are accepted, followed and read", async () => {
  const task = await client.generate.lyrics({ prompt: "the first snow" });
  const seen: string[] = [];
  const { result, cost_usd: cost } = await task.wait({ onProgress: ({ status }) => seen.push(status), timeoutMs: 30_000 });
  assert.equal(seen.at(-1), "SUCCESS");
  assert.ok(String(Reflect.get(Object(result), "text")).length > 20);
  assert.equal(cost, 0.005);
  const again: string[] = [];
  for await (const { status } of client.events(task.id)) again.push(status);
  assert.deepEqual(again, ["SUCCESS"]);
});

test("a picture is made as a task and written to a file, whole", async () => {
  const task = await client.generate.image({ prompt: "a red fox", size: "64x64" });
  const { assets } = await client.wait(task.id, { timeoutMs: 60_000 });
  const [asset] = assets;
  assert.ok(asset !== undefined);
  const path = join(folder, "fox.png");
  assert.equal(await client.download(asset, path), asset.bytes);
  assert.equal(readFileSync(path).length, asset.bytes);
  const chunks: Uint8Array[] = [];
  await client.download(asset.url, new WritableStream({ write: (chunk) => void chunks.push(chunk) }));
  assert.deepEqual(Buffer.concat(chunks), readFileSync(path));
  assert.deepEqual(readdirSync(folder), ["fox.png"]);
});

test("the same idempotency key makes one task", async () => {
  const create = () => client.generate.lyrics({ prompt: "twice" }, { idempotencyKey: "once" });
  const [one, two] = [await create(), await create()];
  assert.equal(one.id, two.id);
  await one.wait();
});

test("a create whose reply is lost on the way is sent again and makes one task", async () => {
  let isLost = false;
  const shaky = createClient({
    baseUrl: gateway.url,
    key,
    async fetch(request) {
      const response = await fetch(request);
      if (isLost || request.method !== "POST") return response;
      isLost = true;
      await response.body?.cancel();
      throw new TypeError("the connection broke");
    },
  });
  const before = await client.unwrap(client.GET("/v1/tasks", { params: { query: { kind: "lyrics", limit: "100" } } }));
  const task = await shaky.generate.lyrics({ prompt: "lost and found" });
  await task.wait();
  const now = await client.unwrap(client.GET("/v1/tasks", { params: { query: { kind: "lyrics", limit: "100" } } }));
  assert.equal(now.data.length, before.data.length + 1);
});

test("a refusal is an error with everything the service said", async () => {
  const refused = (check: (error: GenwayError) => boolean) => (error: unknown) => error instanceof GenwayError && check(error);
  await assert.rejects(
    client.unwrap(client.GET("/v1/tasks/{id}", { params: { path: { id: "none" } } })),
    refused(({ status, code, requestId }) => status === 404 && code === "task_not_found" && requestId !== null),
  );
  await assert.rejects(
    createClient({ baseUrl: gateway.url, key: "sk-wrong" }).generate.lyrics({ prompt: "x" }),
    refused(({ status, code }) => status === 401 && code === "invalid_key"),
  );
  await assert.rejects(
    client.generate.image({ prompt: " " }),
    refused(({ status, param, message }) => status === 400 && param === "prompt" && message.includes("'prompt'")),
  );
  const poor = createClient({ baseUrl: gateway.url, key: (await gateway.customer(0)).key });
  await assert.rejects(
    poor.generate.music({ prompt: "a song" }),
    refused(({ status, code }) => status === 402 && code === "insufficient_balance"),
  );
});

test("a service that is not there is said so", async () => {
  const nowhere = createClient({ baseUrl: "http://127.0.0.1:1", retries: 0 });
  await assert.rejects(
    nowhere.unwrap(nowhere.GET("/health")),
    (error) => error instanceof GenwayError && error.code === "unreachable" && error.message.includes("127.0.0.1:1"),
  );
});

test("a task can be cancelled", async () => {
  const task = await client.generate.video({ prompt: "a long one", duration: 20 });
  const { charged } = await task.cancel();
  assert.equal(charged, false);
  await assert.rejects(task.wait(), (error) => error instanceof GenwayError && error.code === "cancelled");
});
