import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../core/errors.ts";
import type { InputFile } from "../../core/kinds.ts";
import type { Job } from "../../core/provider.ts";
import { buildField, buildFields } from "./body.ts";
import { readOnce } from "./file-change.ts";
import type { Field, Fields } from "./spec.ts";

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

test("changes follow one another, and another value stands in where there is none", async () => {
  assert.deepEqual(
    await build({
      seconds: { from: "input.durationSeconds", as: [{ times: 0.1 }, { clamp: [1, 10] }, "text", { prefix: "t" }] },
      tenth: { from: "input.durationSeconds", as: { times: 0.1 } },
      whole: { from: "input.durationSeconds", as: [{ times: 0.5 }, "integer"] },
      size: { from: "input.aspectRatio", as: "size" },
      wide: { from: "input.aspectRatio", as: { nearestRatio: ["1024x1024", "1792x1024"] } },
      cut: { from: "input.prompt", as: [{ cut: 3 }, { replace: ["a", "o"] }, "upper", "lower"] },
      seed: { from: "input.seed", or: -1 },
      none: { from: "input.durationSeconds", as: { lookup: {} }, or: "some" },
      empty: { seed: "input.seed" },
    }),
    { seconds: "t1", tenth: 0.5, whole: 3, size: "16x9", wide: "1792x1024", cut: "wov", seed: -1, none: "some" },
  );
});

test("objects are merged, and lists are gone through one by one", async () => {
  const images = ["1", "2"].map((id) => ({ from: "file", id }) as const);
  const input = { act: "edit", prompt: "p", images, count: 2, grid: false, extras: { style: "raw", n: 1 } } as const;
  const values = { ...job, kind: "image", input: { ...input, images } };
  const files = { load: async (file: InputFile) => ({ bytes: Buffer.from(file.from === "file" ? file.id : ""), mime: "image/png" }) };
  const fields: Field<"image"> = {
    merge: [
      {
        style: { const: "soft" },
        n: { const: 4 },
        images: { each: "input.images", item: { data: { from: "item", as: "base64" }, of: "model" } },
      },
      { object: { hidden: { const: true } }, when: [{ at: "input.mask", exists: true }] },
      "input.extras",
      "input.prompt",
      { all: { from: "input.images", as: "data-uri" }, one: { from: "input.images", as: ["first", "mime"] } },
    ],
  };
  assert.deepEqual(await buildField(fields, values, files), {
    style: "raw",
    n: 1,
    images: [
      { data: "MQ==", of: "m" },
      { data: "Mg==", of: "m" },
    ],
    all: ["data:image/png;base64,MQ==", "data:image/png;base64,Mg=="],
    one: "image/png",
  });
});

test("a picture that fits is passed on as a link, one that was changed is not, and each is read once", async () => {
  const limits = { maxSide: 100 };
  const image = { from: "url", url: "https://a.example/b" } as const;
  const values = { ...job, input: { ...job.input, image } };
  const seen: unknown[] = [];
  const filesOf = (changed: boolean) => ({
    limits,
    load: readOnce(async (_file, given) => {
      seen.push(given);
      return { bytes: Buffer.from("png"), mime: "image/png", changed };
    }),
  });
  const fields: Fields<"video"> = { link: { from: "input.image", as: "link" }, mime: { from: "input.image", as: "mime" } };
  assert.deepEqual(await buildFields(fields, values, filesOf(false)), { link: image.url, mime: "image/png" });
  assert.deepEqual(await buildFields(fields, values, filesOf(true)), { link: "data:image/png;base64,cG5n", mime: "image/png" });
  assert.deepEqual(seen, [limits, limits]);
});

test("a video is not held against the limits of pictures", async () => {
  const source = { act: "extend", taskId: "t", upstreamTaskId: null, video: { from: "url", url: "https://a.example/v" } } as const;
  const load = async () => Promise.reject(new Error("nothing is to be read"));
  const fields: Fields<"video"> = { video: { from: "input.source.video", as: "link" } };
  const built = await buildFields(fields, { ...job, input: { ...job.input, source } }, { limits: { maxSide: 1 }, load });
  assert.deepEqual(built, { video: "https://a.example/v" });
});
