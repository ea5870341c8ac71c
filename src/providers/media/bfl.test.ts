import assert from "node:assert/strict";
import { test } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import { bfl } from "./bfl.ts";
import { base64, imageJob, picture, sent, work } from "./image-start.fixture.ts";

const accepted = { body: { id: "1", polling_url: "https://api.eu.bfl.ai/v1/get_result?id=1" } };

test("each family is asked in its own words", async () => {
  const plain = { prompt: "a lighthouse", output_format: "png" };
  const bodyOf = async (...given: Parameters<typeof imageJob>) => (await sent(bfl, imageJob(...given), accepted)).body;
  const wide = { aspectRatio: { width: 16, height: 9 } };
  assert.deepEqual(await bodyOf("flux-2-pro", wide), { ...plain, width: 1_376, height: 768 });
  assert.deepEqual(await bodyOf("flux-kontext-pro", { ...wide, act: "edit", images: [picture] }), {
    ...plain,
    aspect_ratio: "16:9",
    input_image: base64,
  });
  assert.deepEqual(await bodyOf("flux-2-max", { act: "blend", images: [picture, picture] }), {
    ...plain,
    input_image: base64,
    input_image_2: base64,
  });
  assert.deepEqual(await bodyOf("flux-pro-1.0-fill", { act: "edit", images: [picture], mask: picture }), {
    ...plain,
    image: base64,
    mask: base64,
  });
  assert.deepEqual(await bodyOf("flux-pro-1.1-ultra", { size: { width: 2_048, height: 1_024 } }), { ...plain, aspect_ratio: "16:9" });
});

test("the callback goes along with the secret that signs it", async () => {
  const job = { ...imageJob("flux-2-pro", {}), callback: { url: "https://ours.example/c", secret: "s" } };
  const { body } = await sent(bfl, job, { body: { id: "1", status: "Pending" } });
  assert.deepEqual(body, { prompt: "a lighthouse", output_format: "png", webhook_url: "https://ours.example/c", webhook_secret: "s" });
});

test("the job is asked for where the answer said, and at home where it did not", async (context) => {
  const { started } = await sent(bfl, imageJob("flux-2-pro", {}), accepted);
  assert.deepEqual(started, { state: "accepted", upstreamId: "1", keep: { polling_url: "https://api.eu.bfl.ai/v1/get_result?id=1" } });
  const stub = await createStub(() => ({ body: { id: "a b", status: "Pending", progress: 0.25 } }));
  context.after(() => stub.close());
  const { tasks } = bfl.create({ name: "flux", baseUrl: stub.url, allowPrivateNetwork: true });
  const polled = await tasks.poll?.({ upstreamId: "a b", keep: {}, kind: "image", model: "flux-2-pro" }, work);
  assert.deepEqual(polled, { state: "running", progress: 25 });
  assert.equal(stub.requests[0]?.url, "/v1/get_result?id=a%20b");
});

test("a key is never sent to a host that is not the provider's", async () => {
  const { tasks } = bfl.create({ name: "flux", allowPrivateNetwork: true });
  const keep = { polling_url: "https://bfl.ai.example/v1/get_result?id=1" };
  const polled = await tasks.poll?.({ upstreamId: "1", keep, kind: "image", model: "flux-2-pro" }, work);
  assert.equal(polled?.state, "trouble");
});

test("moderation comes as a status and is a matter of content", async (context) => {
  const stub = await createStub(() => ({ body: { id: "1", status: "Request Moderated", details: { "Moderation Reasons": ["x"] } } }));
  context.after(() => stub.close());
  const { tasks } = bfl.create({ name: "flux", baseUrl: stub.url, allowPrivateNetwork: true });
  const polled = await tasks.poll?.({ upstreamId: "1", keep: {}, kind: "image", model: "flux-2-pro" }, work);
  assert.equal(polled?.state === "failed" && polled.refusal.class, "content_policy");
});
