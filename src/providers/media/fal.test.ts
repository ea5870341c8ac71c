import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { ImageInput, VideoInput } from "../../core/kinds.ts";
import { fal } from "./fal.ts";
import { pollVideo, providerOf, sent } from "./media.fixture.ts";

const wide: VideoInput = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } };
const drawn: ImageInput = { act: "generate", prompt: "a lighthouse", images: [], count: 1, grid: false };
const picture = { from: "url", url: "https://pictures.example/a.png" } as const;

async function bodyOf(context: TestContext, model: string, input: Partial<VideoInput>, options = {}): Promise<unknown> {
  const { request } = await sent(context, fal, { kind: "video", model, input: { ...wide, ...input } }, { options });
  assert.equal(request?.url, `/${model}`);
  return request.body;
}

test("a duration is written as the model wants it, or as the operator says", async (context) => {
  const common = { prompt: "waves", aspect_ratio: "16:9" };
  assert.deepEqual(await bodyOf(context, "fal-ai/pika/v2.2/text-to-video", {}), { ...common, duration: 5 });
  assert.deepEqual(await bodyOf(context, "fal-ai/veo3", { durationSeconds: 8 }), { ...common, duration: "8s" });
  assert.deepEqual(await bodyOf(context, "fal-ai/other", {}), { ...common, duration: "5" });
  assert.deepEqual(await bodyOf(context, "fal-ai/veo3", {}, { duration: "number" }), { ...common, duration: 5 });
  assert.deepEqual(await bodyOf(context, "fal-ai/veo3", {}, { duration: "none" }), common);
});

test("what the client sends along goes into the input, but not before what is paid for", async (context) => {
  const extras = { cfg_scale: 0.7, duration: 60, prompt: "storms" };
  assert.deepEqual(await bodyOf(context, "fal-ai/other", { extras }), {
    cfg_scale: 0.7,
    prompt: "waves",
    aspect_ratio: "16:9",
    duration: "5",
  });
});

test("a picture goes where the operator says that models take it", async (context) => {
  const image = { prompt: "waves", aspect_ratio: "16:9", duration: "5" };
  assert.deepEqual(await bodyOf(context, "fal-ai/x", { image: picture }), { ...image, image_url: picture.url });
  const options = { image_field: "start_image_url" };
  assert.deepEqual(await bodyOf(context, "fal-ai/x", { image: picture }, options), { ...image, start_image_url: picture.url });
});

test("several pictures are a list, and one of them is none", async (context) => {
  const edit = (images: ImageInput["images"]) =>
    sent(context, fal, { kind: "image", model: "fal-ai/edit", input: { ...drawn, act: "edit", images } });
  const common = { prompt: "a lighthouse", num_images: 1 };
  assert.deepEqual((await edit([picture])).request?.body, { ...common, image_url: picture.url });
  assert.deepEqual((await edit([picture, picture])).request?.body, { ...common, image_urls: [picture.url, picture.url] });
});

test("an error inside a finished status is a failure, and so is a result of a model that broke", async (context) => {
  let result = { status: 200, body: {} as unknown };
  let status: Record<string, unknown> = { status: "COMPLETED" };
  const { provider, stub } = await providerOf(context, fal, ({ url }) => (url === "/status" ? { body: status } : result));
  const keep = { status: `${stub.url}/status`, response: `${stub.url}/response` };
  result = { status: 500, body: { detail: [{ msg: "broken", type: "internal_server_error" }] } };
  assert.equal((await pollVideo(provider, keep))?.state, "failed");
  result = { status: 502, body: "Bad gateway" };
  assert.equal((await pollVideo(provider, keep))?.state, "trouble");
  status = { status: "COMPLETED", error: "not allowed", error_type: "content_policy_violation" };
  const failed = await pollVideo(provider, keep);
  assert.equal(failed?.state === "failed" && failed.refusal.class, "content_policy");
});

test("a complaint about a field named key is one about the request, and one about our key is not", async (context) => {
  const classOf = async (status: number, detail: unknown) => {
    const job = { kind: "video", model: "fal-ai/x", input: wide } as const;
    const { started } = await sent(context, fal, job, { reply: { status, body: { detail } } });
    return started.state === "refused" ? started.refusal.class : started.state;
  };
  assert.equal(
    await classOf(422, [{ loc: ["body", "key"], msg: "The key of the song must be one of C, D, E", type: "one_of" }]),
    "invalid",
  );
  assert.equal(await classOf(422, "The white balance must be less than 10"), "invalid");
  assert.equal(await classOf(403, "Invalid API key"), "auth");
  assert.equal(await classOf(401, "No user found for Key ID and Secret"), "auth");
  assert.equal(await classOf(403, "Forbidden"), "auth");
  assert.equal(await classOf(403, "User is locked. Reason: Exhausted balance."), "quota");
});

test("a resolution is one that the model is known to have, and sent to others only where the operator says so", async (context) => {
  const common = { prompt: "waves", aspect_ratio: "16:9", duration: 5 };
  const model = "fal-ai/pika/v2.2/text-to-video";
  assert.deepEqual(await bodyOf(context, model, { resolution: "480p" }), { ...common, resolution: "720p" });
  assert.deepEqual(await bodyOf(context, "fal-ai/x", { resolution: "480p" }), { ...common, duration: "5" });
  const all = await bodyOf(context, "fal-ai/x", { resolution: "500p" }, { resolution: "all" });
  assert.deepEqual(all, { ...common, duration: "5", resolution: "480p" });
});

test("the addresses of a job are not asked at another host", async (context) => {
  const { provider, stub } = await providerOf(context, fal, () => ({ body: { status: "IN_QUEUE" } }));
  assert.equal((await pollVideo(provider, { status: "https://elsewhere.example/status" }))?.state, "trouble");
  assert.equal(stub.requests.length, 0);
});
