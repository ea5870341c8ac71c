import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { createClient, type CallOptions } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { imageSize } from "../support/media-probe.ts";
import { png, uuid } from "../support/samples.ts";
import type { FileRecord, PlainError, Quote, TaskRecord } from "../support/wire.ts";

const gateway = await startGateway();
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const client = createClient(gateway.url, gateway.firstKey);
const path = "/imageB/generate";

type Picture = { url: string; prompt: string; resolution: string; seed: number | null; is_image_safe: boolean; style_type: string };
type Pictures = { created: string; task_id: string; status: string; data: Picture[] };
type Described = { descriptions: { text: string }[] };

function form(fields: Record<string, string>, files: Record<string, Uint8Array<ArrayBuffer>> = {}, headers = {}): CallOptions {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields)) raw.append(name, value);
  for (const [name, bytes] of Object.entries(files)) raw.append(name, new Blob([bytes], { type: "image/png" }), `${name}.png`);
  return { raw, headers };
}

async function sizeOf({ url }: Picture): Promise<{ width: number; height: number }> {
  const reply = await fetch(url);
  assert.match(reply.headers.get("content-type") ?? "", /^image\//, url);
  return imageSize(Buffer.from(await reply.arrayBuffer()));
}

const source = png(128, 96);

test("pictures are made while the client waits, each with its address, size and seed", async () => {
  const asked = {
    prompt: "a red boat",
    resolution: "RESOLUTION_256_192",
    num_images: 2,
    seed: 7,
    style_type: "REALISTIC",
    magic_prompt_option: "OFF",
  };
  const { status, body, text, headers } = await client.post<Pictures>(path, { image_request: asked });
  assert.equal(status, 200, text);
  assert.match(body.task_id, uuid);
  assert.ok(Math.abs(Date.parse(body.created) - Date.now()) < 120_000 && body.status === "SUCCESS");
  assert.equal(headers.get("x-genway-provider"), "local");
  assert.equal(body.data.length, 2);
  for (const picture of body.data) {
    const { resolution, is_image_safe, style_type, prompt } = picture;
    assert.deepEqual(
      { resolution, is_image_safe, style_type, prompt },
      { resolution: "256x192", is_image_safe: true, style_type: "REALISTIC", prompt: "a red boat" },
    );
    assert.ok(Number.isInteger(picture.seed));
    assert.deepEqual(await sizeOf(picture), { width: 256, height: 192 });
  }
  const { body: task } = await client.get<TaskRecord>(`/v1/tasks/${body.task_id}`);
  assert.deepEqual([task.kind, task.model, task.status], ["image", "V_2", "SUCCESS"]);
});

test("a shape is enough, and the alias is the same operation", async () => {
  const { status, body, text } = await client.post<Pictures>("/ideogram/generate", {
    image_request: { prompt: "x", aspect_ratio: "ASPECT_16_9", model: "V_2_TURBO" },
  });
  assert.equal(status, 200, text);
  const [picture] = body.data;
  assert.ok(picture !== undefined);
  const { width, height } = await sizeOf(picture);
  assert.ok(Math.abs(width / height - 16 / 9) < 0.03, `${width} × ${height}`);
  assert.equal((await client.get<TaskRecord>(`/v1/tasks/${body.task_id}`)).body.model, "V_2_TURBO");
});

test("the newer wire has its fields beside each other, as a form or as JSON, and its speed names the model", async () => {
  const at = "/ideogram/v1/ideogram-v3/generate";
  const asked = { prompt: "x", resolution: "256x256", rendering_speed: "TURBO", num_images: "1", seed: "3" };
  for (const reply of [
    await client.call<Pictures>("POST", at, undefined, form(asked)),
    await client.post<Pictures>(at, { ...asked, num_images: 1, seed: 3 }),
  ]) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.data[0]?.resolution, "256x256");
    assert.equal((await client.get<TaskRecord>(`/v1/tasks/${reply.body.task_id}`)).body.model, "V_3_TURBO");
  }
});

