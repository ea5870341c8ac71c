import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../core/call.ts";
import type { ImageJob } from "../../engines/job.ts";
import { callOf, textOfStream } from "../call/call.fixture.ts";
import { fileOf, openShop, refusalIn, valueOf, type Tricks } from "./local.fixture.ts";

type Seen = ImageJob & { sources: string[]; mask?: string };

/** Each picture is a file with its number in it. */
function painting(seen: Seen[] = []): Tricks {
  return {
    async image(job) {
      const sources = await Promise.all(job.sourcePaths.map((path) => readFile(path, "utf8")));
      seen.push({ ...job, sources, ...(job.maskPath !== undefined && { mask: await readFile(job.maskPath, "utf8") }) });
      const paths = Array.from({ length: job.count }, (_, at) => join(job.outDir, `image-${at}`));
      await Promise.all(paths.map((path, at) => writeFile(path, `picture ${at}`)));
      const { width, height, seed = 0 } = job;
      return { images: paths.map((path) => ({ path, mime: `image/${job.format}`, width, height, seed })) };
    },
  };
}

const inBase64 = (text: string): string => Buffer.from(text).toString("base64");

test("pictures come inside the reply, with the prompt, size and format they were made with", async (t) => {
  const seen: Seen[] = [];
  const shop = await openShop(t, painting(seen));
  const body = {
    prompt: " a cat ",
    n: 2,
    size: "64x128",
    output_format: "webp",
    output_compression: 0,
    background: "transparent",
    seed: 7,
  };
  const value = valueOf(await shop.ask(callOf("image", { ...body, response_format: "url", quality: "hd", style: "vivid" })));
  assert.deepEqual(value, {
    created: 1_750_000_000,
    data: ["picture 0", "picture 1"].map((text) => ({ b64_json: inBase64(text), revised_prompt: "a cat" })),
    size: "64x128",
    background: "transparent",
    output_format: "webp",
  });
  const { outDir: _outDir, sources, ...job } = seen[0] ?? assert.fail();
  assert.deepEqual(sources, []);
  assert.deepEqual(job, {
    engine: "image",
    seed: 7,
    prompt: "a cat",
    width: 64,
    height: 128,
    count: 2,
    format: "webp",
    quality: 1,
    transparent: true,
    sourcePaths: [],
  });
  assert.deepEqual(await shop.left(), []);
});

test("what is not said is usual, and every call draws another picture", async (t) => {
  const seen: Seen[] = [];
  const shop = await openShop(t, painting(seen));
  for (const size of [undefined, "auto"]) await shop.ask(callOf("image", { prompt: "a cat", size }));
  const [first, second] = seen;
  assert.deepEqual([first?.width, first?.height, first?.count, first?.format, first?.quality], [1024, 1024, 1, "png", 100]);
  assert.deepEqual([second?.width, second?.height], [1024, 1024]);
  assert.notEqual(first?.seed, second?.seed);
});

test("edits are handed their pictures and mask, variations only the pictures", async (t) => {
  const seen: Seen[] = [];
  const shop = await openShop(t, painting(seen));
  const files = [fileOf("image[]", "one"), fileOf("image[]", "two"), fileOf("mask", "where")];
  const edited = await shop.ask(callOf("image-edit", { prompt: "at night", seed: "9" }, { files }));
  assert.equal((valueOf(edited).data as JsonObject[])[0]?.revised_prompt, "at night");
  const varied = await shop.ask(callOf("image-variation", { prompt: "ignored" }, { files: [fileOf("image", "one")] }));
  assert.deepEqual(valueOf(varied).data, [{ b64_json: inBase64("picture 0") }]);
  assert.deepEqual(
    seen.map(({ prompt, sources, mask }) => ({ prompt, sources, mask })),
    [
      { prompt: "at night", sources: ["one", "two"], mask: "where" },
      { prompt: "", sources: ["one"], mask: undefined },
    ],
  );
  assert.equal(seen[0]?.seed, 9);
  assert.deepEqual(await shop.left(), []);
});

test("sizes, numbers and formats out of range are refused with their field", async (t) => {
  const shop = await openShop(t, painting());
  const wrong: [JsonObject, string][] = [
    [{ size: "63x64" }, "size"],
    [{ size: "64x4097" }, "size"],
    [{ size: "large" }, "size"],
    [{ n: 11 }, "n"],
    [{ n: 0 }, "n"],
    [{ output_format: "bmp" }, "output_format"],
    [{ output_compression: 101 }, "output_compression"],
    [{ output_format: "jpeg", background: "transparent" }, "background"],
    [{ prompt: " " }, "prompt"],
  ];
  for (const [body, param] of wrong) {
    const refusal = refusalIn(await shop.ask(callOf("image", { prompt: "a cat", ...body })));
    assert.deepEqual([refusal.class, refusal.param], ["invalid", param]);
  }
  assert.equal(refusalIn(await shop.ask(callOf("image-edit", { prompt: "x" }))).param, "image");
  assert.equal(refusalIn(await shop.ask(callOf("image-edit", {}, { files: [fileOf("image", "one")] }))).param, "prompt");
});

test("streamed pictures are events named after what was done", async (t) => {
  const shop = await openShop(t, painting());
  const made = await textOfStream(await shop.ask(callOf("image", { prompt: "a cat", n: 2, stream: true })));
  const events = made.split("\n\n").filter((event) => event !== "");
  assert.equal(events.length, 2);
  const [name, data = ""] = events[1]?.split("\ndata: ") ?? [];
  assert.equal(name, "event: image_generation.completed");
  const told = { type: "image_generation.completed", b64_json: inBase64("picture 1"), created_at: 1_750_000_000 };
  assert.deepEqual(JSON.parse(data), { ...told, size: "1024x1024", background: "opaque", output_format: "png" });
  const files = [fileOf("image", "one")];
  const edited = await shop.ask(callOf("image-edit", { prompt: "x", stream: true }, { files }));
  assert.match(await textOfStream(edited), /^event: image_edit\.completed\n/);
});
