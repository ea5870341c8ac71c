import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { imageJob, plainSpec, plainWork as work, provideRaw } from "./job.fixture.ts";
import { createJob } from "./job.ts";
import type { JobSpec } from "./spec.ts";

const record: Partial<JobSpec> = {
  start: [{ kind: "image", send: "POST /pictures", body: { prompt: "input.prompt" }, answers: "record" }],
  status: { words: {}, rules: [{ when: [{ at: "blocked", is: true }], means: "content_policy" }] },
  results: { image: { pictures: "data", media: { at: "b64", as: "base64" }, withheld: [{ at: "hidden", is: true }] } },
};

async function startOf(context: TestContext, change: Partial<JobSpec>, body: string | Buffer, type?: string, status?: number) {
  const { provider } = await provideRaw(context, change, () => ({ body, ...(type && { type }), ...(status && { status }) }));
  return provider.start(imageJob, work);
}

test("an answer may be the finished record, also a long one", async (context) => {
  const b64 = Buffer.alloc(9 * 1024 * 1024, "png").toString("base64");
  const started = await startOf(context, record, JSON.stringify({ data: [{ b64 }] }));
  assert.ok(started.state === "done" && started.output.kind === "image");
  const [picture] = started.output.pictures;
  assert.ok(picture?.media.from === "bytes");
  assert.equal(picture.media.bytes.byteLength, 9 * 1024 * 1024);
});

const spoiled: readonly [string, string, string][] = [
  ["pictures that are all withheld", '{"data":[{"b64":"cG5n","hidden":true}]}', "content_policy"],
  ["a record that a rule knows as blocked", '{"blocked":true}', "content_policy"],
  ["a record without any picture", '{"data":[]}', "transient"],
  ["a list that is a number", '{"data":7}', "unknown"],
  ["pictures that are none", '{"data":[{"b64":{}}]}', "unknown"],
  ["an error that nobody announced", '{"error":"ODD"}', "unknown"],
  ["half a record", '{"data":[', "unknown"],
  ["a text", '"data"', "unknown"],
  ["a page", "<html>", "unknown"],
];
for (const [name, body, expected] of spoiled) {
  test(`${name} in place of a result means ${expected}`, async (context) => {
    const started = await startOf(context, record, body);
    assert.equal(started.state === "refused" ? started.refusal.class : started.state, expected);
  });
}

test("an answer may be the medium itself, and JSON in its place is not", async (context) => {
  const bytes: Partial<JobSpec> = { ...record, start: [{ kind: "image", send: "POST /pictures", answers: "bytes" }] };
  assert.deepEqual(await startOf(context, bytes, Buffer.from([1, 2, 3]), "image/png"), {
    state: "done",
    output: { kind: "image", pictures: [{ media: { from: "bytes", bytes: Buffer.from([1, 2, 3]) } }] },
  });
  assert.equal((await startOf(context, bytes, '{"oops":1}')).state, "unknown");
  assert.equal((await startOf(context, bytes, "<html>", "text/html")).state, "unknown");
  assert.equal((await startOf(context, bytes, "", "image/png")).state, "unknown");
  const no = await startOf(context, bytes, '{"error":"very_unsafe"}', "application/json", 400);
  assert.equal(no.state === "refused" && no.refusal.class, "content_policy");
});

test("a provider all of whose ways answer at once has no questions to ask", () => {
  const { poll: _poll, accepted: _accepted, ...rest } = plainSpec;
  const { tasks } = createJob({ ...rest, ...record }).create({ name: "x", baseUrl: "https://a.example", allowPrivateNetwork: false });
  assert.deepEqual([tasks.poll, tasks.pollMany, tasks.lookup, tasks.recovery], [undefined, undefined, undefined, "none"]);
});
