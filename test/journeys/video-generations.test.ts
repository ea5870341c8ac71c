import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { png, uuid } from "../support/samples.ts";
import type { EnvelopeError, Quote, VideoObject, VideoRecord } from "../support/wire.ts";

const gateway = await startGateway();
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const client = createClient(gateway.url, gateway.firstKey);
const path = "/v1/video/generations";
const wait = { headers: { prefer: "wait=60" } };

type Facts = { url?: string; duration: number; width: number; height: number; seed?: number; fps?: number };
type Relayed = Omit<VideoObject, "metadata"> & {
  code: string;
  message: string;
  format: string;
  metadata: Facts;
  data: {
    task_id: string;
    action: string;
    status: string;
    fail_reason: string;
    result_url: string;
    url: string;
    submit_time: number;
    start_time: number;
    finish_time: number;
    progress: string;
    properties: { input: string; origin_model_name: string };
    metadata: Facts;
    data: VideoObject;
  };
};

const uri = `data:image/png;base64,${png(64, 64).toString("base64")}`;
const asked = { model: "kling-v1", prompt: "a fox", duration: 1, width: 640, height: 480, fps: 24, seed: 7, metadata: { cfg_scale: 0.5 } };
const { body: created, text: createdText } = await client.post<VideoObject>(path, asked);

test("a create answers as OpenAI does", () => {
  assert.match(created.id ?? "", uuid, createdText);
  const { task_id, object, model, status, progress } = created;
  assert.deepEqual(
    { task_id, object, model, status, progress },
    { task_id: created.id, object: "video", model: "kling-v1", status: "queued", progress: 0 },
  );
});

test("a client that reads the envelope and one that reads beside it both find the video", async () => {
  const inEnvelope = await eventually(async () => {
    const { body } = await client.get<Relayed>(`${path}/${created.task_id}`);
    assert.deepEqual([body.code, body.message], ["success", ""]);
    assert.notEqual(body.data.status, "FAILURE", body.data.fail_reason);
    return body.data.status === "SUCCESS" && body;
  });
  const { data, ...flat } = inEnvelope;
  assert.deepEqual([flat.status, flat.format, data.progress, data.fail_reason], ["completed", "mp4", "100%", ""]);
  assert.deepEqual([data.properties.input, data.properties.origin_model_name, data.action], ["a fox", "kling-v1", "textGenerate"]);
  assert.ok(data.submit_time > 0 && data.start_time >= data.submit_time && data.finish_time >= data.start_time);
  for (const url of [flat.url, flat.video_url, flat.metadata.url, data.url, data.result_url, data.data.url]) assert.equal(url, data.url);
  assert.equal((await fetch(data.url)).headers.get("content-type"), "video/mp4");
  const { url: _url, duration, ...facts } = flat.metadata;
  assert.deepEqual(facts, { width: 640, height: 480, seed: 7, fps: 24 });
  assert.ok(Math.abs(duration - 1) < 0.2);
});

test("every group of videos shows the same task", async () => {
  assert.equal((await client.get<VideoRecord>(`/custom_video/fetch/${created.id}`)).body.aspect_ratio, "4:3");
  assert.equal((await client.get<VideoObject>(`/v1/videos/${created.id}`)).body.size, "640x480");
  const { body } = await client.post<{ id: string }>("/custom_video/model/any", { prompt: "y", duration: 1 });
  await client.post(`/v1/tasks/${body.id}/cancel`);
  const record = (await client.get<Relayed>(`${path}/${body.id}`)).body;
  assert.deepEqual([record.data.status, record.status, record.url, record.data.url], ["FAILURE", "failed", null, ""]);
});

