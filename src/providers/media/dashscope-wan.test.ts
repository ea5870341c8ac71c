import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { VideoInput } from "../../core/kinds.ts";
import { dashscopeWan } from "./dashscope-wan.ts";
import { sent } from "./media.fixture.ts";

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const image = { from: "url", url: "https://pictures.example/a.png" } as const;

async function bodyOf(context: TestContext, model: string, input: Partial<VideoInput>): Promise<unknown> {
  return (await sent(context, dashscopeWan, { kind: "video", model, input: { ...wide, ...input } })).request?.body;
}

test("older models are told pixels, newer ones a resolution and a ratio", async (context) => {
  const common = { duration: 5, watermark: false };
  const input = { prompt: "waves" };
  assert.deepEqual(await bodyOf(context, "wan2.6-t2v", {}), {
    model: "wan2.6-t2v",
    input,
    parameters: { ...common, size: "1280*720" },
  });
  assert.deepEqual(await bodyOf(context, "wan2.6-t2v", { resolution: "1080p", aspectRatio: { width: 3, height: 4 } }), {
    model: "wan2.6-t2v",
    input,
    parameters: { ...common, size: "1248*1632" },
  });
  assert.deepEqual(await bodyOf(context, "wan2.7-t2v", { resolution: "1080p" }), {
    model: "wan2.7-t2v",
    input,
    parameters: { ...common, resolution: "1080P", ratio: "16:9" },
  });
});

test("a model for text alone is not sent a picture that it would pass over", async (context) => {
  for (const model of ["wan2.6-t2v", "wan2.7-t2v"]) {
    const { started, request } = await sent(context, dashscopeWan, { kind: "video", model, input: { ...wide, image } });
    assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
    assert.equal(request, undefined);
  }
});
