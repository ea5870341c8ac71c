import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createRandom } from "../../lab/script.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { png } from "../support/samples.ts";
import type { PlainError } from "../support/wire.ts";

const { client, gateway, lab, end } = await startLabGateway({ credit: 2 });
after(end);

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  required?: string[];
};
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
};

const document = (await (await fetch(`${client.url}/openapi.json`)).json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) => {
  const schema = methods["post"]?.requestBody?.content["application/json"]?.schema;
  return schema === undefined || path.startsWith("/admin") || path.startsWith("/callbacks") ? [] : [{ path, schema }];
});
const media = operations.filter(({ path }) => /^\/(imageA|imageB|videoB|custom_video|musicA|musicB|v1\/(videos?|images))\b/.test(path));
/** Whoever does not wait gets an answer at once. */
const headers = { prefer: "wait=0" };
const post = (path: string, body: unknown) => client.post<PlainError>(path.replace(/\{(id|model)\}/, "x"), body, { headers });

/** Bodies that would do, but for one field. */
const sound: Record<string, Record<string, unknown>> = {
  "/imageA/submit/imagine": { prompt: "x" },
  "/imageA/submit/shorten": { prompt: "x" },
  "/imageA/submit/describe": { base64: "https://example.org/a.png" },
  "/imageA/submit/blend": { base64Array: ["https://example.org/a.png", "https://example.org/b.png"] },
  "/imageA/submit/change": { taskId: "x", action: "UPSCALE", index: 1 },
  "/imageA/submit/simple-change": { content: "x U1" },
  "/imageA/submit/action": { taskId: "x", customId: "MJ::JOB::upsample::1::x" },
  "/imageA/submit/modal": { taskId: "x" },
  "/imageA/submit/edits": { prompt: "x", image: "https://example.org/a.png" },
  "/imageA/submit/video": { image: "https://example.org/a.png" },
  "/imageB/generate": { prompt: "x" },
  "/videoB/generations": { user_prompt: "x" },
  "/v1/videos": { prompt: "x", model: "gen4.5" },
  "/v1/video/generations": { prompt: "x", model: "gen4.5" },
};

test("a prompt of spaces alone is refused by every group, and nothing is charged", async () => {
  const before = lab.jobs().length;
  const blank = " \n\t ";
  const asked: [path: string, body: Record<string, unknown>, param: string][] = [
    ["/musicA/submit/music", { prompt: blank }, "prompt"],
    ["/musicA/submit/music", { gpt_description_prompt: blank }, "prompt"],
    ["/musicA/submit/music", { make_instrumental: true, tags: blank, title: blank }, "prompt"],
    ["/musicA/submit/lyrics", { prompt: blank }, "prompt"],
    ["/musicB/submit/music", { gen_params: { prompt: blank, lyrics: blank } }, "gen_params.prompt"],
    ["/imageA/submit/imagine", { prompt: blank }, "prompt"],
    ["/imageA/submit/shorten", { prompt: blank }, "prompt"],
    ["/imageB/generate", { prompt: blank }, "prompt"],
    ["/imageB/generate", { image_request: { prompt: blank } }, "prompt"],
    ["/v1/images/generations", { prompt: blank }, "prompt"],
    ["/v1/videos", { prompt: blank, model: "gen4.5" }, "prompt"],
  ];
  for (const [path, body, param] of asked) {
    const { status, body: told } = await post(path, body);
    assert.equal(status, 400, `${path} ${JSON.stringify(body)} ${JSON.stringify(told)}`);
    assert.match(JSON.stringify(told), new RegExp(`'${param}'`), path);
  }
  assert.equal(lab.jobs().length, before);
});

test("every operation of media is among those that are tried", () => {
  assert.ok(media.length >= 25 && operations.length >= 35, `${media.length} ${operations.length}`);
  for (const path of Object.keys(sound))
    assert.ok(
      media.some((one) => one.path === path),
      path,
    );
});

test("a field of a wrong type is refused with its name", async () => {
  for (const { path, schema } of media) {
    for (const [field, described] of Object.entries(schema.properties ?? {})) {
      for (const value of [1.5, true, "x".repeat(3), [[]], [{ x: 1 }], { x: { y: 1 } }, [null]]) {
        if (mayBe(described, value)) continue;
        const { status, body, text } = await post(path, { ...sound[path], [field]: value });
        const name = `${path} ${field} = ${JSON.stringify(value)} → ${text}`;
        assert.deepEqual([status, body.error.code], [400, "invalid_request"], name);
        if (sound[path] === undefined) continue;
        assert.ok(body.error.param?.startsWith(field) && body.error.message.includes(field), name);
      }
    }
  }
});

