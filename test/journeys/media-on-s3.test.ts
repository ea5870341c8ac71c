import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startS3, type S3Server } from "../support/s3-server.ts";
import { png } from "../support/samples.ts";

type Video = { id: string; status: string; video_url: string };

let s3: S3Server;
let lab: Lab;
let passing: TestGateway;
let sending: TestGateway;

before(async () => {
  [s3, lab] = await Promise.all([startS3(), createLab({ script: { minSeconds: 0.1, maxSeconds: 0.1, queueSeconds: 0 } })]);
  const yaml = (download: string) => `
providers:
  runway: { type: runway, base_url: "${lab.baseUrl("runway")}", keys: [lab-key], allow_private_network: true }
models:
  gen4.5: { kinds: [video], routes: [{ provider: runway }], price: { per_second: 0.1 } }
media:
  url: "s3://${s3.bucket}/${download}?endpoint=${s3.endpoint}&access_key_id=S3RVER&secret_access_key=S3RVER"
  download: ${download}
`;
  [passing, sending] = (await Promise.all(["proxy", "presigned"].map((download) => startGateway({ yaml: yaml(download) })))) as [
    TestGateway,
    TestGateway,
  ];
});
after(async () => {
  await Promise.all([passing.end(), sending.end()]);
  await Promise.all([s3.stop(), lab.close()]);
});

async function clientOf(gateway: TestGateway): Promise<Client> {
  return createClient(gateway.url, (await gateway.customer(10)).key);
}

async function make(client: Client): Promise<Video> {
  const { body } = await client.post<Video>("/custom_video/model/gen4.5", { prompt: "a lake", duration: 2 });
  return eventually(
    async () => {
      const { body: seen } = await client.get<Video>(`/custom_video/fetch/${body.id}`);
      return seen.status === "SUCCESS" ? seen : null;
    },
    { withinMs: 20_000 },
  );
}

const under = (prefix: string) => s3.objects().filter((key) => key.startsWith(`${prefix}/`)).length;

test("a result lies in the bucket, is read through us in ranges, and is gone with its task", async () => {
  const client = await clientOf(passing);
  const { id, video_url: address } = await make(client);
  assert.ok(under("proxy") >= 1);
  const whole = await fetch(address);
  assert.deepEqual([whole.status, whole.headers.get("content-type")], [200, "video/mp4"]);
  const bytes = await whole.bytes();
  const part = await fetch(address, { headers: { range: "bytes=100-199" } });
  assert.equal(part.status, 206);
  assert.deepEqual(await part.bytes(), bytes.subarray(100, 200));
  assert.equal((await client.delete(`/v1/tasks/${id}`)).status, 200);
  assert.equal(under("proxy"), 0);
});

test("an upload lies there too, and can be used", async () => {
  const client = await clientOf(passing);
  const form = new FormData();
  form.set("file", new Blob([png(320, 320)]), "a.png");
  const { body: file } = await client.post<{ id: string }>("/v1/files", undefined, { raw: form });
  const { status } = await client.post("/custom_video/model/gen4.5", { prompt: "it moves", image: file.id, duration: 2 });
  assert.equal(status, 200);
  assert.ok(under("proxy") >= 1);
});

test("with presigned downloads whoever reads is sent to the bucket, for a while", async () => {
  const { video_url: address } = await make(await clientOf(sending));
  const sent = await fetch(address, { redirect: "manual" });
  assert.equal(sent.status, 302);
  assert.equal(sent.headers.get("cache-control"), "private, no-store");
  const there = sent.headers.get("location") ?? "";
  assert.ok(there.startsWith(s3.endpoint) && /X-Amz-Signature=/.test(there), there);
  const video = await fetch(there);
  assert.deepEqual([video.status, video.headers.get("content-type")], [200, "video/mp4"]);
  assert.ok((await video.bytes()).byteLength > 1_000);
});

test("a bucket that does not answer shows in /ready, and a result waits until it does", async () => {
  const client = await clientOf(passing);
  await s3.kill();
  const ready = await fetch(`${passing.url}/ready`);
  assert.equal(ready.status, 503);
  const { body } = await client.post<Video>("/custom_video/model/gen4.5", { prompt: "later", duration: 2 });
  await eventually(async () => (lab.jobs().some(({ prompt, polls }) => prompt === "later" && polls > 0) ? true : null), {
    withinMs: 20_000,
  });
  assert.notEqual((await client.get<Video>(`/custom_video/fetch/${body.id}`)).body.status, "FAILURE");
  await s3.startAgain();
  await eventually(async () => ((await client.get<Video>(`/custom_video/fetch/${body.id}`)).body.status === "SUCCESS" ? true : null), {
    withinMs: 60_000,
  });
});
