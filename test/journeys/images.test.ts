import assert from "node:assert/strict";
import { after, test } from "node:test";
import { mediaBytes } from "../../lab/media.ts";
import { startStubUpstream } from "../sdk/stub-upstream.ts";
import { startCallGateway } from "../support/call-gateway.ts";
import { png } from "../support/samples.ts";
import type { PlainError } from "../support/wire.ts";

const stub = await startStubUpstream();
const { client, lab, end } = await startCallGateway({
  providers: [stub.provider],
  models: ['"stub-image": { kinds: [image], routes: [{ provider: stub }], price: { per_image: 0.04 } }'],
});
after(async () => {
  await end();
  await stub.end();
});

type Picture = { url?: string; b64_json?: string };
type Images = { created: number; data: Picture[]; usage?: { cost: number } };
const create = "/v1/images/generations";
const edits = "/v1/images/edits";
const variations = "/v1/images/variations";
const cover = Buffer.from(mediaBytes("cover.png"));

function form(fields: Record<string, string | Buffer<ArrayBuffer>>): { raw: FormData } {
  const raw = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") raw.append(name, value);
    else raw.append(name, new Blob([value]), "upload.bin");
  }
  return { raw };
}

async function fetched(url: string | undefined): Promise<Buffer> {
  const reply = await fetch(url ?? "");
  assert.equal(reply.status, 200, url);
  return Buffer.from(await reply.arrayBuffer());
}

test("pictures are addresses of our own that need no key, with their cost", async () => {
  const { status, body, headers } = await client.post<Images>(create, {
    model: "lab-image",
    prompt: "a boat",
    n: 3,
    response_format: "url",
  });
  assert.equal(status, 200);
  assert.ok(Number.isInteger(body.created));
  assert.equal(body.data.length, 3);
  for (const { url, b64_json: inside } of body.data) {
    assert.ok(url?.startsWith(`${client.url}/assets/`), url);
    assert.equal(inside, undefined);
    assert.deepEqual(await fetched(url), cover);
  }
  assert.equal(new Set(body.data.map(({ url }) => url)).size, 3);
  assert.deepEqual([headers.get("x-genway-cost"), headers.get("x-genway-provider")], ["0.12", "openai"]);
  const reply = await fetch(body.data[0]?.url ?? "", { headers: { range: "bytes=1-3" } });
  assert.deepEqual([reply.status, reply.headers.get("content-type"), await reply.text()], [206, "image/png", "PNG"]);
  const forged = await fetch((body.data[0]?.url ?? "").replace(/s=..../, "s=AAAA"));
  assert.equal(forged.status, 404);
});

test("pictures come inside the reply where that is asked for, whatever the upstream gives", async () => {
  const inside = await client.post<Images>(create, { model: "lab-image", prompt: "a boat", response_format: "b64_json" });
  assert.deepEqual(Buffer.from(inside.body.data[0]?.b64_json ?? "", "base64"), cover);
  stub.answer({ created: 5, data: [{ b64_json: png(8, 8).toString("base64"), revised_prompt: "a red boat" }] });
  const asAddress = await client.post<Images>(create, { model: "stub-image", prompt: "x", response_format: "url" });
  assert.equal(asAddress.status, 200, asAddress.text);
  assert.deepEqual(await fetched(asAddress.body.data[0]?.url), png(8, 8));
  assert.equal(Reflect.get(asAddress.body.data[0] ?? {}, "revised_prompt"), "a red boat");
  stub.answer({ created: 5, data: [{ url: `${lab.url}/media/cover.png?until=99999999999999` }] });
  const asBytes = await client.post<Images>(create, { model: "stub-image", prompt: "x", response_format: "b64_json" });
  assert.deepEqual(Buffer.from(asBytes.body.data[0]?.b64_json ?? "", "base64"), cover);
  assert.doesNotMatch(asBytes.text, new RegExp(lab.url));
});

test("a picture that cannot be had is an error that costs nothing", async () => {
  const before = (await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd;
  for (const data of [
    [{ url: `${lab.url}/media/gone.png?until=99999999999999` }],
    [{ url: "http://169.254.169.254/latest" }],
    [{ url: "file:///etc/passwd" }],
    [{ b64_json: Buffer.from("<html>").toString("base64") }],
    [{}],
  ]) {
    stub.answer({ created: 5, data });
    const { status, body, text } = await client.post<PlainError>(create, { model: "stub-image", prompt: "x", response_format: "url" });
    assert.deepEqual([status, body.error?.code], [502, "upstream_error"], `${JSON.stringify(data)} → ${text}`);
    assert.doesNotMatch(text, /127\.0\.0\.1|169\.254|passwd/);
  }
  assert.equal((await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd, before);
});

test("other formats are what they say", async () => {
  for (const [format, file] of [
    ["jpeg", "cover.jpg"],
    ["webp", "cover.webp"],
  ] as const) {
    const { body } = await client.post<Images>(create, { model: "lab-image", prompt: "a boat", output_format: format });
    const reply = await fetch(body.data[0]?.url ?? "");
    assert.equal(reply.headers.get("content-type"), `image/${format}`);
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), Buffer.from(mediaBytes(file)));
  }
});

