import assert from "node:assert/strict";
import { after, test } from "node:test";
import { findChromium, openBrowser } from "../support/chromium.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { startLabGateway } from "../support/lab-gateway.ts";
import { imageSize, probeFilm } from "../support/media-probe.ts";
import { uuid } from "../support/samples.ts";
import type { EnvelopeError, VideoRecord, VideoTask } from "../support/wire.ts";

const gateway = await startGateway();
const upstream = await startLabGateway();
after(async () => {
  await gateway.end();
  await upstream.end();
});
const client = createClient(gateway.url, gateway.firstKey);

const fields: Record<keyof VideoRecord, string> = {
  id: "string",
  task_id: "string",
  model: "string",
  status: "string",
  progress: "string",
  submit_time: "number",
  start_time: "number",
  finish_time: "number",
  fail_reason: "string",
  error: "object",
  video_url: "string",
  url: "string",
  cover_url: "string",
  duration: "number",
  aspect_ratio: "string",
  cost: "number",
};

function checkFields(record: VideoRecord): void {
  assert.deepEqual(Object.keys(record).sort(), Object.keys(fields).sort());
  for (const [name, type] of Object.entries(fields)) assert.equal(typeof record[name as keyof VideoRecord], type, name);
  for (const name of ["submit_time", "start_time", "finish_time"] as const) assert.ok(Number.isInteger(record[name]), name);
  assert.match(record.id, uuid);
  assert.equal(record.task_id, record.id);
  assert.equal(record.url, record.video_url);
  assert.match(record.progress, /^(100|\d{1,2})%$/);
}

async function finished(id: string): Promise<VideoRecord> {
  return eventually(async () => {
    const { body } = await client.get<VideoRecord>(`/custom_video/fetch/${id}`);
    return body.status === "SUCCESS" && body;
  });
}

const created = (await client.post<VideoTask>("/custom_video/model/m-1", { prompt: "a lake", duration: 2, aspect_ratio: "4:3" })).body;

test("the record has every field with its type, from the first moment to the last", async () => {
  const seen: VideoRecord[] = [];
  await eventually(async () => {
    const { body } = await client.get<VideoRecord>(`/custom_video/fetch/${created.id}`);
    seen.push(body);
    return body.status === "SUCCESS";
  });
  for (const record of seen) {
    checkFields(record);
    assert.equal(record.error, null);
    assert.equal(record.fail_reason, "");
    assert.equal(record.duration, 2);
    assert.equal(record.aspect_ratio, "4:3");
    if (record.status === "SUCCESS") continue;
    assert.deepEqual([record.finish_time, record.video_url, record.cover_url, record.cost], [0, "", "", 0]);
  }
  const percents = seen.map(({ progress }) => Number.parseInt(progress, 10));
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  const last = seen.at(-1);
  assert.ok(last !== undefined && last.finish_time >= last.start_time && last.start_time >= last.submit_time && last.submit_time > 0);
  assert.deepEqual([last.progress, last.cost], ["100%", 0.02]);
  assert.ok(last.video_url.startsWith(`${gateway.url}/assets/`) && last.cover_url.startsWith(`${gateway.url}/assets/`));
});

test("four addresses lead to the same record, with and without a key", async () => {
  const record = await finished(created.id);
  for (const path of [
    `/custom_video/${created.id}`,
    `/custom_video/tasks/${created.id}`,
    `/custom_video/model/m-1/${created.id}`,
    `/custom_video/fetch/${created.id}/`,
  ]) {
    const { status, body } = await client.get<VideoRecord>(path, { key: null });
    assert.equal(status, 200, path);
    checkFields(body);
    assert.deepEqual({ ...body, video_url: "", url: "", cover_url: "" }, { ...record, video_url: "", url: "", cover_url: "" });
    assert.equal(new URL(body.video_url).pathname, new URL(record.video_url).pathname);
  }
});

