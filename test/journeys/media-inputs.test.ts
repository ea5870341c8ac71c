import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { after, test } from "node:test";
import { createCanvas } from "@napi-rs/canvas";
import { startLabGateway } from "../support/lab-gateway.ts";
import { png } from "../support/samples.ts";
import type { PlainError, TaskRecord, VideoTask } from "../support/wire.ts";

const { lab, client, gateway, reach, end } = await startLabGateway({ env: { GENWAY_OUTBOUND_ALLOW: "127.0.0.1/32" } });
const pictures = await startPictures();
after(async () => {
  await end();
  await pictures.close();
});

/** Takes pictures of 360 to 2,000 pixels a side. */
const model = "wan2.7-i2v";
const path = `/custom_video/model/${model}`;
const small = png(400, 400);
const claimed = (width: number, height: number) => {
  const bytes = Buffer.from(small);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

type Answer = (response: ServerResponse) => void;
const bytes =
  (body: Uint8Array, mime = "image/png"): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": mime }).end(body);
const redirect =
  (location: string): Answer =>
  (response) =>
    void response.writeHead(302, { location }).end();

/** What may lie at an address, and what the task says of it. */
const wrong: Record<string, [answer: Answer, says: RegExp]> = {
  html: [bytes(Buffer.from("<!doctype html><p>Sign in")), /no PNG, JPEG, WebP or GIF/],
  svg: [bytes(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml"), /no PNG, JPEG, WebP or GIF/],
  empty: [bytes(Buffer.alloc(0)), /empty/],
  sound: [bytes(Buffer.from("RIFF\0\0\0\0WAVEfmt "), "audio/wav"), /no PNG, JPEG, WebP or GIF/],
  "half a picture": [bytes(small.subarray(0, small.byteLength - 20)), /cut off/],
  "a picture without pixels": [bytes(claimed(0, 400)), /damaged/],
  "a picture that claims to be huge": [bytes(claimed(60_000, 60_000)), /60000 by 60000 pixels, and at most 256 megapixels/],
  "a picture too large to be made smaller": [bytes(claimed(9_000, 9_000)), /9000 by 9000 pixels, and at most 64 megapixels/],
  "a picture whose inside is broken": [bytes(claimed(3_000, 3_000)), /damaged|cannot be read/],
  "too many bytes, announced": [
    (response) => void response.writeHead(200, { "content-length": String(21 * 1024 * 1024) }).end("x"),
    /larger than 20971520 bytes/,
  ],
  "too many bytes, unannounced": [
    (response) => void response.writeHead(200).end(Buffer.alloc(21 * 1024 * 1024)),
    /larger than 20971520 bytes/,
  ],
  "nothing there": [(response) => void response.writeHead(404).end(small), /answered with status 404/],
  "not for us": [(response) => void response.writeHead(403).end(small), /answered with status 403/],
  compressed: [(response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("x"), /compressed/],
  "cut on the way": [
    (response) => {
      response.writeHead(200, { "content-length": String(small.byteLength) });
      response.write(small.subarray(0, 50), () => response.destroy());
    },
    /ended before it was whole/,
  ],
  "a redirect to a private address": [redirect("http://10.0.0.1/a.png"), /"10\.0\.0\.1" is not on the public internet.*outbound\.allow/],
  "a redirect to the cloud's own": [redirect("http://169.254.169.254/latest/"), /"169\.254\.169\.254" is not on the public internet/],
  "a redirect with a password": [redirect("http://user:pass@127.0.0.1/a.png"), /user name or a password/],
  "a redirect to a file": [redirect("file:///etc/passwd"), /Only http and https/],
  "a circle of redirects": [redirect("/a circle of redirects"), /redirects more than 3 times/],
};

async function startPictures(): Promise<{ url: string; seen: string[]; close(): Promise<void> }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? "/").slice(1));
    seen.push(JSON.stringify(request.headers));
    const answer = wrong[name]?.[0] ?? bytes(name === "large.png" ? png(3_000, 1_500) : small);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

const create = async (image: string, prompt: string) => (await client.post<VideoTask>(path, { prompt, image, duration: 5 })).body.id;
const available = async () => (await client.get<{ available_usd: number; held_usd: number }>("/v1/balance")).body;

test("what cannot be used fails the task in a sentence that says why; nothing is sent and nothing paid", async () => {
  const before = await available();
  const tasks = await Promise.all(
    Object.entries(wrong).map(async ([name, [, says]]) => ({
      name,
      says,
      id: await create(`${pictures.url}/${encodeURIComponent(name)}`, name),
    })),
  );
  for (const { name, says, id } of tasks) {
    const { status, error, cost_usd } = await reach(id, "FAILURE", "SUCCESS");
    assert.deepEqual([status, error?.code, cost_usd], ["FAILURE", "input_unreachable", 0], `${name}: ${JSON.stringify(error)}`);
    assert.match(error?.message ?? "", says, name);
  }
  assert.deepEqual(lab.jobs(), []);
  assert.deepEqual(await available(), before);
});

test("addresses that are not of the public internet are refused at once, however they are written", async () => {
  for (const address of [
    "http://10.1.2.3/a.png",
    "http://192.168.0.1/a.png",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://[::1]/a.png",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://0.0.0.0/",
    "http://user:pass@example.org/a.png",
    "ftp://example.org/a.png",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "//example.org/a.png",
    "../a.png",
    "data:image/svg+xml;base64,PHN2Zy8+",
    "data:text/html;base64,PHA+",
    "data:image/png,plain",
    "file_unknown",
    "file_../../etc/passwd",
  ]) {
    const { status, body, text } = await client.post<PlainError>(path, { prompt: "x", image: address });
    assert.deepEqual([status, body.error.code, body.error.param], [400, "invalid_request", "image"], `${address} → ${text}`);
  }
});

test("a name inside the network is refused when it is fetched", async () => {
  const { error } = await reach(await create("http://metadata.google.internal/a.png", "internal"), "FAILURE");
  assert.equal(error?.code, "input_unreachable");
});

test("a broken data URI fails its task alone", async () => {
  for (const uri of [
    "data:image/png;base64,",
    "data:image/png;base64,!!!!",
    `data:image/png;base64,${small.toString("base64").slice(0, 60)}`,
  ]) {
    const { error } = await reach(await create(uri, "data"), "FAILURE");
    assert.equal(error?.code, "input_unreachable", uri);
  }
  assert.deepEqual(lab.jobs(), []);
});

test("an upload that is no picture, or somebody else's, is refused before anything begins", async () => {
  const upload = async (body: Uint8Array<ArrayBuffer>, key?: string) => {
    const form = new FormData();
    form.append("file", new Blob([body]), "a");
    return client.call<{ id: string }>("POST", "/v1/files", undefined, { raw: form, ...(key && { key }) });
  };
  const sound = await upload(Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt "), Buffer.alloc(40)]));
  const foreign = await upload(small, (await gateway.customer(1)).key);
  assert.deepEqual([sound.status, foreign.status], [200, 200]);
  for (const [id, says] of [
    [sound.body.id, /must be a picture/],
    [foreign.body.id, /no file of yours/],
  ] as const) {
    for (const [at, body, param] of [
      [path, { prompt: "x", image: id }, "image"],
      ["/videoB/generations", { user_prompt: "x", image_url: id }, "image_url"],
      ["/v1/videos", { prompt: "x", model, input_reference: id }, "input_reference"],
      ["/v1/video/generations", { prompt: "x", model, images: [id] }, "images"],
      ["/imageA/submit/imagine", { prompt: "x", base64Array: [id] }, "base64Array.0"],
      ["/imageB/remix", { prompt: "x", image_file: id }, "image_file"],
    ] as const) {
      const reply = await client.post<PlainError>(at, body);
      assert.deepEqual([reply.status, reply.body.error.param], [400, param], `${at} ${reply.text}`);
      assert.match(reply.body.error.message, says);
    }
  }
});

test("a picture that is too large is made smaller, and the task says so, by whichever way it came", async () => {
  const uri = `data:image/png;base64,${png(3_000, 1_500).toString("base64")}`;
  for (const image of [`${pictures.url}/large.png`, uri]) {
    const id = await create(image, "shrink");
    await reach(id, "SUCCESS");
    const { body } = await client.get<TaskRecord & { note?: string }>(`/v1/tasks/${id}`);
    assert.equal(body.note, "The picture was reduced from 3000x1500 to 2000x1000 pixels.");
  }
  const plain = await create(`${pictures.url}/fits.png`, "fits");
  await reach(plain, "SUCCESS");
  assert.equal("note" in (await client.get<object>(`/v1/tasks/${plain}`)).body, false);
  assert.equal(lab.jobs().length, 3);
});

test("pictures of rarer kinds are read as they are meant to be seen", async () => {
  const canvas = createCanvas(2_200, 1_100);
  for (const [name, picture, note] of [
    ["turned", turned(canvas.encodeSync("jpeg", 80)), "The picture was reduced from 1100x2200 to 1000x2000 pixels."],
    ["animated", canvas.encodeSync("gif", 10), "The picture was reduced from 2200x1100 to 2000x1000 pixels."],
    ["webp", canvas.encodeSync("webp", 80), "The picture was reduced from 2200x1100 to 2000x1000 pixels."],
  ] as const) {
    const mime = name === "turned" ? "jpeg" : name === "animated" ? "gif" : "webp";
    const id = await create(`data:image/${mime};base64,${picture.toString("base64")}`, name);
    await reach(id, "SUCCESS");
    assert.equal((await client.get<{ note?: string }>(`/v1/tasks/${id}`)).body.note, note, name);
  }
});

/** A JPEG of a camera that was held upright. */
function turned(jpeg: Buffer): Buffer {
  const tags = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0", "latin1");
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tags]);
  const head = Buffer.of(0xff, 0xe1, 0, exif.byteLength + 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

test("a finished video is what another goes on from, where the upstream is sent the video itself", async () => {
  const { body } = await client.post<VideoTask>("/custom_video/model/grok-imagine-video", { prompt: "waves", duration: 5 });
  await reach(body.id, "SUCCESS");
  const extended = await client.post<{ id: string }>(`/videoB/generations/${body.id}/extend`, { user_prompt: "on" });
  const remixed = await client.post<{ id: string }>(`/v1/videos/${body.id}/remix`, { prompt: "at night" });
  for (const { status, text, body: next } of [extended, remixed]) {
    assert.equal(status, 200, text);
    assert.equal((await reach(next.id, "SUCCESS", "FAILURE")).status, "SUCCESS");
  }
});

test("whoever keeps the pictures is shown no key and no cookie", () => {
  assert.ok(pictures.seen.length > 20);
  for (const headers of pictures.seen) assert.doesNotMatch(headers, /authorization|api-key|cookie|referer|lab-key|gw_/i);
});

test("every reply of this journey keeps the contract", () => client.book.check());
