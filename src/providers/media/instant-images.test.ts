import assert from "node:assert/strict";
import { test } from "node:test";
import { automatic1111 } from "./automatic1111.ts";
import { ideogram } from "./ideogram.ts";
import { base64, imageJob, picture, sent } from "./image-start.fixture.ts";
import { stability } from "./stability.ts";

test("automatic1111: a checkpoint is named unless the loaded one will do, and the key is a user and a password", async () => {
  const reply = { body: { images: [base64, base64] } };
  const named = await sent(automatic1111, imageJob("sdxl.safetensors", { count: 2, aspectRatio: { width: 1, height: 1 } }), reply);
  assert.deepEqual(named.body, {
    prompt: "a lighthouse",
    seed: -1,
    width: 1_024,
    height: 1_024,
    batch_size: 2,
    steps: 25,
    cfg_scale: 7,
    override_settings: { sd_model_checkpoint: "sdxl.safetensors" },
  });
  assert.equal(named.headers?.authorization, `Basic ${Buffer.from("user:secret-123").toString("base64")}`);
  assert.equal(named.started.state === "done" && named.started.output.kind === "image" && named.started.output.pictures.length, 2);
  const plain = await sent(automatic1111, imageJob("default", {}), reply);
  assert.deepEqual(Object.keys(Object(plain.body)), ["prompt", "seed", "batch_size", "steps", "cfg_scale"]);
  assert.equal(automatic1111.needsKey, false);
});

test("automatic1111: a transparent mask says where to paint", async () => {
  const job = imageJob("default", { act: "edit", images: [picture], mask: picture, strength: 0.4 });
  const { path, body } = await sent(automatic1111, job, { body: { images: [base64] } });
  assert.equal(path, "/sdapi/v1/img2img");
  const { init_images, mask, inpainting_mask_invert, denoising_strength } = Object(body);
  assert.deepEqual([init_images, mask, inpainting_mask_invert, denoising_strength], [[base64], base64, 1, 0.4]);
});

test("ideogram: an older model is asked in the older words, with the nearest shape", async () => {
  const url = "https://ideogram.example/1.png";
  const reply = { body: { created: "", data: [{ url, prompt: "a fine lighthouse", seed: 9, is_image_safe: true }] } };
  const job = imageJob("V_2", { size: { width: 1_600, height: 1_000 }, negativePrompt: "boats" });
  const { started, path, body } = await sent(ideogram, job, reply);
  assert.equal(path, "/generate");
  assert.deepEqual(body, {
    image_request: { prompt: "a lighthouse", model: "V_2", num_images: 1, negative_prompt: "boats", aspect_ratio: "ASPECT_16_10" },
  });
  assert.deepEqual(started.state === "done" && started.output.kind === "image" && started.output.pictures, [
    { media: { from: "url", url }, seed: 9, prompt: "a fine lighthouse" },
  ]);
});

test("ideogram: pictures that are all withheld are a matter of content, and so is an unsafe prompt", async () => {
  const classOf = async (reply: Parameters<typeof sent>[2]) => {
    const { started } = await sent(ideogram, imageJob("V_2", {}), reply);
    return started.state === "refused" && started.refusal.class;
  };
  assert.equal(await classOf({ body: { data: [{ url: "", is_image_safe: false }] } }), "content_policy");
  assert.equal(await classOf({ status: 422, body: { error: "Prompt is not safe" } }), "content_policy");
});

test("stability: a blurred picture is a matter of content, and a clear one comes with its seed", async () => {
  const reply = (finish_reason: string) => ({ body: { image: base64, finish_reason, seed: 5 } });
  const clear = await sent(stability, imageJob("core", { aspectRatio: { width: 2, height: 1 } }), reply("SUCCESS"));
  assert.deepEqual(clear.started.state === "done" && clear.started.output.kind === "image" && clear.started.output.pictures, [
    { media: { from: "bytes", bytes: Buffer.from("png") }, seed: 5 },
  ]);
  assert.match(String(clear.body), /name="aspect_ratio"\r\n\r\n16:9\r\n/);
  const { started } = await sent(stability, imageJob("core", {}), reply("CONTENT_FILTERED"));
  assert.equal(started.state === "refused" && started.refusal.class, "content_policy");
});

test("ideogram: a newer model is asked by form, a remix with how near it stays", async () => {
  const job = imageJob("V_3_TURBO", { act: "vary", images: [picture], strength: 0.25, aspectRatio: { width: 16, height: 9 } });
  const { path, body } = await sent(ideogram, job, { body: { data: [{ url: "https://x.example/1.png" }] } });
  assert.equal(path, "/v1/ideogram-v3/remix");
  for (const [name, value] of [
    ["image_weight", "75"],
    ["rendering_speed", "TURBO"],
    ["aspect_ratio", "16x9"],
  ]) {
    assert.match(String(body), new RegExp(`name="${name}"\\r\\n\\r\\n${value}\\r\\n`));
  }
});

test("what a model cannot do is refused before anything is sent", async () => {
  for (const [adapter, model] of [
    [ideogram, "V_3"],
    [stability, "core"],
    [automatic1111, "default"],
  ] as const) {
    const limits = adapter.create({ name: "x", baseUrl: "https://x.example", allowPrivateNetwork: false }).tasks.serves.image?.(model);
    assert.ok(limits && !(limits.acts ?? ["generate"]).includes("swap"), model);
  }
});