test("the video and its cover are there, of the length and shape that were asked for", async () => {
  const { video_url, cover_url } = await finished(created.id);
  const video = await fetch(video_url);
  assert.deepEqual([video.status, video.headers.get("content-type")], [200, "video/mp4"]);
  const { width, height, seconds, codecs } = await probeFilm(Buffer.from(await video.arrayBuffer()));
  assert.ok(Math.abs(width / height - 4 / 3) < 0.02, `${width} × ${height}`);
  assert.ok(Math.abs(seconds - 2) <= 0.2, `${seconds} s`);
  assert.deepEqual(codecs, ["avc", "aac"]);
  const cover = await fetch(cover_url);
  assert.match(cover.headers.get("content-type") ?? "", /^image\//);
  assert.deepEqual(await imageSize(Buffer.from(await cover.arrayBuffer())), { width, height });
});

test("a browser can play the video to its end", { skip: findChromium() === null && "no Chromium on this machine" }, async () => {
  const { video_url } = await finished(created.id);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${gateway.url}/health`);
    // As text, because it runs in the browser, whose types are not ours.
    const script = `new Promise((resolve, reject) => {
      const video = document.createElement("video");
      video.muted = true;
      video.addEventListener("error", () => reject(new Error("the browser says: " + video.error.message)));
      video.addEventListener("canplaythrough", () => resolve({ seconds: video.duration, width: video.videoWidth, height: video.videoHeight }));
      video.src = ${JSON.stringify(video_url)};
      video.load();
    })`;
    const seen = (await page.evaluate(script)) as { seconds: number; width: number; height: number };
    assert.ok(Math.abs(seen.seconds - 2) <= 0.2 && Math.abs(seen.width / seen.height - 4 / 3) < 0.02, JSON.stringify(seen));
  } finally {
    await browser.close();
  }
});

test("what is not the caller's video is not found, in the words of the group", async () => {
  const lyrics = (await client.post<{ data: string }>("/musicA/submit/lyrics", { prompt: "x" })).body.data;
  const other = client.as((await gateway.customer(1)).key);
  const asked = [
    await client.get<EnvelopeError>(`/custom_video/fetch/${lyrics}`),
    await other.get<EnvelopeError>(`/custom_video/fetch/${created.id}`),
    await client.get<EnvelopeError>("/custom_video/fetch/01234567-89ab-7def-8123-456789abcdef"),
    await client.get<EnvelopeError>("/custom_video/fetch/not-an-id"),
    await client.get<EnvelopeError>(`/custom_video/fetch/${encodeURIComponent("../../../etc/passwd")}`),
    await client.get<EnvelopeError>(`/custom_video/fetch/${encodeURIComponent("' or 1=1 --")}`),
    await client.get<EnvelopeError>(`/custom_video/fetch/${"x".repeat(400)}`),
  ];
  for (const reply of asked) {
    assert.equal(reply.status, 404, reply.text);
    assert.equal(reply.body.code, "task_not_found");
    assert.equal(reply.body.data, null);
  }
});

test("a video of an upstream is copied before it counts as a success, and nothing of the upstream shows", async () => {
  const { client: customer, lab } = upstream;
  const { body } = await customer.post<VideoTask>("/custom_video/model/gen4.5", { prompt: "waves [lab:seconds=40]", duration: 5 });
  await upstream.reach(body.id, "IN_PROGRESS");
  const running = (await customer.get<VideoRecord>(`/custom_video/fetch/${body.id}`)).body;
  checkFields(running);
  assert.equal(running.status, "IN_PROGRESS");
  assert.ok(running.start_time > 0);
  await upstream.reach(body.id, "SUCCESS");
  const { text, body: video } = await customer.get<VideoRecord>(`/custom_video/fetch/${body.id}`);
  checkFields(video);
  assert.deepEqual([video.status, video.model, video.cost], ["SUCCESS", "gen4.5", 0.6]);
  const [job] = lab.jobs();
  assert.ok(job !== undefined && !text.includes(job.id) && !text.includes(lab.url) && !/runway/i.test(text), text);
  await lab.close();
  assert.equal((await fetch(video.video_url)).status, 200);
});

test("every reply of this journey keeps the contract", async () => {
  await client.book.check();
  await upstream.client.book.check();
});
