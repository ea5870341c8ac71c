import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { createStub } from "../../lab/stub.ts";
import type { StubReply } from "../../lab/stub.ts";
import type { Job, Work } from "../../src/core/provider.ts";
import { testCallbacks } from "../conformance/callback-rules.ts";
import { testPolls } from "../conformance/poll-rules.ts";
import { createProbe } from "../conformance/provider-probe.ts";
import { testStarts } from "../conformance/start-rules.ts";
import { acmeMotionDialect } from "./example-dialect.ts";
import { acmeMotion } from "./example-provider.ts";

test("the example of an adapter and of its lab script are shown as they are compiled", () => {
  const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
  const page = textOf("../../docs/add-a-provider.md");
  for (const file of ["./example-provider.ts", "./example-dialect.ts"])
    assert.ok(page.includes(`\`\`\`ts\n${textOf(file)}\`\`\``), `docs/add-a-provider.md shows another text than ${file}`);
});

describe("the example of an adapter keeps the rules of the conformance suite", () => {
  const probe = createProbe(acmeMotion, acmeMotionDialect);
  before(probe.open);
  after(probe.close);
  testStarts(probe);
  testPolls(probe);
  testCallbacks(probe);
});

test("the example of an adapter writes what its page says, and tells refusals apart", async (context) => {
  const replies: StubReply[] = [
    { status: 201, body: { job: { id: "j-1" } } },
    { status: 402, body: { error: { code: "out_of_credit" } } },
    { status: 500, body: { error: { code: "no_capacity" } } },
    { status: 500, body: {} },
  ];
  const stub = await createStub(() => replies.shift() ?? { status: 404 });
  context.after(() => stub.close());
  const provider = acmeMotion.create({ name: "acme", baseUrl: stub.url, allowPrivateNetwork: true }).tasks;

  assert.deepEqual(await provider.start(job, work), { state: "accepted", upstreamId: "j-1" });
  assert.deepEqual(stub.requests[0]?.body, {
    model: "motion-1",
    text: "waves",
    seconds: 5,
    size: "1280:720",
    options: { watermark: false },
  });
  assert.equal(stub.requests[0]?.headers["x-api-key"], "secret-123");
  const outcomes = [await provider.start(job, work), await provider.start(job, work), await provider.start(job, work)];
  assert.deepEqual(
    outcomes.map((started) => (started.state === "refused" ? started.refusal.class : started.state)),
    ["quota", "transient", "unknown"],
  );
});

const job: Job = {
  kind: "video",
  taskId: "t",
  attempt: 1,
  idempotencyKey: "t-1",
  model: "motion-1",
  input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } },
};
const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: () => Promise.reject(new Error("nothing to load")),
};
