import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageOutput, TaskKind } from "../../core/kinds.ts";
import type { Answered } from "../upstream/reply.ts";
import { createUpstream } from "../upstream/upstream.ts";
import { createMediaReader } from "./media.ts";
import { readOutput } from "./output.ts";
import type { JobSpec, Results } from "./spec.ts";

const secret = "secret-123";
const { locate, guarded } = createUpstream({
  baseUrl: "https://api.example/v1",
  allowPrivateNetwork: false,
  auth: { header: "X-Key" },
  trustedHosts: ["*.files.example"],
});
const reply: Answered = { state: "answered", status: 200, headers: {}, body: {}, text: "", bytes: new Uint8Array(), secrets: [] };

function read(results: JobSpec["results"], kind: TaskKind, record: unknown) {
  return readOutput(results, kind, record, createMediaReader({ locate, guarded }, { id: "j1", keep: {} }, secret, reply));
}

function images(map: Partial<Results["image"]>, record: unknown): ImageOutput | "withheld" | null {
  const output = read({ image: { pictures: "data", media: "url", ...map } }, "image", record);
  return output === null || output === "withheld" ? output : output.kind === "image" ? output : assert.fail(output.kind);
}

function videoAt(video: Results["video"]["video"], record: unknown) {
  const output = read({ video: { video } }, "video", record);
  return output !== null && output !== "withheld" && output.kind === "video" ? output.video : null;
}

const a = { from: "url", url: "https://a.example/1.png" };

test("pictures come as a list of objects, a list of texts, or one", () => {
  assert.deepEqual(images({ seed: "seed", prompt: "made_from" }, { data: [{ url: a.url, seed: 5, made_from: "x" }, { url: 7 }, null] }), {
    kind: "image",
    pictures: [{ media: a, seed: 5, prompt: "x" }],
  });
  assert.deepEqual(images({ media: "", seed: "seed" }, { data: [a.url, a.url], seed: 9 }), {
    kind: "image",
    pictures: [
      { media: a, seed: 9 },
      { media: a, seed: 9 },
    ],
  });
  assert.deepEqual(images({}, { data: { url: a.url } }), { kind: "image", pictures: [{ media: a }] });
  assert.deepEqual(images({ pictures: ["none", "sets[*].data"] }, { sets: [{ data: [{ url: a.url }] }, {}, 7, { data: [] }] }), {
    kind: "image",
    pictures: [{ media: a }],
  });
});

test("pictures that are withheld are left out, and when all are the job failed", () => {
  const withheld = [{ at: "nsfw", is: true }] as const;
  assert.deepEqual(images({ withheld }, { data: [{ url: a.url, nsfw: true }, { url: a.url }] }), {
    kind: "image",
    pictures: [{ media: a }],
  });
  assert.equal(images({ withheld }, { data: [{ url: a.url, nsfw: true }] }), "withheld");
  assert.equal(images({ withheld }, { data: [] }), null);
});

test("one picture may be a grid, with buttons and what it took", () => {
  const map: Partial<Results["image"]> = {
    pictures: "",
    grid: [{ at: "action", is: "IMAGINE" }],
    buttons: { list: "buttons", id: "customId", label: "label", emoji: "emoji" },
    usage: "usage",
  };
  const record = { action: "IMAGINE", url: a.url, buttons: [{ customId: "u1", label: "U1" }, { label: "?" }], usage: { tokens: 3 } };
  assert.deepEqual(images(map, record), {
    kind: "image",
    pictures: [{ media: a }],
    grid: a,
    buttons: [{ id: "u1", label: "U1", emoji: "" }],
    usage: { tokens: 3 },
  });
  assert.equal(Object.hasOwn(Object(images(map, { ...record, action: "UPSCALE" })), "grid"), false);
});

test("an act may yield texts alone", () => {
  assert.deepEqual(images({ texts: "words" }, { words: ["one", "", 7, "two"] }), { kind: "image", pictures: [], texts: ["one", "two"] });
  assert.deepEqual(images({ texts: ["none", "words"] }, { words: "one" }), { kind: "image", pictures: [], texts: ["one"] });
});

test("media lie in texts as base64, hex or data URIs", () => {
  const bytes = { from: "bytes", bytes: Buffer.from("png") };
  assert.deepEqual(videoAt({ at: "v", as: "base64" }, { v: "cG5n" }), bytes);
  assert.deepEqual(videoAt({ at: "v", as: "base64" }, { v: "data:video/mp4;base64,cG5n" }), bytes);
  assert.deepEqual(videoAt({ at: "v", as: "base64" }, { v: a.url }), a);
  assert.deepEqual(videoAt("v", { v: "data:video/mp4;base64,cG5n" }), bytes);
  assert.deepEqual(videoAt({ at: "v", as: "hex" }, { v: "706e67" }), bytes);
  for (const v of ["706e6", "no hex", {}, ""]) assert.equal(videoAt({ at: "v", as: "hex" }, { v }), null);
  assert.equal(videoAt({ at: "v", as: "base64" }, { v: "?" }), null);
});

test("the credential goes along to the upstream's own hosts alone", () => {
  const headers = { "x-key": secret };
  const guardedAt = { at: "v", as: "guarded" } as const;
  assert.deepEqual(videoAt(guardedAt, { v: "https://api.example/f" }), { from: "url", url: "https://api.example/f", headers });
  assert.deepEqual(videoAt(guardedAt, { v: "https://a.files.example/f" }), { from: "url", url: "https://a.files.example/f", headers });
  for (const v of ["https://a.example/f", "http://a.files.example/f", "http://api.example/f"]) {
    assert.deepEqual(videoAt(guardedAt, { v }), { from: "url", url: v });
  }
  assert.equal(videoAt(guardedAt, { v: "file:///etc/passwd" }), null);
  assert.deepEqual(videoAt({ send: "GET /jobs/{id}/files/{record.n}" }, { n: 2 }), {
    from: "url",
    url: "https://api.example/v1/jobs/j1/files/2",
    headers,
  });
  assert.equal(videoAt({ send: "GET /jobs/{record.n}" }, { n: ".." }), null);
  const unless = { send: "GET /jobs/{id}", unless: "url" } as const;
  assert.deepEqual(videoAt(unless, { url: a.url }), a);
});

test("a reply that is no medium has none", () => {
  assert.equal(videoAt({ body: true }, {}), null);
});

test("a song may be one object", () => {
  const output = read({ music: { songs: ["none", "data"], audio: "url" } }, "music", { data: { url: a.url } });
  assert.ok(output !== null && output !== "withheld" && output.kind === "music");
  assert.deepEqual(
    output.songs.map(({ audio }) => audio),
    [a],
  );
});