test("a picture is remixed after a prompt, from a form or by its id", async () => {
  const wish = { prompt: "make it night", image_weight: 70, resolution: "RESOLUTION_128_128" };
  const { body: file } = await client.call<FileRecord>("POST", "/v1/files", undefined, form({ purpose: "input" }, { file: source }));
  for (const reply of [
    await client.call<Pictures>(
      "POST",
      "/ideogram/remix",
      undefined,
      form({ image_request: JSON.stringify(wish) }, { image_file: source }),
    ),
    await client.post<Pictures>("/imageB/remix", { image_request: wish, image_file: file.id }),
    await client.call<Pictures>(
      "POST",
      "/ideogram/v1/ideogram-v3/remix",
      undefined,
      form({ prompt: "x", image_weight: "20", resolution: "128x128" }, { image: source }),
    ),
  ]) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.data.length, 1);
    assert.deepEqual(await sizeOf(reply.body.data[0] as Picture), { width: 128, height: 128 });
  }
});

test("a picture is changed where a mask is black, and nowhere else", async () => {
  const canvas = createCanvas(128, 96);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(64, 0, 64, 96);
  const mask = new Uint8Array(canvas.toBuffer("image/png"));
  const fields = { prompt: "a galaxy", resolution: "128x96", model: "V_2" };
  const reply = await client.call<Pictures>("POST", "/imageB/edit", undefined, form(fields, { image_file: source, mask }));
  assert.equal(reply.status, 200, reply.text);
  const picture = reply.body.data[0] as Picture;
  assert.deepEqual(await sizeOf(picture), { width: 128, height: 96 });
  context.drawImage(await loadImage(Buffer.from(await (await fetch(picture.url)).arrayBuffer())), 0, 0);
  const isGrey = (left: number) => context.getImageData(left, 0, 60, 96).data.every((value, at) => value === (at % 4 === 3 ? 255 : 0x80));
  assert.deepEqual([isGrey(0), isGrey(68)], [false, true]);
});

test("a picture is enlarged", async () => {
  const request = JSON.stringify({ resemblance: 60, detail: 40 });
  const reply = await client.call<Pictures>("POST", "/imageB/upscale", undefined, form({ image_request: request }, { image_file: source }));
  assert.equal(reply.status, 200, reply.text);
  const { width, height } = await sizeOf(reply.body.data[0] as Picture);
  assert.ok(width > 128 && Math.abs(width / height - 4 / 3) < 0.02, `${width} × ${height}`);
});

test("a picture is described, under a model of its own", async () => {
  const reply = await client.call<Described & { task_id: string }>(
    "POST",
    "/ideogram/describe",
    undefined,
    form({}, { image_file: source }),
  );
  assert.equal(reply.status, 200, reply.text);
  assert.ok(reply.body.descriptions.length > 0 && reply.body.descriptions.every(({ text }) => /\w{3}/.test(text)), reply.text);
  assert.equal((await client.get<TaskRecord>(`/v1/tasks/${reply.body.task_id}`)).body.model, "describe");
});

test("what a request may not have is refused in OpenAI's shape, with the field", async () => {
  const inside = (wishes: object) => ({ image_request: { prompt: "x", ...wishes } });
  const cases: [string, string, object][] = [
    ["prompt", path, {}],
    ["image_request.prompt", path, { image_request: { seed: 1 } }],
    ["image_request.num_images", path, inside({ num_images: 9 })],
    ["image_request.seed", path, inside({ seed: -1 })],
    ["image_request.aspect_ratio", path, inside({ aspect_ratio: "wide" })],
    ["aspect_ratio", path, inside({ aspect_ratio: "ASPECT_9_1" })],
    ["resolution", path, inside({ resolution: "RESOLUTION_32_32" })],
    ["image_file", "/imageB/remix", inside({})],
    ["image_file", "/imageB/describe", {}],
    ["image_file", "/imageB/upscale", { image_file: "http://127.0.0.1/a.png" }],
    ["image", "/imageB/upscale", { image: "file_unknown" }],
    ["mask", "/imageB/edit", { prompt: "x", image_file: `data:image/png;base64,${source.toString("base64")}` }],
  ];
  for (const [param, at, body] of cases) {
    const reply = await client.post<PlainError>(at, body);
    assert.deepEqual(
      [reply.status, reply.body.error?.code, reply.body.error?.param],
      [400, "invalid_request", param],
      `${at} ${reply.text}`,
    );
  }
  const { headers } = await client.post(path, inside({ sparkle: 1, resolution: "64x64" }));
  assert.equal(headers.get("x-genway-warning"), "ignored: /image_request/sparkle");
});

