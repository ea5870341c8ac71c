import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { ImageInput, VideoInput } from "../../core/kinds.ts";
import { pollVideo, providerOf, sent } from "./media.fixture.ts";
import { replicate } from "./replicate.ts";

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const drawn: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;

async function imageBody(context: TestContext, input: Partial<ImageInput>, options = {}): Promise<unknown> {
  const job = { kind: "image", model: "acme/paint", input: { ...drawn, ...input } } as const;
  return (await sent(context, replicate, job, { options })).request?.body;
}

test("every name of a model goes to one address", async (context) => {
  for (const model of ["acme/animate", "acme/animate:0123abc", "0123abc"]) {
    const { request } = await sent(context, replicate, { kind: "video", model, input: wide });
    assert.equal(`${request?.method} ${request?.url}`, "POST /predictions");
    assert.deepEqual(request?.body, { version: model, input: { prompt: "waves", duration: 5, aspect_ratio: "16:9" } });
  }
});

test("what a model does not take is left out where the operator says so", async (context) => {
  const options = { duration: "none", aspect_ratio: "none", image_field: "start_image" };
  const { request } = await sent(context, replicate, { kind: "video", model: "a/b", input: { ...wide, image: picture } }, { options });
  assert.deepEqual(request?.body, { version: "a/b", input: { prompt: "waves", start_image: picture.url } });
});

test("nobody gets more pictures than were paid for", async (context) => {
  const input = { prompt: "a lighthouse", num_outputs: 1, steps: 4 };
  assert.deepEqual(await imageBody(context, { extras: { num_outputs: 4, steps: 4 } }), { version: "acme/paint", input });
});

test("several pictures are a list", async (context) => {
  const input = { prompt: "a lighthouse", image_input: [picture.url, picture.url] };
  assert.deepEqual(await imageBody(context, { act: "edit", images: [picture, picture] }), { version: "acme/paint", input });
});

test("an output is an address, a list or an object", async (context) => {
  let output: unknown;
  const { provider } = await providerOf(context, replicate, () => ({ body: { id: "1", status: "succeeded", output } }));
  const url = "https://replicate.delivery/v.mp4";
  for (output of [url, [url], { video: url }]) {
    const done = await pollVideo(provider);
    assert.deepEqual(done?.state === "done" && done.output.kind === "video" && done.output.video, { from: "url", url });
  }
});