/** Whether a schema would let a value pass by its type. */
function mayBe(schema: Schema, value: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => mayBe(one, value));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.type === "array") return Array.isArray(value) && value.every((item) => mayBe(schema.items ?? {}, item));
  if (schema.type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (schema.type === "integer") return Number.isInteger(value);
  return schema.type === undefined || typeof value === schema.type;
}

test("tasks that are not there, or somebody else's, are 404 in the group's own words", async () => {
  const other = await gateway.customer(1);
  const mine = await client.as(other.key).post<{ id: string }>("/custom_video/model/gen4.5", { prompt: "x", duration: 2 });
  for (const id of [mine.body.id, "x", "../x", "%2e%2e", "0".repeat(500), "🦊"]) {
    const segment = encodeURIComponent(id);
    for (const [method, path, body] of [
      ["GET", `/v1/tasks/${segment}`],
      ["GET", `/v1/videos/${segment}`],
      ["DELETE", `/v1/videos/${segment}`],
      ["GET", `/v1/videos/${segment}/content`],
      ["POST", `/v1/videos/${segment}/remix`, { prompt: "x" }],
      ["GET", `/v1/video/generations/${segment}`],
      ["GET", `/videoB/generations/${segment}`],
      ["GET", `/videoB/generations/${segment}/download_video_url`],
      ["POST", `/videoB/generations/${segment}/extend`, { user_prompt: "x" }],
      ["GET", `/imageA/task/${segment}/fetch`],
      ["GET", `/imageA/task/${segment}/image-seed`],
      ["POST", `/imageA/task/${segment}/cancel`],
      ["POST", "/imageA/submit/change", { taskId: id.slice(0, 100), action: "UPSCALE", index: 1 }],
      ["POST", "/imageA/submit/action", { taskId: id.slice(0, 100), customId: "MJ::JOB::upsample::1::x" }],
      ["POST", "/imageA/submit/modal", { taskId: id.slice(0, 100) }],
      ["POST", "/imageA/submit/video", { taskId: id.slice(0, 100) }],
    ] as const) {
      const { status, text } = await client.call(method, path, body);
      assert.equal(status, 404, `${method} ${path} → ${text}`);
    }
    for (const path of ["/videoB/tasks", "/imageA/task/list-by-ids", "/musicA/fetch"]) {
      const { status, text } = await client.post(path, { ids: [id.slice(0, 100)] });
      assert.ok(status === 200 && /\[\]/.test(text), `${path} → ${text}`);
    }
  }
});

const forms = ["/v1/videos", "/v1/video/generations", "/custom_video/model/gen4.5", "/imageB/remix", "/imageB/edit"];
const file = (body: Uint8Array<ArrayBuffer> = png(400, 400)) => new Blob([body]);
const uploads = async () => (await client.get<{ data: { id: string }[] }>("/v1/files?limit=100")).body.data.length;

test("a form with anything wrong about it is refused in a sentence, and none of its files stay", async () => {
  const before = await uploads();
  const wrong: Record<string, [status: number, fill: (form: FormData) => void]> = {
    "two files in one field": [400, (form) => ["a", "b"].forEach((name) => form.append("image", file(), name))],
    "two texts in one field": [400, (form) => ["a", "b"].forEach((text) => form.append("prompt", text))],
    "a file that is none": [415, (form) => form.append("image", file(Buffer.from("<html>")), "a.png")],
    "an empty file": [415, (form) => form.append("image", file(Buffer.alloc(0)), "a.png")],
    "too many files": [413, (form) => Array.from({ length: 9 }, (_, at) => form.append(`image${at}`, file(), "a.png"))],
    "too many fields": [413, (form) => Array.from({ length: 70 }, (_, at) => form.append(`field${at}`, "x"))],
    "a field that is too long": [413, (form) => form.append("prompt", "x".repeat(1_100_000))],
    NUL: [400, (form) => form.append("prompt", "a\0b")],
    "a poisoned name": [400, (form) => form.append("__proto__", "x")],
    "a poisoned file": [400, (form) => form.append("__proto__", file(), "a.png")],
  };
  for (const path of forms) {
    for (const [name, [expected, fill]] of Object.entries(wrong)) {
      const form = new FormData();
      form.append("model", "gen4.5");
      fill(form);
      const { status, text } = await client.call("POST", path, undefined, { raw: form, headers });
      assert.ok(status === expected || (status === 400 && expected === 413), `${path}, ${name} → ${status} ${text}`);
    }
    for (const raw of ["", "--x--", '--x\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nx', "nothing"]) {
      const type = { ...headers, "content-type": "multipart/form-data; boundary=x" };
      const { status, text } = await client.call("POST", path, undefined, { raw, headers: type });
      assert.equal(status, 400, `${path} ${JSON.stringify(raw)} → ${text}`);
    }
    const { status } = await client.call("POST", path, undefined, {
      raw: "x",
      headers: { ...headers, "content-type": "multipart/form-data" },
    });
    assert.ok(status === 400 || status === 415, `${path} → ${status}`);
  }
  assert.equal(await uploads(), before);
});

