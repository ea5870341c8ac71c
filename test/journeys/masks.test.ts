import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startMaskUpstream } from "../support/mask-upstream.ts";
import { png } from "../support/samples.ts";
import type { ImageTask, Submitted } from "../support/wire.ts";

const upstream = await startMaskUpstream();
const provider = (type: string) => `{ type: ${type}, base_url: "${upstream.url}", keys: ["secret"], allow_private_network: true }`;
const gateway = await startGateway({
  yaml: `
providers:
  ideogram: ${provider("ideogram")}
  stability: ${provider("stability")}
models:
  "V_3": { kinds: [image], routes: [{ provider: ideogram }], price: { per_image: 0.06 } }
  "midjourney": { kinds: [image], routes: [{ provider: ideogram, model: V_3 }], price: { per_image: 0.06 } }
  "inpaint": { kinds: [image], routes: [{ provider: stability }], price: { per_image: 0.06 } }
`,
});
after(async () => {
  await gateway.end();
  await upstream.close();
});
const client = createClient(gateway.url, (await gateway.customer(50)).key);

const [white, black, clear] = ["#ffffff", "#000000", "#00000000"];
const opaque = { white: [255, 255, 255, 255], black: [0, 0, 0, 255] };

/** A mask of two halves, in the size of `source` unless told. */
function mask(left: string, right: string, width = 128, height = 96): Uint8Array<ArrayBuffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = left;
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = right;
  context.fillRect(width / 2, 0, width / 2, height);
  return new Uint8Array(canvas.toBuffer("image/png"));
}
const source = new Uint8Array(png(128, 96));

async function edit(path: string, model: string, files: Record<string, Uint8Array<ArrayBuffer>>): Promise<void> {
  const raw = new FormData();
  for (const [name, value] of Object.entries({ prompt: "a galaxy", model })) raw.append(name, value);
  for (const [name, bytes] of Object.entries(files)) raw.append(name, new Blob([bytes], { type: "image/png" }), `${name}.png`);
  const reply = await client.call("POST", path, undefined, { raw });
  assert.equal(reply.status, 200, reply.text);
}

test("image B's black is what Ideogram paints, as it came", async () => {
  await edit("/imageB/edit", "V_3", { image_file: source, mask: mask(black, white) });
  assert.deepEqual(await upstream.last("mask"), { width: 128, height: 96, left: opaque.black, right: opaque.white });
});

test("image B's black is white for Stability", async () => {
  await edit("/imageB/edit", "inpaint", { image_file: source, mask: mask(black, white) });
  assert.deepEqual(await upstream.last("mask"), { width: 128, height: 96, left: opaque.white, right: opaque.black });
});

test("OpenAI's transparent pixels are black for Ideogram and white for Stability, as are white ones where none is transparent", async () => {
  for (const [left, right] of [
    [clear, "#336699"],
    [white, black],
  ] as const) {
    await edit("/v1/images/edits", "V_3", { image: source, mask: mask(left, right) });
    const { left: paint, right: keep } = await upstream.last("mask");
    assert.deepEqual([paint, keep], [opaque.black, opaque.white]);
    await edit("/v1/images/edits", "inpaint", { image: source, mask: mask(left, right) });
    const { left: painted, right: kept } = await upstream.last("mask");
    assert.deepEqual([painted, kept], [opaque.white, opaque.black]);
  }
});

test("image A's white is black for Ideogram", async () => {
  const uri = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
  const { body, text } = await client.post<Submitted>("/mj/submit/edits", {
    prompt: "a galaxy",
    image: uri(source),
    maskBase64: uri(mask(white, black)),
  });
  assert.equal(body.code, 1, text);
  await eventually(async () => (await client.get<ImageTask>(`/mj/task/${body.result}/fetch`)).body.status === "SUCCESS");
  const { left, right } = await upstream.last("mask");
  assert.deepEqual([left, right], [opaque.black, opaque.white]);
});

test("where a picture is sent in another size, its mask is too", async () => {
  await edit("/imageB/edit", "inpaint", { image_file: new Uint8Array(png(50, 40)), mask: mask(black, white, 50, 40) });
  const [picture, { width, height, left, right }] = [await upstream.last("image"), await upstream.last("mask")];
  assert.deepEqual([picture.width, picture.height], [80, 64]);
  assert.deepEqual([width, height, left, right], [80, 64, opaque.white, opaque.black]);
});

test("every reply of this journey keeps the contract", () => client.book.check());
