import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { png, uuid } from "../support/samples.ts";
import type { EnvelopeError, FileRecord, Quote, TaskRecord, VideoRecord, VideoTask } from "../support/wire.ts";

const gateway = await startGateway();
after(() => gateway.end());
const client = createClient(gateway.url, gateway.firstKey);
const path = "/custom_video/model/any-model";
const wait = { headers: { prefer: "wait=60" } };

async function ended(id: string): Promise<VideoRecord> {
  return eventually(async () => {
    const { body } = await client.get<VideoRecord>(`/custom_video/fetch/${id}`);
    return ["SUCCESS", "FAILURE"].includes(body.status) ? body : null;
  });
}

/** Creates that are only looked at when they are accepted, and do not keep the machine busy. */
async function accepted(body: object, at = path): Promise<VideoTask> {
  const reply = await client.post<VideoTask>(at, body);
  assert.equal(reply.status, 200, reply.text);
  const cancelled = await client.post<TaskRecord>(`/v1/tasks/${reply.body.id}/cancel`);
  assert.ok([200, 409].includes(cancelled.status), cancelled.text);
  return reply.body;
}

test("the reply is exactly id, model and status SUBMITTED, and names the provider in a header", async () => {
  const { status, body, headers } = await client.post<VideoTask>(path, {
    prompt: "a fox in the snow",
    duration: 1,
    aspect_ratio: "16:9",
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["id", "model", "status"]);
  assert.match(body.id, uuid);
  assert.equal(body.model, "any-model");
  assert.equal(body.status, "SUBMITTED");
  assert.equal(headers.get("x-genway-provider"), "local");
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  const video = await ended(body.id);
  assert.equal(video.status, "SUCCESS");
});

test("whatever name the model is given, it comes back as it was sent", async () => {
  for (const model of ["gen-4.5:turbo", "模型 1", "a/b", "модель-🎬", "%41"]) {
    const { model: echoed } = await accepted({ prompt: "x", duration: 1 }, `/custom_video/model/${encodeURIComponent(model)}`);
    assert.equal(echoed, model);
  }
});

test("all that may be left out may also be null, and a duration may be digits", async () => {
  for (const body of [
    { prompt: "x" },
    { prompt: "x", image: null, duration: null, aspect_ratio: null },
    { prompt: "x", duration: "2" },
    { prompt: "x", duration: 60, aspect_ratio: "1:8" },
    { prompt: "x".repeat(5000), aspect_ratio: "10000:1250" },
    { prompt: "a 🦊 مرحبا עברית é e\u0301 \u202Ereversed\u202C", duration: 1 },
  ])
    await accepted(body);
});

test("defaults are five seconds and 16:9, and a ratio is reduced", async () => {
  const plain = await accepted({ prompt: "x" });
  const record = (await client.get<VideoRecord>(`/custom_video/fetch/${plain.id}`)).body;
  assert.equal(record.duration, 5);
  assert.equal(record.aspect_ratio, "16:9");
  const wide = await accepted({ prompt: "x", aspect_ratio: "1920:800", duration: "7" });
  const other = (await client.get<VideoRecord>(`/custom_video/fetch/${wide.id}`)).body;
  assert.equal(other.duration, 7);
  assert.equal(other.aspect_ratio, "12:5");
});

test("values outside the ranges are refused with the field and what is allowed", async () => {
  const cases: [string, object][] = [
    ["prompt", {}],
    ["prompt", { prompt: "" }],
    ["prompt", { prompt: null }],
    ["prompt", { prompt: "x".repeat(5001) }],
    ["duration", { prompt: "x", duration: 0 }],
    ["duration", { prompt: "x", duration: 61 }],
    ["duration", { prompt: "x", duration: 1.5 }],
    ["duration", { prompt: "x", duration: -1 }],
    ["duration", { prompt: "x", duration: "61" }],
    ["duration", { prompt: "x", duration: "0" }],
    ["duration", { prompt: "x", duration: "five" }],
    ["duration", { prompt: "x", duration: true }],
    ["aspect_ratio", { prompt: "x", aspect_ratio: "16x9" }],
    ["aspect_ratio", { prompt: "x", aspect_ratio: "0:9" }],
    ["aspect_ratio", { prompt: "x", aspect_ratio: "9:1" }],
    ["aspect_ratio", { prompt: "x", aspect_ratio: "1:9" }],
    ["aspect_ratio", { prompt: "x", aspect_ratio: "10001:10001" }],
    ["aspect_ratio", { prompt: "x", aspect_ratio: "1.5:1" }],
    ["image", { prompt: "x", image: "ftp://example.org/a.png" }],
    ["image", { prompt: "x", image: "not an address" }],
    ["image", { prompt: "x", image: "data:text/html;base64,PGI+" }],
    ["image", { prompt: "x", image: "file_unknown" }],
  ];
  for (const [param, body] of cases) {
    const reply = await client.post<EnvelopeError>(path, body);
    assert.equal(reply.status, 400, `${JSON.stringify(body).slice(0, 80)} → ${reply.text}`);
    assert.equal(reply.body.error.code, "invalid_request");
    assert.equal(reply.body.error.param, param, reply.text);
    assert.ok(reply.body.message.includes(param), reply.body.message);
  }
  assert.equal((await client.get<{ data: unknown[] }>("/v1/tasks?model=any-model&status=QUEUED")).body.data.length, 0);
});

test("an address on a private network is refused at once, and the message says what to set", async () => {
  for (const image of ["http://127.0.0.1/a.png", "http://10.0.0.1/a.png", "http://[::1]/a.png", "http://2130706433/"]) {
    const reply = await client.post<EnvelopeError>(path, { prompt: "x", image });
    assert.equal(reply.status, 400, `${image} → ${reply.text}`);
    assert.equal(reply.body.error.param, "image");
    assert.match(reply.body.message, /outbound/i);
  }
  // Nothing can be set for the addresses at which clouds keep their secrets.
  const metadata = await client.post<EnvelopeError>(path, { prompt: "x", image: "http://169.254.169.254/latest" });
  assert.equal(metadata.status, 400, metadata.text);
  assert.doesNotMatch(metadata.body.message, /outbound/i);
  for (const hook of ["notify_hook", "notifyHook", "callback_url", "webhook_url"]) {
    const reply = await client.post<EnvelopeError>(path, { prompt: "x", [hook]: "http://127.0.0.1:9/" });
    assert.equal(reply.status, 400, reply.text);
    assert.equal(reply.body.error.param, hook);
  }
});

test("a picture can be a data URI, an upload, or a part of a form", async () => {
  const picture = png(64, 64);
  const uri = `data:image/png;base64,${picture.toString("base64")}`;
  const byUri = await client.post<VideoRecord>(path, { image: uri, duration: 1, aspect_ratio: "1:1" }, wait);
  assert.equal(byUri.body.status, "SUCCESS", byUri.text);

  const upload = new FormData();
  upload.append("purpose", "input");
  upload.append("file", new Blob([picture], { type: "image/png" }), "fox.png");
  const file = (await client.call<FileRecord>("POST", "/v1/files", undefined, { raw: upload })).body;
  assert.match(file.id, /^file_/);
  const byFile = await client.post<VideoRecord>(path, { prompt: "x", image: file.id, duration: 1 }, wait);
  assert.equal(byFile.body.status, "SUCCESS", byFile.text);

  const form = new FormData();
  form.append("prompt", "x");
  form.append("seconds", "1");
  form.append("size", "720x1280");
  form.append("input_reference", new Blob([picture], { type: "image/png" }), "fox.png");
  const byForm = await client.call<VideoRecord>("POST", path, undefined, { raw: form, ...wait });
  assert.equal(byForm.body.status, "SUCCESS", byForm.text);
  assert.equal(byForm.body.aspect_ratio, "9:16");
  assert.equal(byForm.body.duration, 1);
});

test("a picture that is none ends the task as input_unreachable, free of charge", async () => {
  const broken = `data:image/png;base64,${Buffer.from("this is text").toString("base64")}`;
  const { body } = await client.post<VideoRecord>(path, { prompt: "x", image: broken, duration: 1 }, wait);
  assert.equal(body.status, "FAILURE");
  assert.equal(body.error?.code, "input_unreachable");
  assert.notEqual(body.fail_reason, "");
  assert.equal(body.cost, 0);
});

test("a picture on the web is fetched in the task, and what cannot be had ends it free of charge", async () => {
  const open = await startGateway({ env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.0/8" } });
  const pages: Record<string, { status: number; headers?: Record<string, string>; body?: Buffer }> = {
    "/fox.png": { status: 200, body: png(64, 64) },
    "/gone.png": { status: 404 },
    "/moved.png": { status: 302, headers: { location: "http://10.0.0.1/fox.png" } },
    "/page.html": { status: 200, headers: { "content-type": "image/png" }, body: Buffer.from("<html>") },
    "/huge.png": { status: 200, body: Buffer.concat([png(1, 1), Buffer.alloc(21 * 1024 * 1024)]) },
  };
  const server = createServer((request, response) => {
    const { status, headers, body } = pages[request.url ?? ""] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const site = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const customer = createClient(open.url, open.firstKey);
  try {
    for (const name of Object.keys(pages)) {
      const { body } = await customer.post<VideoRecord>(path, { image: site + name, duration: 1, aspect_ratio: "1:1" }, wait);
      const expected = name === "/fox.png" ? ["SUCCESS", undefined, 0.01] : ["FAILURE", "input_unreachable", 0];
      assert.deepEqual([body.status, body.error?.code, body.cost], expected, `${name}: ${body.fail_reason}`);
    }
    await customer.book.check();
  } finally {
    server.close();
    server.closeAllConnections();
    await open.end();
  }
});

test("with Prefer: wait the reply is the record of a query, finished or not", async () => {
  const whole = await client.post<VideoRecord>(path, { prompt: "x", duration: 1 }, { headers: { prefer: "respond-async, wait=30" } });
  assert.equal(whole.headers.get("preference-applied"), "wait=30");
  assert.equal(whole.body.status, "SUCCESS");
  assert.notEqual(whole.body.video_url, "");
  const early = await client.post<VideoRecord>(path, { prompt: "x", duration: 20 }, { headers: { prefer: "wait=0" } });
  assert.equal(early.headers.get("preference-applied"), "wait=0");
  assert.ok(["SUBMITTED", "QUEUED", "IN_PROGRESS"].includes(early.body.status), early.text);
  assert.equal(early.body.finish_time, 0);
  await client.post(`/v1/tasks/${early.body.id}/cancel`);
});

test("fields nobody knows are ignored and named in a header", async () => {
  const { status, headers, body } = await client.post<VideoTask>(path, { prompt: "x", duration: 1, colour: "red", "größe, ja/nein": 1 });
  assert.equal(status, 200);
  const warning = headers.get("x-genway-warning") ?? "";
  assert.ok(warning.includes("/colour"), warning);
  assert.ok(warning.includes(encodeURIComponent("größe")), warning);
  await client.post(`/v1/tasks/${body.id}/cancel`);
});

test("a quote is what is charged", async () => {
  const body = { prompt: "x", duration: 1, aspect_ratio: "8:1" };
  const quote = (await client.post<Quote>("/v1/quote", { path, body })).body;
  assert.deepEqual([quote.amount_usd, quote.currency, quote.unit], [0.01, "usd", "per_second"]);
  const { body: video } = await client.post<VideoRecord>(path, body, wait);
  assert.equal(video.cost, quote.amount_usd);
});

test("without a key no video is made, not even on this machine", async () => {
  const reply = await client.post<EnvelopeError>(path, { prompt: "x" }, { key: null });
  assert.equal(reply.status, 401);
  assert.equal(reply.body.code, "invalid_key");
});

test("every reply of this journey keeps the contract", () => client.book.check());
