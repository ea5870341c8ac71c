import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { describeWholeConfiguration } from "../../lab/configuration.ts";
import { createLab } from "../../lab/lab.ts";
import { createStub } from "../../lab/stub.ts";
import { readRunFile } from "../../src/config/run-file.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import type { Envelope, List } from "../support/wire.ts";

type Row = Record<string, unknown>;
type Rows = List<Row>;
type Test = { ok: boolean; ms: number; says: string };

const upstreamKey = "sk-operated-0123456789-abcd";
const lab = await createLab({ keys: [upstreamKey], script: { minSeconds: 0.1, maxSeconds: 0.2, queueSeconds: 0 } });
// Answers by its path: what a message is answered with, and an upstream that fails.
const stub = await createStub(({ url }) =>
  url.startsWith("/gone")
    ? { status: 410 }
    : url.startsWith("/broken")
      ? { status: 500, body: { error: { message: `no ${upstreamKey}` } } }
      : {},
);
const more = (entries: string) => (file: string) => file.replace("\nmodels:\n", `\n${entries}models:\n`);
const yaml = more(
  `  broken: { type: openai-compatible, base_url: "${stub.url}/broken", keys: ["${upstreamKey}", "second-${upstreamKey}-efgh"], allow_private_network: true }\n` +
    `  locked: { type: openai-compatible, base_url: "${lab.baseUrl("openai/v1")}", keys: ["sk-nobody-knows-this-one-9999"], allow_private_network: true, limits: { concurrent: 3 } }\n`,
)(describeWholeConfiguration(lab, upstreamKey)).concat(
  "  fragile: { kinds: [chat], routes: [{ provider: broken, model: up, weight: 2 }], price: free, max_output_tokens: 77 }\n",
);
const gateway = await startGateway({ yaml: `${yaml}local: true\n`, env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
after(async () => {
  await gateway.end();
  await stub.close();
  await lab.close();
});
const file = join(gateway.dataDir, "test.yaml");
const { account, key } = await gateway.customer(50);
const client = createClient(gateway.url, key);
const admin = client.as(readRunFile(gateway.dataDir)?.token ?? "");
const rows = async (path: string) => (await admin.get<Rows>(path)).body.data;
const lineOf = (row: Row | undefined) => Number((row?.["place"] as Row | undefined)?.["line"]);
const acts = async () => (await rows("/admin/v1/audit?limit=100")).map(({ act, subject }) => [act, subject]);

test("a message that was given up is seen by operators, and is sent again when they say so", async () => {
  const made = await client.post<{ id: string }>("/v1/webhooks", { url: `${stub.url}/gone/x` });
  const lyrics = await client.post<Envelope<string>>("/musicA/submit/lyrics", { prompt: "sea", notify_hook: `${stub.url}/there` });
  const task = lyrics.body.data;
  const failed = await eventually(async () => (await rows("/admin/v1/deliveries?state=failed"))[0]);
  assert.deepEqual([failed["task"], failed["account"], failed["webhook"], failed["last_status"]], [task, account, made.body.id, 410]);
  await eventually(async () => (await rows(`/admin/v1/deliveries?state=delivered&account=${account}`)).length === 1);
  assert.equal((await rows("/admin/v1/deliveries")).length, 2);
  const own = await rows(`/admin/v1/webhooks/${made.body.id}/deliveries`);
  assert.deepEqual(
    own.map(({ id }) => id),
    [failed["id"]],
  );
  const [letter] = (await rows("/admin/v1/attention")).filter(({ kind }) => kind === "dead_letter");
  assert.deepEqual([letter?.["delivery"], letter?.["task"], letter?.["account"]], [failed["id"], task, account]);
  const story = (await admin.get<{ deliveries: Row[] }>(`/admin/v1/tasks/${task}`)).body;
  assert.equal(story.deliveries.length, 2);

  const { status, body } = await admin.post<Row>(`/admin/v1/deliveries/${failed["id"]}/resend`);
  assert.deepEqual([status, body["state"], body["attempts"]], [200, "pending", 0]);
  // The receiver wanted no more, so that its webhook is off.
  await eventually(async () => (await rows("/admin/v1/deliveries?state=dropped")).some(({ id }) => id === failed["id"]));
  assert.deepEqual((await acts())[0], ["delivery.resend", failed["id"]]);
  assert.equal((await admin.post("/admin/v1/deliveries/none/resend")).status, 404);
  assert.equal((await admin.get("/admin/v1/deliveries?state=lost")).status, 400);
  assert.equal((await client.get("/admin/v1/deliveries")).status, 403);
});

test("what needs attention is told page by page, each once", async () => {
  for (const prompt of ["a", "b", "c"]) await client.post("/musicA/submit/lyrics", { prompt, notify_hook: `${stub.url}/gone/${prompt}` });
  await eventually(async () => (await rows("/admin/v1/deliveries?state=failed")).length === 3);
  const all = (await rows("/admin/v1/attention?limit=100")).map(({ id }) => id);
  assert.equal(all.length, 3);
  const seen: unknown[] = [];
  for (let place = "", isMore = true; isMore;) {
    const { body } = await admin.get<Rows>(`/admin/v1/attention?limit=1${place}`);
    seen.push(...body.data.map(({ id }) => id));
    place = `&after=${seen.at(-1)}`;
    isMore = body.has_more;
  }
  assert.deepEqual(seen, all);
});

test("a key gets a new text: the old one stops at once, and everything else stays", async () => {
  const first = (await admin.post<Row>("/admin/v1/keys", { account, name: "turning", scopes: ["tasks"] })).body;
  const old = String(first["key"]);
  assert.equal((await client.as(old).get("/v1/tasks")).status, 200);
  const { status, body } = await admin.post<Row>(`/admin/v1/keys/${first["id"]}/rotate`);
  assert.equal(status, 200);
  const fresh = String(body["key"]);
  assert.notEqual(fresh, old);
  assert.deepEqual([body["id"], body["name"], body["scopes"], body["last_four"]], [first["id"], "turning", ["tasks"], fresh.slice(-4)]);
  assert.equal((await client.as(old).get("/v1/tasks")).status, 401);
  assert.equal((await client.as(fresh).get("/v1/tasks")).status, 200);
  assert.deepEqual((await acts())[0], ["key.rotate", first["id"]]);
  assert.ok(!(await admin.get("/admin/v1/audit")).text.includes(fresh));
  await admin.delete(`/admin/v1/keys/${first["id"]}`);
  assert.equal((await admin.post(`/admin/v1/keys/${first["id"]}/rotate`)).status, 400);
  assert.equal((await admin.post("/admin/v1/keys/none/rotate")).status, 404);
});

test("providers and models are shown with their places in the file, and without their keys", async () => {
  const providers = await rows("/admin/v1/providers");
  const lines = yaml.split("\n");
  for (const provider of providers) {
    const { line } = (provider["place"] ?? { line: null }) as { line: number | null };
    if (line !== null) assert.ok(lines[line - 1]?.startsWith(`  ${provider["name"]}:`), `${provider["name"]} at ${line}`);
  }
  const broken = providers.find(({ name }) => name === "broken");
  assert.deepEqual([broken?.["type"], broken?.["base_url"], broken?.["keys"]], ["openai-compatible", `${stub.url}/broken`, 2]);
  assert.equal((broken?.["place"] as Row | undefined)?.["file"], file);
  const calls = providers.find(({ name }) => name === "locked")?.["gates"] as Row[];
  assert.deepEqual(
    calls.filter(({ lane }) => lane === "calls"),
    [{ lane: "calls", credential: "****9999", used: 0, limit: 3 }],
  );
  const local = providers.find(({ name }) => name === "local");
  assert.deepEqual([local?.["type"], local?.["base_url"], local?.["place"]], ["local", null, null]);
  const model = (await rows("/admin/v1/models")).find(({ name }) => name === "fragile");
  assert.deepEqual(model?.["routes"], [{ provider: "broken", model: "up", priority: 0, weight: 2 }]);
  assert.equal(model?.["max_output_tokens"], 77);
  assert.match(lines[lineOf(model) - 1] ?? "", /^ {2}fragile:/);
  assert.ok(!JSON.stringify(providers).includes(upstreamKey));
});

test("a provider is tried out: it answers, refuses the key, fails, or is not there", async () => {
  const tried = async (name: string, body?: object) => (await admin.post<Test>(`/admin/v1/providers/${name}/test`, body)).body;
  const talk = (await rows("/admin/v1/providers")).find(({ name }) => name === "openai")?.["name"];
  assert.ok(talk, "the lab has an upstream of this type");
  const good = await tried(String(talk));
  assert.deepEqual([good.ok, /key was accepted|key was not tried/.test(good.says)], [true, true], good.says);
  const locked = await tried("locked");
  assert.deepEqual([locked.ok, locked.says.startsWith("The key was refused")], [false, true], locked.says);
  const broken = await tried("broken");
  assert.deepEqual([broken.ok, /\*\*\*\*abcd: It answered .*\*\*\*\*efgh: /.test(broken.says)], [false, true], broken.says);
  const job = await tried("runway");
  assert.deepEqual([job.ok, /key was not refused/.test(job.says)], [true, true], job.says);
  assert.equal((await tried("local")).ok, true);
  assert.equal((await tried("calls")).ok, true);
  assert.deepEqual((await acts())[0], ["provider.test", "calls"]);
  assert.equal((await admin.post("/admin/v1/providers/none/test")).status, 404);
  for (const { says } of [good, locked, broken, job]) assert.ok(!/0123456789|nobody-knows/.test(says), says);
});

test("one token is asked of a model, and no account pays for it", async () => {
  const before = (await client.get<Row>("/v1/balance")).body;
  const model = (await rows("/admin/v1/models")).find(({ kinds, routes }) => {
    const [route] = routes as Row[];
    return (kinds as string[]).includes("chat") && route?.["provider"] !== "local" && route?.["provider"] !== "broken";
  });
  const [route] = (model?.["routes"] ?? []) as Row[];
  const asked = lab.calls().length;
  const { body } = await admin.post<Test>(`/admin/v1/providers/${route?.["provider"]}/test`, { model: model?.["name"] });
  assert.deepEqual([body.ok, body.says], [true, `The model '${model?.["name"]}' answered.`]);
  assert.equal(lab.calls().length, asked + 1);
  assert.deepEqual((await client.get<Row>("/v1/balance")).body, before);
  const failed = (await admin.post<Test>("/admin/v1/providers/broken/test", { model: "fragile" })).body;
  assert.deepEqual([failed.ok, failed.says.includes("0123456789")], [false, false], failed.says);
});

test("a broken upstream rests, and operators see which, with which key, and until when", async () => {
  for (let tries = 0; tries < 6; tries++)
    await client.post("/v1/chat/completions", { model: "fragile", messages: [{ role: "user", content: "hi" }] });
  const resting = (await rows("/admin/v1/providers")).find(({ name }) => name === "broken")?.["resting"] as Row[];
  assert.ok(resting.length > 0);
  const [one] = resting;
  assert.deepEqual([one?.["model"], one?.["why"]], ["up", "broken"]);
  assert.match(String(one?.["key"]), /^\*{4}(abcd|efgh)$/);
  assert.ok(Number(one?.["until"]) > Date.now() / 1000 - 1);
  const [first] = await rows("/admin/v1/attention?limit=1");
  assert.deepEqual([first?.["kind"], first?.["provider"]], ["breaker", "broken"]);
});

test("the system page tells of the process, its store and what waits", async () => {
  const { status, body } = await admin.get<Record<string, Row>>("/admin/v1/system");
  assert.equal(status, 200);
  assert.deepEqual([body["version"], body["node"], body["role"], body["nodes"]], ["test", process.versions.node, "both", 1]);
  assert.deepEqual([body["store"]?.["kind"], body["store"]?.["ok"]], [gateway.storeUrl === null ? "sqlite" : "postgres", true]);
  assert.ok(Number(body["store"]?.["bytes"]) > 10_000);
  assert.equal(body["media"]?.["kind"], "disk");
  assert.ok(Number(body["disk"]?.["total_bytes"]) > Number(body["disk"]?.["free_bytes"]));
  assert.ok(Math.abs(Number(body["dispatcher"]?.["last_tick_at"]) - Date.now() / 1000) < 10);
  assert.ok(Number(body["memory"]?.["rss"]) > Number(body["memory"]?.["heap"]));
  assert.ok(Number(body["event_loop"]?.["p99_ms"]) >= Number(body["event_loop"]?.["p50_ms"]));
  assert.equal(body["checks"]?.["store"], "ok");
});

test("a text is judged as the configuration file would be, and shows nothing of the environment", async () => {
  process.env["GENWAY_TEST_SECRET"] = "hidden-in-the-environment";
  const judge = async (text: string) =>
    (await admin.post<{ ok: boolean; problems: Row[] } & Row>("/admin/v1/config/validate", { text })).body;
  const good = await judge(`${yaml}local: true\n`);
  assert.deepEqual([good.ok, good.problems], [true, []]);
  const bad = await judge("providers:\n  a: { type: '${GENWAY_TEST_SECRET}', keys: ['${NOT_SET}'] }\nmodels: {}\n");
  assert.deepEqual(
    bad.problems.map(({ line, path }) => [line, path]),
    [
      [2, "providers.a.type"],
      [2, "providers.a.keys[0]"],
      [3, "models"],
    ],
  );
  assert.ok(!JSON.stringify(bad).includes("hidden"));
  assert.ok(JSON.stringify(bad).includes("NOT_SET"));
  delete process.env["GENWAY_TEST_SECRET"];
  assert.equal((await judge("{ not: [yaml")).ok, false);
  assert.equal((await admin.post("/admin/v1/config/validate", { text: "x".repeat(300_000) })).status, 400);
});

test("operators see which file is in force, and that its latest change was refused", async () => {
  const look = async () => (await admin.get<Row>("/admin/v1/config")).body;
  const before = await look();
  assert.deepEqual([before["file"], before["refused"]], [file, null]);
  assert.equal(before["models"], (await rows("/admin/v1/models")).length);
  writeFileSync(file, `${yaml}local: perhaps\n`);
  const refused = await eventually(async () => (await look())["refused"] as Row | null);
  assert.match(String(refused["says"]), /local: must be/);
  writeFileSync(file, `${yaml}local: true\n`);
  await eventually(async () => (await look())["refused"] === null);
  writeFileSync(file, `# one line more\n${yaml}local: true\n`);
  const place = async () => lineOf((await rows("/admin/v1/models")).find(({ name }) => name === "fragile"));
  const line = yaml.split("\n").findIndex((text) => text.startsWith("  fragile:")) + 1;
  await eventually(async () => (await place()) === line + 1);
});

test("every reply of this journey keeps the contract", () => client.book.check());
