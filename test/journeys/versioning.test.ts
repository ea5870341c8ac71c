import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";

const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, gateway.firstKey);

/** What the first interface showed, with a body as it showed it. */
const frozen: [string, string, object][] = [
  ["POST", "/custom_video/model/gen4_turbo", { prompt: "a fox", image: "https://example.org/fox.png", duration: 5, aspect_ratio: "16:9" }],
  [
    "POST",
    "/musicA/submit/music",
    {
      continue_at: 0,
      continue_clip_id: "",
      gpt_description_prompt: "a song about rain",
      make_instrumental: false,
      mv: "chirp-v3-5",
      prompt: "",
      tags: "",
      task_id: "",
      title: "",
    },
  ],
  [
    "POST",
    "/musicB/submit/music",
    {
      gen_params: {
        prompt: "electronic",
        lyrics: "",
        lyrics_type: "generate",
        bypass_prompt_optimization: false,
        seed: -1,
        song_section_start: 0.4,
        prompt_strength: 0.5,
        clarity_strength: 0.25,
        lyrics_strength: 0.5,
        generation_quality: 0.75,
        model_type: "udio32-v1.5",
        config: { mode: "regular" },
      },
    },
  ],
];

test("the frozen addresses take what the first interface showed, without a version and without a warning", async () => {
  for (const [method, path, body] of frozen) {
    const reply = await client.call<Record<string, string>>(method, path, body);
    assert.equal(reply.status, 200, `${path} → ${reply.text}`);
    assert.equal(reply.headers.get("x-genway-warning"), null, path);
    for (const header of ["deprecation", "sunset"]) assert.equal(reply.headers.get(header), null, `${path} ${header}`);
    await client.post(`/v1/tasks/${reply.body["task_id"] ?? reply.body["data"] ?? reply.body["id"]}/cancel`);
  }
});

test("the queries that belong to them answer too", async () => {
  for (const path of ["/custom_video/fetch/x", "/musicA/fetch/x", "/musicB/fetch/x"]) {
    const { status, body } = await client.get<{ code: string }>(path);
    assert.deepEqual([status, body.code], [404, "task_not_found"], path);
  }
  assert.equal((await client.post("/musicA/fetch", { ids: [] })).status, 200);
  assert.equal((await client.post("/musicA/submit/lyrics", { prompt: "x" })).status, 200);
  assert.equal((await client.get("/v1/models")).status, 200);
  assert.equal((await client.get("/v1/balance")).status, 200);
});

test("what a newer client sends in addition does not break a request", async () => {
  const reply = await client.post<Record<string, string>>("/musicA/submit/lyrics", { prompt: "x", from_the_future: { deep: [1, 2] } });
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get("x-genway-warning") ?? "", /from_the_future/);
});

test("the policy is written down, and says what the contract says", () => {
  const page = new URL("../../docs/versioning.md", import.meta.url);
  assert.ok(existsSync(page));
  const text = readFileSync(page, "utf8");
  for (const word of [
    "frozen",
    "/v2",
    "Deprecation",
    "Sunset",
    "six months",
    "/custom_video/model/{model}",
    "/musicA/submit/music",
    "/musicB/submit/music",
    "/v1/completions",
  ])
    assert.ok(text.includes(word), word);
});

test("every reply of this journey keeps the contract", () => client.book.check());
