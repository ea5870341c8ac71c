import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { comfyui } from "../../lab/dialects/comfyui.ts";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createService, type Service } from "../crash/service.ts";
import { readTables } from "../crash/tables.ts";
import { createClient } from "../support/client.ts";
import { openTestDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { chosenStore } from "../support/store-choice.ts";
import type { Seen } from "./task-house.ts";

const credit = 100;
const graph = comfyui.models[0]?.name ?? "";
let bad: Lab;
let good: Lab;
let service: Service;
let folder: string;
let database: TestDatabase | null = null;

before(async () => {
  const script = { minSeconds: 0.5, maxSeconds: 0.5, queueSeconds: 0 };
  bad = await createLab({ script: { ...script, failRate: 1 } });
  good = await createLab({ script });
  folder = mkdtempSync(join(tmpdir(), "genway-killed-"));
  if (chosenStore() === "postgres") database = await openTestDatabase(basename(folder));
  const at = (lab: Lab, type: string, path = type, more = "") =>
    `{ type: ${type}, base_url: "${lab.baseUrl(path)}", keys: [lab-key], allow_private_network: true${more} }`;
  const video = (...routes: string[]) => `{ kinds: [video], price: { per_second: 0.1 }, routes: [${routes.join(", ")}] }`;
  service = await createService(
    folder,
    `${database === null ? "" : `store: { url: "${database.url}" }`}
providers:
  bad: ${at(bad, "runway")}
  runway: ${at(good, "runway")}
  narrow: ${at(good, "runway", "runway", ", limits: { concurrent: 1 }")}
  kling: ${at(good, "kling")}
  comfyui: ${at(good, "comfyui")}
  openai: ${at(good, "openai-compatible", "openai/v1")}
models:
  plain: ${video("{ provider: runway, model: gen4.5 }")}
  narrow: ${video("{ provider: narrow, model: gen4.5 }")}
  kling: ${video("{ provider: kling, model: kling-3.0 }")}
  to-runway: ${video("{ provider: bad, model: gen4.5 }", "{ provider: runway, model: gen4.5, priority: 1 }")}
  to-kling: ${video("{ provider: bad, model: gen4.5 }", "{ provider: kling, model: kling-3.0, priority: 1 }")}
  "${graph}": { kinds: [image], price: { per_image: 0.1 }, routes: [{ provider: comfyui }] }
  lab-image: { kinds: [image], price: { per_image: 0.1 }, routes: [{ provider: openai }] }
  lab-chat: { kinds: [chat], price: { per_call: 0.1 }, routes: [{ provider: openai }] }
`,
  );
});
after(async () => {
  await service.kill().catch(() => undefined);
  await bad.close();
  await good.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const jobs = (lab: Lab, prompt: string) => lab.jobs().filter((job) => job.prompt === prompt).length;
const calls = (prompt: string) => good.calls().filter((call) => call.prompt.includes(prompt)).length;
const drip = "[lab:drip=60]";

test("a service that is killed while tasks are in every phase goes on with each as its provider allows", { timeout: 90_000 }, async () => {
  await service.start(0);
  await service.admin("/admin/v1/accounts", { name: "customer", credit_usd: credit });
  const { key } = await service.admin("/admin/v1/keys", { account: "customer", name: "test" });
  const client = createClient(service.url, String(key));
  const post = async (path: string, body: object) => {
    const reply = await client.post<{ id: string }>(path, body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body.id;
  };
  const video = (model: string, prompt: string) => post(`/custom_video/model/${model}`, { prompt, duration: 5 });
  const picture = (model: string, prompt: string) => post("/v1/images/generations", { model, prompt, async: true });

  // These take a moment until the second provider has them.
  const moving = [await video("to-runway", `${drip} moves on`), await video("to-kling", `${drip} moves on to kling`)];
  const movers = () => jobs(good, `${drip} moves on`) === 1 && jobs(good, `${drip} moves on to kling`) === 1;
  await eventually(() => jobs(bad, `${drip} moves on`) === 1 && jobs(bad, `${drip} moves on to kling`) === 1);
  const polled = await video("plain", "[lab:seconds=3] polled");
  const blocker = await video("narrow", "[lab:seconds=3] blocks");
  const waiting = await video("narrow", "waits");
  await eventually(movers, { withinMs: 30_000, everyMs: 10 });
  const sending = {
    kling: await video("kling", `${drip} kling`),
    runway: await video("plain", `${drip} runway`),
    comfyui: await picture(graph, `${drip} comfyui`),
    image: await picture("lab-image", "[lab:delay=20000] image"),
    chat: await post("/v1/chat/completions", {
      model: "lab-chat",
      async: true,
      messages: [{ role: "user", content: "[lab:delay=20000 x1] chat" }],
    }),
  };
  await eventually(() => ["kling", "runway", "comfyui"].every((name) => jobs(good, `${drip} ${name}`) === 1), { everyMs: 10 });
  await eventually(() => calls("] image") === 1 && calls("] chat") === 1, { everyMs: 10 });
  await service.kill();

  // The leases of what was being sent are over when the next one starts.
  await service.start(31_000);
  const ended = (id: string) =>
    eventually(
      async () => {
        const { body } = await client.get<Seen>(`/v1/tasks/${id}`);
        return ["SUCCESS", "FAILURE"].includes(body.status) ? body : null;
      },
      { withinMs: 40_000, what: id },
    );
  const endOf = async (id: string | undefined) => {
    const { status, error, cost_usd: cost } = await ended(id ?? "");
    return [status, error?.code ?? null, cost];
  };
  const made = ["SUCCESS", null, 0.5];
  const unknown = ["FAILURE", "unknown_outcome", 0];
  assert.deepEqual(await endOf(polled), made);
  assert.deepEqual(await endOf(blocker), made);
  assert.deepEqual(await endOf(waiting), made);
  assert.deepEqual(await endOf(sending.kling), made, "kling can look it up");
  assert.deepEqual(await endOf(sending.comfyui), ["SUCCESS", null, 0.1], "comfyui can look it up");
  assert.deepEqual(await endOf(sending.runway), unknown);
  assert.deepEqual(await endOf(sending.image), unknown);
  assert.deepEqual(await endOf(sending.chat), ["SUCCESS", null, 0.1], "a call is asked again");
  const [toRunway, toKling] = await Promise.all(moving.map(endOf));
  // Whichever of the two was caught in the middle of being sent, none was sent twice.
  assert.ok(
    [made, unknown].some((end) => JSON.stringify(end) === JSON.stringify(toRunway)),
    String(toRunway),
  );
  assert.deepEqual(toKling, made);

  for (const prompt of ["[lab:seconds=3] polled", "[lab:seconds=3] blocks", "waits"]) assert.equal(jobs(good, prompt), 1, prompt);
  for (const name of ["kling", "runway", "comfyui", "moves on", "moves on to kling"]) assert.equal(jobs(good, `${drip} ${name}`), 1, name);
  assert.deepEqual([calls("] image"), calls("] chat")], [1, 2]);

  const { tasks, gates, accounts, transfers, entries } = await readTables(database ?? { folder: service.dataDir });
  assert.equal(
    entries.reduce((sum, { amount }) => sum + amount, 0),
    0,
  );
  const cost = tasks.reduce((sum, task) => sum + (task.cost ?? 0), 0);
  const customer = accounts.find(({ spent }) => spent > 0);
  assert.deepEqual([customer?.held, customer?.spent, customer?.available], [0, cost, credit * 1e9 - cost]);
  for (const { id } of tasks) assert.equal(transfers.filter((one) => one.id === `${id}:end`).length, 1);
  for (const { lane, used } of gates) assert.equal(used, 0, lane);
  await service.stop();
});
