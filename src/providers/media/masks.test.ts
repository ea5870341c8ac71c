import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageInput, MaskPaints } from "../../core/kinds.ts";
import type { PictureLimits, Work } from "../../core/provider.ts";
import type { JobAdapter } from "../job/job.ts";
import { imageOf, startAt, work } from "./adapter.fixture.ts";
import { automatic1111 } from "./automatic1111.ts";
import { bfl } from "./bfl.ts";
import { comfyui } from "./comfyui.ts";
import { ideogram } from "./ideogram.ts";
import { midjourneyProxy } from "./midjourney-proxy.ts";
import { stability } from "./stability.ts";

const picture = { from: "file", id: "picture" } as const;
const mask = { from: "file", id: "mask" } as const;
const size = { width: 640, height: 360 };

/** As much of a PNG as tells its size. */
function header(): Uint8Array {
  const bytes = Buffer.alloc(33);
  bytes.write("89504e470d0a1a0a0000000d49484452", 0, "hex");
  bytes.writeUInt32BE(size.width, 16);
  bytes.writeUInt32BE(size.height, 20);
  return bytes;
}

/** What an adapter asks for when it loads the mask of an edit. */
async function maskLimits(
  adapter: JobAdapter,
  model: string,
  maskPaints?: MaskPaints,
  more: Partial<ImageInput> = {},
): Promise<PictureLimits | undefined> {
  const asked: (PictureLimits | undefined)[] = [];
  const load: Work["load"] = async (file, limits) => {
    if (file === mask) asked.push(limits);
    else assert.equal(more.source, undefined, "the picture is not sent, but was loaded");
    return { bytes: header(), mime: "image/png" };
  };
  const task = imageOf({ act: "edit", images: [picture], mask, ...(maskPaints && { maskPaints }), ...more });
  await startAt(adapter, { ...task, model }, { body: { name: "file.png", code: 1, result: "1" } }, { ...work, load });
  assert.equal(asked.length, 1, `${adapter.type} loaded the mask ${asked.length} times`);
  return asked[0];
}

const wishes: [JobAdapter, model: string, wanted: MaskPaints][] = [
  [stability, "inpaint", "white"],
  [bfl, "flux-pro-1.0-fill", "white"],
  [midjourneyProxy, "midjourney", "white"],
  [ideogram, "V_3", "black"],
  [ideogram, "V_2", "black"],
  [automatic1111, "default", "transparent"],
  [comfyui, "sdxl.safetensors", "transparent"],
];

for (const [adapter, model, wanted] of wishes) {
  test(`${adapter.type}: ${model} is sent masks that are ${wanted} where to paint, whatever they were`, async () => {
    for (const given of ["transparent", "white", "black"] as const) {
      const { mask: wish } = (await maskLimits(adapter, model, given)) ?? {};
      assert.deepEqual([wish?.given, wish?.wanted], [given, wanted]);
    }
    const { mask: wish } = (await maskLimits(adapter, model)) ?? {};
    assert.deepEqual([wish?.given, wish?.wanted], [undefined, wanted]);
  });
}

test("where pictures have limits, a mask has them too, and the size that its picture is sent in", async () => {
  for (const [adapter, model, wanted] of wishes) {
    const { pictures } = adapter.spec;
    const wish = { given: "black", wanted, ...(pictures && { size }) };
    assert.deepEqual(await maskLimits(adapter, model, "black"), { ...pictures, mask: wish }, adapter.type);
  }
});

test("midjourney-proxy: a mask that answers a button goes alone, in its own size", async () => {
  const source = { taskId: "t", upstreamTaskId: "1", place: null, button: "MJ::Inpaint::1::x", prompt: "", seed: null };
  const limits = await maskLimits(midjourneyProxy, "midjourney", "white", { source });
  assert.deepEqual(limits?.mask, { given: "white", wanted: "white" });
});
