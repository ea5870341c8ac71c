import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../core/errors.ts";
import type { Started } from "../../core/provider.ts";
import { imageJob, plainWork as work, provide, provideRaw, videoJob } from "./job.fixture.ts";
import type { JobSpec, StartOf } from "./spec.ts";

const outcome = (started: Started) => (started.state === "refused" ? started.refusal.class : started.state);

const uploading: StartOf<"video"> = {
  kind: "video",
  prepare: {
    skipped: { when: [{ at: "input.image", exists: true }], send: "POST /never", take: "id" },
    upload: { send: "POST /files", body: { for: "model" }, ok: [{ at: "fine", is: true }], take: ["file.id", "id"] },
    ticket: { send: "POST /tickets", body: { file: "prepared.upload" }, take: "ticket" },
  },
  send: "POST /jobs/{prepared.ticket}",
  headers: { "X-Reference": "{reference}", "x-none": "{keep.none}" },
  query: { webhook: "callback.url", tag: "options.tags" },
  body: { file: "prepared.upload", text: { from: "input.prompt", as: "upper" } },
  keep: { version: "v2" },
};

test("what was prepared fills the addresses and bodies that follow", async (context) => {
  const { provider, stub } = await provide(
    context,
    { start: [uploading], accepted: { id: "id", keep: { url: "url" } } },
    ({ url }) => {
      if (url === "/files") return { body: { fine: true, file: { id: "f1" } } };
      return { body: url === "/tickets" ? { ticket: "t/1" } : { id: 7, url: "https://a.example" } };
    },
    { options: { tags: ["a", "b"] } },
  );
  const started = await provider.start({ ...videoJob, callback: { url: "https://us.example/c?d=1", secret: "s" } }, work);
  assert.deepEqual(started, { state: "accepted", upstreamId: "7", keep: { version: "v2", url: "https://a.example" } });
  assert.deepEqual(
    stub.requests.map(({ url, body }) => [url, body]),
    [
      ["/files", { for: "m" }],
      ["/tickets", { file: "f1" }],
      ["/jobs/t%2F1?webhook=https%3A%2F%2Fus.example%2Fc%3Fd%3D1&tag=a&tag=b", { file: "f1", text: "WAVES" }],
    ],
  );
  const sent = stub.requests[2]?.headers;
  assert.deepEqual([sent?.["x-reference"], sent?.["x-none"]], ["t-1", undefined]);
});

test("what could not be prepared is a definite no, since no job was sent", async (context) => {
  const replies = [
    [{ status: 500, body: {} }, "transient"],
    [{ status: 400, body: { error: "FULL_UP" } }, "quota"],
    [{ body: { fine: false, error: "unsafe" } }, "content_policy"],
    [{ body: { fine: true } }, "transient"],
    [{ status: 429, body: {} }, "rate_limit"],
  ] as const;
  for (const [reply, expected] of replies) {
    const { provider, stub } = await provide(context, { start: [uploading] }, () => reply);
    assert.equal(outcome(await provider.start(videoJob, work)), expected);
    assert.equal(stub.requests.length, 1);
  }
});

test("a form carries texts, lists and files as parts, and its length is known", async (context) => {
  const way: StartOf<"image"> = {
    kind: "image",
    send: "POST /edits",
    form: { prompt: "input.prompt", n: "input.count", "image[]": { from: "input.images", as: "file" }, style: { a: { const: 1 } } },
  };
  const { provider, requests } = await provideRaw(context, { start: [way] }, () => ({ body: '{"id":"1"}' }));
  assert.ok(imageJob.kind === "image");
  const images = [{ from: "file", id: "1" } as const, { from: "file", id: "2" } as const];
  assert.equal((await provider.start({ ...imageJob, input: { ...imageJob.input, images } }, work)).state, "accepted");
  const [{ headers, text } = { headers: {}, text: "" }] = requests;
  const boundary = /boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1] ?? assert.fail("no boundary");
  assert.equal(Number(headers["content-length"]), text.length);
  const parts = text.split(`--${boundary}`).slice(1, -1);
  assert.deepEqual(
    parts.map((part) => [/name="([^"]*)"/.exec(part)?.[1], part.split("\r\n\r\n")[1]?.trim()]),
    [
      ["prompt", "a hill"],
      ["n", "1"],
      ["style", '{"a":1}'],
      ["image[]", "png"],
      ["image[]", "png"],
    ],
  );
  assert.match(parts[3] ?? "", /filename="file\.png"\r\ncontent-type: image\/png/);
});

