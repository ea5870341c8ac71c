import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../core/errors.ts";
import type { InputFile } from "../../core/kinds.ts";
import type { Job } from "../../core/provider.ts";
import { buildFields } from "./body.ts";
import type { Fields } from "./spec.ts";

const job: Job = {
  kind: "video",
  taskId: "t",
  attempt: 1,
  idempotencyKey: "t-1",
  model: "m",
  input: { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 } },
};

const build = (fields: Fields<"video">, image?: InputFile) =>
  buildFields(fields, image ? { ...job, input: { ...job.input, image } } : job, {
    load: async () => ({ bytes: Buffer.from("png"), mime: "image/png" }),
  });

test("a body takes paths, constants, objects and lists, and leaves out what is not there", async () => {
  assert.deepEqual(
    await build({
      model: "model",
      settings: { seconds: "input.durationSeconds", audio: { const: false } },
      content: [
        { type: { const: "text" }, text: "input.prompt" },
        { object: { type: { const: "image" }, url: { from: "input.image", as: "link" } }, when: [{ at: "input.image", exists: true }] },
      ],
      image: "input.image",
    }),
    { model: "m", settings: { seconds: 5, audio: false }, content: [{ type: "text", text: "waves" }] },
  );
});

test("an object on conditions appears when they hold", async () => {
  const fields: Fields<"video"> = {
    frame: { object: { url: { from: "input.image", as: "link" } }, when: [{ at: "input.image", exists: true }] },
  };
  assert.deepEqual(await build(fields, { from: "url", url: "https://a.example/b.png" }), { frame: { url: "https://a.example/b.png" } });
});

test("a link is an https address as it is, and anything else as a data URI", async () => {
  const link: Fields<"video"> = { link: { from: "input.image", as: "link" }, data: { from: "input.image", as: "data-uri" } };
  const data = "data:image/png;base64,cG5n";
  assert.deepEqual(await build(link, { from: "url", url: "https://a.example/b" }), { link: "https://a.example/b", data });
  assert.deepEqual(await build(link, { from: "url", url: "http://a.example/b" }), { link: data, data });
  assert.deepEqual(await build(link, { from: "file", id: "file_1" }), { link: data, data });
});

test("values are changed into the form that is wanted", async () => {
  const ratio = (list: readonly string[]) => ({ from: "input.aspectRatio", as: { nearestRatio: list } }) as const;
  assert.deepEqual(
    await build({
      ratio: { from: "input.aspectRatio", as: "ratio" },
      exact: ratio(["720:1280", "1280:720", "1920:1080"]),
      near: ratio(["1:1", "4:3", "21:9"]),
      seconds: { from: "input.durationSeconds", as: { nearest: [4, 8] } },
      text: { from: "input.durationSeconds", as: { suffix: "s" } },
      size: { from: "input.durationSeconds", as: { lookup: { 5: "short", 10: "long" } } },
      none: { from: "input.durationSeconds", as: { lookup: { 10: "long" } } },
    }),
    { ratio: "16:9", exact: "1280:720", near: "21:9", seconds: 4, text: "5s", size: "short" },
  );
});

test("a file that cannot be read is the caller's to hear about", async () => {
  const fields: Fields<"video"> = { image: { from: "input.image", as: "data-uri" } };
  const unread = async () => Promise.reject(new Failure("input_unreachable"));
  await assert.rejects(
    buildFields(fields, { ...job, input: { ...job.input, image: { from: "file", id: "1" } } }, { load: unread }),
    Failure,
  );
});