test("pictures are changed and varied by forms", async () => {
  const image = png(16, 16);
  const changed = await client.post<Images>(
    edits,
    undefined,
    form({ model: "lab-image", image, mask: image, prompt: "night", n: "2", response_format: "b64_json" }),
  );
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual([changed.body.data.length, changed.headers.get("x-genway-cost")], [2, "0.08"]);
  const several = new FormData();
  for (const name of ["one", "two"]) several.append("image[]", new Blob([image], { type: "image/png" }), `${name}.png`);
  several.append("prompt", "both");
  several.append("model", "lab-image");
  const both = await client.post<Images>(edits, undefined, { raw: several });
  assert.equal(both.status, 200, both.text);
  const varied = await client.post<Images>(variations, undefined, form({ model: "lab-image", image }));
  assert.deepEqual([varied.status, varied.body.data.length], [200, 1]);
  assert.deepEqual(await fetched(varied.body.data[0]?.url), cover);
  assert.deepEqual(
    lab
      .calls()
      .slice(-3)
      .map(({ operation, units }) => [operation, units]),
    [
      ["image-edit", 2],
      ["image-edit", 1],
      ["image-variation", 1],
    ],
  );
});

test("a wrong field is named", async () => {
  const good = { model: "lab-image", prompt: "x" };
  const cases: [string, object][] = [
    ["prompt", { model: "lab-image" }],
    ["prompt", { ...good, prompt: "" }],
    ["prompt", { ...good, prompt: 5 }],
    ["n", { ...good, n: 0 }],
    ["n", { ...good, n: 11 }],
    ["n", { ...good, n: "2" }],
    ["size", { ...good, size: "big" }],
    ["response_format", { ...good, response_format: "png" }],
    ["output_format", { ...good, output_format: "gif" }],
    ["output_compression", { ...good, output_compression: 101 }],
    ["model", { ...good, model: 7 }],
  ];
  const calls = lab.calls().length;
  for (const [param, body] of cases) {
    const { status, body: reply, text } = await client.post<PlainError>(create, body);
    assert.deepEqual([status, reply.error?.param], [400, param], `${JSON.stringify(body)} → ${text}`);
  }
  const image = png(8, 8);
  const forms: [string, string, Record<string, string | Buffer<ArrayBuffer>>][] = [
    [edits, "image", { model: "lab-image", prompt: "x" }],
    [edits, "prompt", { model: "lab-image", image }],
    [edits, "image", { model: "lab-image", prompt: "x", image: Buffer.from("this is no picture") }],
    [edits, "mask", { model: "lab-image", prompt: "x", image, mask: Buffer.from("this is no picture") }],
    [edits, "n", { model: "lab-image", prompt: "x", image, n: "0" }],
    [edits, "n", { model: "lab-image", prompt: "x", image, n: "many" }],
    [edits, "size", { model: "lab-image", prompt: "x", image, size: "big" }],
    [edits, "response_format", { model: "lab-image", prompt: "x", image, response_format: "png" }],
    [variations, "image", { model: "lab-image" }],
    [variations, "image", { model: "lab-image", image: "not a file" }],
  ];
  for (const [path, param, fields] of forms) {
    const { status, body: reply, text } = await client.post<PlainError>(path, undefined, form(fields));
    assert.deepEqual([status, reply.error?.param], [400, param], `${path} ${Object.keys(fields).join()} → ${text}`);
  }
  assert.equal(lab.calls().length, calls, "nothing reached an upstream");
});

test("an unknown model lists those that make pictures, and edits want a form", async () => {
  const unknown = await client.post<PlainError>(create, { prompt: "no model" });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "model_not_found"]);
  assert.match(unknown.body.error.message, /'dall-e'.*lab-image/);
  const json = await client.post<PlainError>(variations, { image: "x" });
  assert.deepEqual([json.status, json.body.error.code], [415, "unsupported_media_type"]);
});

test("a refusal for its content says so and costs nothing", async () => {
  const before = (await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd;
  const reply = await fetch(client.url + create, {
    method: "POST",
    headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "lab-image", prompt: "[lab:refuse=content_policy]" }),
  });
  const { error } = (await reply.json()) as PlainError;
  assert.deepEqual([reply.status, error.code], [400, "content_policy"]);
  assert.equal((await client.get<{ used_usd: number }>("/v1/balance")).body.used_usd, before);
});

test("every reply of this journey keeps the contract", () => client.book.check());