test("a picture that cannot be read ends in an error that says so", async () => {
  const broken = new Uint8Array(Buffer.concat([source.subarray(0, 8), Buffer.alloc(40)]));
  const reply = await client.call<PlainError>("POST", "/imageB/remix", undefined, form({ prompt: "x" }, { image_file: broken }));
  assert.ok(reply.status >= 400, reply.text);
  assert.match(reply.body.error.message, /picture/);
});

test("whoever says how long to wait gets the task as it is then, and the rest under /v1/tasks", async () => {
  const { status, body, headers, text } = await client.post<Pictures>(
    path,
    { image_request: { prompt: "x" } },
    { headers: { prefer: "wait=0" } },
  );
  assert.deepEqual([status, headers.get("preference-applied")], [200, "wait=0"], text);
  assert.ok(body.status !== "SUCCESS" && body.data.length === 0, text);
  const again = await client.post<Pictures>(path, { image_request: { prompt: "y" } }, { headers: { prefer: "wait=60" } });
  assert.deepEqual([again.body.status, again.body.data.length], ["SUCCESS", 1], again.text);
});

test("the same create twice is one task and one picture, and the price is known before", async () => {
  const asked = { image_request: { prompt: "once", resolution: "128x128", num_images: 3 } };
  const { body: quote } = await client.post<Quote>("/v1/quote", { path, body: asked });
  assert.equal(quote.amount_usd, 0.03);
  const keyed = { headers: { "idempotency-key": "image-b-1" } };
  const [first, again] = [await client.post<Pictures>(path, asked, keyed), await client.post<Pictures>(path, asked, keyed)];
  assert.deepEqual([again.body.task_id, again.headers.get("idempotent-replayed")], [first.body.task_id, "true"]);
  assert.equal(again.body.data.length, 3);
});

test("pictures of an upstream are copied before they are handed over, and nothing of it shows", async () => {
  const { client: customer, lab } = upstream;
  const made = await customer.post<Pictures>("/ideogram/generate", {
    image_request: { prompt: "a lighthouse", num_images: 2, aspect_ratio: "ASPECT_16_9" },
  });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(
    made.body.data.map(({ prompt, seed }) => [prompt, seed]),
    [
      ["a lighthouse, in fine detail", 1000],
      ["a lighthouse, in fine detail", 1001],
    ],
  );
  for (const picture of made.body.data) {
    assert.ok(picture.url.startsWith(`${customer.url}/assets/`));
    const { width, height } = await sizeOf(picture);
    assert.equal(picture.resolution, `${width}x${height}`);
  }
  assert.ok(!made.text.includes(lab.url) && !/ideogram/i.test(made.text), made.text);
  const remix = form({ image_request: JSON.stringify({ prompt: "x", model: "V_3" }) }, { image_file: source });
  assert.equal((await customer.call<Pictures>("POST", "/imageB/remix", undefined, remix)).body.data?.length, 1);
  const described = await customer.call<Described>("POST", "/imageB/describe", undefined, form({}, { image_file: source }));
  assert.equal(described.body.descriptions?.length, 2, described.text);
  assert.equal(described.body.descriptions[0]?.text, "A lighthouse at dusk.");
});

test("what an upstream refuses is an error in OpenAI's shape", async () => {
  const { client: customer } = upstream;
  const refused = await customer.post<PlainError>(path, { image_request: { prompt: "x [lab:refuse=content_policy]" } });
  assert.deepEqual([refused.status, refused.body.error.code], [400, "content_policy"], refused.text);
  const unknown = await customer.post<PlainError>(path, { image_request: { prompt: "x", model: "V_9" } });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "model_not_found"]);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});