test("a body may be made by code, and what it throws refuses the job", async (context) => {
  const way: StartOf<"video"> = {
    kind: "video",
    send: "POST /jobs",
    build: (job, { options }) => {
      if (options.tier === undefined) throw new Failure("not_supported", { says: "There is no tier.", param: "tier" });
      return { tier: options.tier, model: job.model };
    },
  };
  const { provider, stub } = await provide(context, { start: [way] }, () => ({ body: { id: 1 } }), { options: { tier: "pro" } });
  assert.equal((await provider.start(videoJob, work)).state, "accepted");
  assert.deepEqual(stub.requests[0]?.body, { tier: "pro", model: "m" });
  const { provider: bare, stub: unasked } = await provide(context, { start: [way] }, () => ({ body: { id: 1 } }));
  const refused = await bare.start(videoJob, work);
  assert.deepEqual(refused.state === "refused" && [refused.refusal.class, refused.refusal.says, refused.refusal.param], [
    "unsupported",
    "There is no tier.",
    "tier",
  ]);
  assert.equal(unasked.requests.length, 0);
});

test("several ids are one, joined with commas", async (context) => {
  const { provider } = await provide(context, { accepted: { id: "[*].id" } }, () => ({ body: [{ id: "a" }, { id: "b" }] }));
  assert.deepEqual(await provider.start(videoJob, work), { state: "accepted", upstreamId: "a,b" });
  const { provider: odd } = await provide(context, { accepted: { id: "[*].id" } }, () => ({ body: [{ id: {} }, { id: "b" }] }));
  assert.equal((await odd.start(videoJob, work)).state, "unknown");
});

test("what a model cannot do is refused as not supported, and nothing is sent", async (context) => {
  const { provider, stub } = await provide(context, { start: [{ kind: "image", send: "POST /x", body: {} }] }, () => ({}));
  assert.ok(imageJob.kind === "image");
  assert.equal(outcome(await provider.start({ ...imageJob, input: { ...imageJob.input, act: "pan" } }, work)), "unsupported");
  assert.equal(stub.requests.length, 0);
});

test("a lookup finds a job by our reference, tells that there is none, and does not take trouble for that", async (context) => {
  const change: Partial<JobSpec> = {
    start: [{ kind: "video", send: "POST /jobs", keep: { version: "v2" } }],
    lookup: { send: "GET /jobs?ref={reference}", id: "list[0].id", keep: { url: "list[0].url" } },
  };
  const answers = [{ body: { list: [{ id: 5, url: "u" }] } }, { body: { list: [] } }, { status: 404 }, { status: 500 }, { body: "odd" }];
  const { provider, stub } = await provide(context, change, () => answers.shift() ?? {});
  assert.equal(provider.recovery, "lookup");
  assert.deepEqual(await provider.lookup?.(videoJob, work), { state: "accepted", upstreamId: "5", keep: { version: "v2", url: "u" } });
  assert.equal(stub.requests[0]?.url, "/jobs?ref=t-1");
  assert.deepEqual([await provider.lookup?.(videoJob, work), await provider.lookup?.(videoJob, work)], [null, null]);
  assert.equal((await provider.lookup?.(videoJob, work))?.state, "unknown");
  assert.equal((await provider.lookup?.(videoJob, work))?.state, "unknown");
});