test("a file that nobody asked for is not kept, and named in the warning", async () => {
  const before = await uploads();
  const form = new FormData();
  form.append("prompt", "x");
  form.append("duration", "2");
  form.append("soundtrack", file(), "a.png");
  const { status, text, headers: replied } = await client.call("POST", "/custom_video/model/gen4.5", undefined, { raw: form });
  assert.equal(status, 200, text);
  assert.equal(replied.get("x-genway-warning"), "ignored: /soundtrack");
  assert.equal(await uploads(), before);
});

test("two thousand random requests break nothing", async () => {
  const random = createRandom(20_261_115);
  const most = (count: number) => Math.floor(random() * count);
  const atoms: unknown[] = [
    null, true, false, 0, -1, 1, 4, 1.5, 1e308, "", " ", "x", "16:9", "1280x720", "ASPECT_16_9", "720p", "5s", "gen4.5", "midjourney", "V_2", "x U1", "UPSCALE",
    "file_x", "https://example.org/a.png", "http://10.0.0.1/", "data:image/png;base64,AAAA", "data:,", "iVBORw0KGgo", "{id}", "../..", "a?b=c#d", "\r\nx: y",
    [], {}, ["x"], { x: 1 }, "🦊", "\ud800", "\u202e", "--ar 16:9 --seed 1 --no x --zoom 9", "x".repeat(7_000), '{"a":1}', "{",
  ]; // prettier-ignore
  const value = (schema: Schema, depth: number): unknown => {
    if (random() < 0.45) return atoms[most(atoms.length)];
    const one = schema.anyOf ? (schema.anyOf[most(schema.anyOf.length)] ?? {}) : schema;
    if (one.const !== undefined) return one.const;
    if (one.type === "array") return Array.from({ length: most(4) }, () => value(one.items ?? {}, depth + 1));
    if (one.type === "object" && depth < 4) return fields(one, depth + 1);
    if (one.type === "integer") return most(12) - 1;
    return one.type === "boolean" ? random() < 0.5 : atoms[most(atoms.length)];
  };
  const fields = ({ properties = {}, required = [] }: Schema, depth: number): Record<string, unknown> => ({
    ...Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) =>
        random() < (required.includes(name) ? 0.95 : 0.25) ? [[name, value(schema, depth)]] : [],
      ),
    ),
    ...(random() < 0.1 && { [String(atoms[most(atoms.length)]).slice(0, 50)]: atoms[most(atoms.length)] }),
  });
  const seen = new Map<number, number>();
  for (let round = 0; round < 2_000; round++) {
    const { path, schema } = operations[most(operations.length)] ?? assert.fail();
    const body = { ...(random() < 0.5 && sound[path]), ...fields(schema, 0), ...(path.startsWith("/v1/images") && { async: true }) };
    const { status, text } = await post(path, body);
    seen.set(status, (seen.get(status) ?? 0) + 1);
    assert.ok(status < 500, `${path} ${JSON.stringify(body)} → ${status} ${text}`);
  }
  assert.ok((seen.get(200) ?? 0) > 20 && (seen.get(400) ?? 0) > 500, JSON.stringify([...seen]));
});

test("the service is as well as before, and nothing of it was logged as a bug", async () => {
  assert.equal((await client.get("/ready")).status, 200);
  assert.deepEqual(
    gateway.logged.filter((line) => line.includes("Something went wrong")),
    [],
  );
  assert.deepEqual(lab.strays(), []);
});

test("every reply of this journey keeps the contract", () => client.book.check());
