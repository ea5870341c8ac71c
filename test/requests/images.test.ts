import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageInput } from "../../src/core/kinds.ts";
import { imageInput } from "../../src/http/calls/image-task.ts";
import { ImageRequest } from "../../src/http/calls/images.ts";
import { askedOf } from "../../src/http/calls/json-call.ts";
import { blend, describePicture, edits, imagine, shorten, swapFaces } from "../../src/http/image-a/new-pictures.ts";
import * as imageA from "../../src/http/image-a/schemas.ts";
import { animate } from "../../src/http/image-a/videos.ts";
import { imageBDraft, ImageBRequest, type ImageBWay } from "../../src/http/image-b/image-b-request.ts";
import { caller, comesBack, drafted, insideRequest, onTheWeb, requestOf, services, uploaded, type Way } from "./comes-back.ts";

const asking = { caller, services, address: "/imageA/submit/imagine" };
const ordered = (way: (body: never, by: typeof asking) => ReturnType<typeof imagine>): Way["read"] =>
  drafted(async (body) => (await way(body, asking)).draft);
const imageB = (way: ImageBWay): Way["read"] => drafted((body) => imageBDraft(way, body, caller, services));

comesBack({
  pictures: {
    dialect: "images",
    path: "/v1/images/generations",
    schema: ImageRequest,
    read(body) {
      const asked = askedOf("image", body, "dall-e");
      return { work: { kind: "image", input: imageInput(asked, []) }, model: asked.model };
    },
    bodies: [
      { prompt: "x" },
      { prompt: "x", n: 3, size: "1024x1792", quality: "hd", seed: 4, negative_prompt: "y", model: "m", async: true },
      { prompt: "x", size: "auto" },
    ],
  },
  "pictures B": {
    dialect: "image-b",
    path: "/imageB/generate",
    schema: ImageBRequest,
    read: imageB("generate"),
    bodies: [
      { prompt: "x" },
      { prompt: "x", aspect_ratio: "ASPECT_16_9", num_images: 2, seed: 0, color_palette: { name: "EMBER" }, magic_prompt: "ON" },
      { image_request: { prompt: "x", model: "V_3", resolution: "RESOLUTION_1024_768", negative_prompt: "y", style_type: "REALISTIC" } },
    ],
  },
  "remixes B": {
    dialect: "image-b",
    path: "/imageB/remix",
    schema: ImageBRequest,
    read: imageB("remix"),
    bodies: [
      { prompt: "x", image_file: uploaded },
      { prompt: "x", image: onTheWeb, image_weight: 80 },
    ],
  },
  "edits B": {
    dialect: "image-b",
    path: "/imageB/edit",
    schema: ImageBRequest,
    read: imageB("edit"),
    bodies: [{ prompt: "x", image_file: uploaded, mask: onTheWeb }],
  },
  "descriptions B": {
    dialect: "image-b",
    path: "/imageB/describe",
    schema: ImageBRequest,
    read: imageB("describe"),
    bodies: [{ image: uploaded }],
  },
  "pictures A": {
    dialect: "image-a",
    path: "/imageA/submit/imagine",
    schema: imageA.ImagineRequest,
    read: ordered(imagine),
    bodies: [
      { prompt: "a fox" },
      { prompt: "a fox --ar 3:2 --seed 5 --no rain", base64Array: [onTheWeb, uploaded], botType: "NIJI_JOURNEY", state: "s" },
      { prompt: "x", accountFilter: { modes: ["fast"] } },
    ],
  },
  "blends A": {
    dialect: "image-a",
    path: "/imageA/submit/blend",
    schema: imageA.BlendRequest,
    read: ordered(blend),
    bodies: [{ base64Array: [onTheWeb, uploaded], dimensions: "PORTRAIT" }],
  },
  "descriptions A": {
    dialect: "image-a",
    path: "/imageA/submit/describe",
    schema: imageA.DescribeRequest,
    read: ordered(describePicture),
    bodies: [{ link: onTheWeb }],
  },
  "short prompts A": {
    dialect: "image-a",
    path: "/imageA/submit/shorten",
    schema: imageA.ShortenRequest,
    read: ordered(shorten),
    bodies: [{ prompt: "a long one --ar 1:1" }],
  },
  "edits A": {
    dialect: "image-a",
    path: "/imageA/submit/edits",
    schema: imageA.EditsRequest,
    read: ordered(edits),
    bodies: [{ prompt: "x", image: uploaded, maskBase64: onTheWeb }],
  },
  "swapped faces A": {
    dialect: "image-a",
    path: "/imageA/insight-face/swap",
    schema: imageA.SwapRequest,
    read: ordered(swapFaces),
    bodies: [{ sourceBase64: onTheWeb, targetBase64: uploaded }],
  },
  "videos A": {
    dialect: "image-a",
    path: "/imageA/submit/video",
    schema: imageA.VideoRequest,
    read: ordered(animate),
    bodies: [
      { image: onTheWeb, prompt: "go --no rain", motion: "high", loop: true, endImage: uploaded },
      { taskId: "task 1", prompt: "on" },
    ],
  },
});

const picture: ImageInput = { act: "upscale", prompt: "p", images: [], count: 1, grid: false };
const from = { taskId: "t", upstreamTaskId: null, place: 1, button: null, prompt: "p", seed: null };
const pressed = (input: Partial<ImageInput>) =>
  requestOf("image-a", "niji", { kind: "image", input: { ...picture, source: from, ...input } });

test("a pressed button is pressed again", () => {
  assert.deepEqual(pressed({ midjourney: { action: "UPSCALE", state: "s" } }), {
    path: "/imageA/submit/change",
    body: { taskId: "t", action: "UPSCALE", index: 2, state: "s" },
  });
  const again = pressed({ act: "reroll", source: { ...from, place: null }, midjourney: { action: "REROLL" } });
  assert.deepEqual(again?.body, { taskId: "t", action: "REROLL" });
  const solo = { ...from, place: null };
  const subtle = pressed({ act: "vary", strength: 0.25, source: solo, midjourney: { action: "LOW_VARIATION" } });
  assert.deepEqual(subtle, { path: "/imageA/submit/action", body: { taskId: "t", customId: "MJ::JOB::low_variation::1::t" } });
  const out = pressed({ act: "zoom", extras: { zoom: 1.5 }, source: solo, midjourney: { action: "ZOOM" } });
  assert.equal(out?.body["customId"], "MJ::Outpaint::75::1::t");
  const foreign = pressed({ source: { ...solo, button: "MJ::JOB::upsample_v6_2x::1::abc-def::SOLO" }, midjourney: { action: "UPSCALE" } });
  assert.equal(foreign?.body["customId"], "MJ::JOB::upsample_v6_2x::1::t::SOLO");
  assert.equal(pressed({ act: "edit", source: solo, midjourney: { action: "INPAINT", modal: true } }), null);
});

test("what came in a form, and pictures that the request carried, cannot be said again", () => {
  const edited: ImageInput = { ...picture, act: "edit", prompt: "x", images: [insideRequest] };
  for (const dialect of ["images", "image-a", "image-b"] as const)
    assert.equal(requestOf(dialect, "m", { kind: "image", input: edited }), null);
});