test("shape, length and pictures are taken from whichever field has them", async () => {
  const cases: [object, Partial<VideoRecord>][] = [
    [
      { prompt: "x", duration: "7" },
      { duration: 7, aspect_ratio: "16:9" },
    ],
    [
      { prompt: "x", seconds: "3", size: "720x1280" },
      { duration: 3, aspect_ratio: "9:16" },
    ],
    [{ prompt: "x", size: "720*1280", aspect_ratio: "1:1" }, { aspect_ratio: "1:1" }],
    [
      { prompt: "x", metadata: { aspect_ratio: "3:4", duration: 60, model: "dearer", n: 4 } },
      { duration: 5, aspect_ratio: "3:4", model: "m" },
    ],
    [{ prompt: "x", metadata: '{"aspect_ratio":"21:9"}', duration: null, image: "" }, { aspect_ratio: "7:3" }],
    [{ images: [uri, uri], n: 1, mode: "std" }, { duration: 5 }],
    [{ image: uri, negative_prompt: "rain" }, { duration: 5 }],
  ];
  for (const [body, expected] of cases) {
    const reply = await client.post<VideoObject>(path, { model: "m", ...body });
    assert.equal(reply.status, 200, reply.text);
    await client.post(`/v1/tasks/${reply.body.id}/cancel`);
    const { body: record } = await client.get<VideoRecord>(`/custom_video/fetch/${reply.body.id}`);
    for (const [name, value] of Object.entries(expected)) assert.equal(Reflect.get(record, name), value, `${JSON.stringify(body)} ${name}`);
  }
});

test("with Prefer: wait the reply to a create is the query's, for a form with a picture too", async () => {
  const raw = new FormData();
  for (const [name, value] of Object.entries({ model: "m", prompt: "it moves", duration: "1", seed: "3" })) raw.append(name, value);
  raw.append("image", new Blob([png(64, 64)], { type: "image/png" }), "picture.png");
  const { status, body, text } = await client.call<Relayed>("POST", path, undefined, { raw, ...wait });
  assert.deepEqual([status, body.code, body.data?.status, body.status], [200, "success", "SUCCESS", "completed"], text);
  assert.deepEqual([body.data.action, body.metadata.seed], ["generate", 3]);
});

test("what a create may not have is refused in the envelope, with the field, and unknown ones are named", async () => {
  const cases: [string, object][] = [
    ["model", { model: undefined, prompt: "x" }],
    ["prompt", {}],
    ["n", { prompt: "x", n: 2 }],
    ["duration", { prompt: "x", duration: 61 }],
    ["images", { images: [uri, uri, uri] }],
    ["image", { image: "http://10.0.0.1/a.png" }],
    ["width", { prompt: "x", width: 9000, height: 100 }],
    ["metadata", { prompt: "x", metadata: 3 }],
  ];
  for (const [param, body] of cases) {
    const reply = await client.post<EnvelopeError>(path, { model: "m", ...body });
    assert.deepEqual([reply.status, reply.body.code, reply.body.error?.param], [400, "invalid_request", param], reply.text);
  }
  const { headers, body } = await client.post<VideoObject>(path, { model: "m", prompt: "x", response_format: "url" });
  await client.post(`/v1/tasks/${body.id}/cancel`);
  assert.equal(headers.get("x-genway-warning"), "ignored: /response_format");
  for (const reply of [
    await client.get<EnvelopeError>(`${path}/none`),
    await client.as((await gateway.customer(1)).key).get<EnvelopeError>(`${path}/${created.id}`),
  ])
    assert.deepEqual([reply.status, reply.body.code, reply.body.data], [404, "task_not_found", null]);
});

test("the price is known before", async () => {
  const { body } = await client.post<Quote>("/v1/quote", { path, body: { ...asked, duration: 10 } });
  assert.equal(body.amount_usd, 0.1);
});

test("a video of an upstream is shown the same way", async () => {
  const { client: customer, lab, reach } = upstream;
  const { body, text } = await customer.post<VideoObject>(path, { model: "gen4.5", prompt: "waves", duration: 5 });
  assert.equal(body.status, "queued", text);
  await reach(body.id, "SUCCESS");
  const { body: done, text: doneText } = await customer.get<Relayed>(`${path}/${body.id}`);
  assert.deepEqual([done.data.status, done.status], ["SUCCESS", "completed"]);
  assert.ok(!doneText.includes(lab.url) && !/runway/i.test(doneText), doneText);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});
