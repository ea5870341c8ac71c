import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { createLab, type Lab } from "../../lab/lab.ts";
import { dialects } from "../../lab/dialects/index.ts";
import type { Sample } from "../../lab/dialect.ts";
import { loadInput, type LoadNeeds } from "../../src/core/load-input.ts";
import type { InputFile } from "../../src/core/kinds.ts";
import type { Started, Work } from "../../src/core/provider.ts";
import { fitPicture } from "../../src/media/picture-fit.ts";
import { adapters } from "../../src/providers/index.ts";
import { png } from "../support/samples.ts";
import { jobOf, secret } from "./provider-probe.ts";

const address = "https://pictures.example/a%20b.png?size=large&x=1";
const picture = png(512, 512);
const files: Record<string, InputFile> = {
  "an address": { from: "url", url: address },
  "an address without TLS": { from: "url", url: "http://pictures.example/a.png" },
  "a data URI": { from: "data", uri: `data:image/png;base64,${picture.toString("base64")}` },
  "an upload": { from: "file", id: "file_1" },
};

let lab: Lab;
let front: Awaited<ReturnType<typeof startFront>>;
before(async () => {
  lab = await createLab({ keys: [secret] });
  front = await startFront(() => lab.url);
});
after(async () => {
  await front.close();
  await lab.close();
});

for (const dialect of dialects) {
  const { type, adapter: spoken = type } = dialect;
  const withPictures = dialect.samples.filter(takesPicture);
  const tasks = (baseUrl: string) => {
    const found = adapters.find((one) => one.type === spoken);
    return found?.create({ name: type, baseUrl, allowPrivateNetwork: true, options: dialect.options?.(baseUrl) ?? {} }).tasks;
  };
  const start = async (sample: Sample, file: InputFile, bytes = picture): Promise<{ started: Started; sent: Buffer }> => {
    front.sent.length = 0;
    const provider = tasks(`${front.url}/${type}`) ?? assert.fail(`${type} has no tasks`);
    const started = await provider.start(jobOf(replaced(sample, file), ""), workFor(dialect.credential?.(secret) ?? secret, bytes));
    return { started, sent: Buffer.concat(front.sent) };
  };

  if (withPictures.length === 0) continue;
  describe(type, () => {
    for (const [at, sample] of withPictures.entries()) {
      for (const [name, file] of Object.entries(files)) {
        test(`a picture given as ${name} reaches the upstream whole (${sample.kind} ${at})`, async () => {
          const { started, sent } = await start(sample, file);
          assert.ok(started.state === "accepted" || started.state === "done", JSON.stringify(started));
          const isLink = file.from === "url" && sent.includes(JSON.stringify(file.url));
          if (isLink) return assert.match(file.url, /^https:/, "addresses without TLS are not passed on");
          assert.ok(sent.includes(picture) || sent.includes(picture.toString("base64")), sent.toString("latin1").slice(0, 500));
        });
      }
    }

    test("what is no picture is refused before anything is sent, in a sentence that says why", async () => {
      const [sample] = withPictures;
      for (const bytes of [
        Buffer.from("<html>"),
        Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
        Buffer.alloc(0),
        picture.subarray(0, 90),
      ]) {
        const { started, sent } = await start(sample ?? assert.fail(), { from: "file", id: "file_1" }, Buffer.from(bytes));
        const refusal = started.state === "refused" ? started.refusal : assert.fail(JSON.stringify(started));
        assert.equal(refusal.class, "input_unreachable");
        assert.match(refusal.says ?? "", /^The (file|picture) is (empty|no PNG|cut off)/);
        assert.equal(sent.byteLength, 0);
      }
    });
  });
}

function takesPicture(sample: Sample): boolean {
  if (sample.kind === "image") return sample.input.images.length > 0;
  return sample.kind === "video" && sample.input.image !== undefined;
}

/** The sample with another first picture; its further ones are uploads, like those of clients. */
function replaced(sample: Sample, file: InputFile): Sample {
  const further: InputFile = { from: "file", id: "file_2" };
  if (sample.kind === "video")
    return { ...sample, input: { ...sample.input, image: file, ...(sample.input.lastImage && { lastImage: further }) } };
  if (sample.kind !== "image") return sample;
  const { images, mask } = sample.input;
  return {
    ...sample,
    input: { ...sample.input, images: images.map((_, place) => (place === 0 ? file : further)), ...(mask && { mask: further }) },
  };
}

function workFor(credential: string, bytes: Buffer): Work {
  const { signal } = new AbortController();
  const needs = {
    store: { asset: async ({ id }: { id: string }) => ({ storageKey: id }) },
    media: { read: async () => bytes },
    fetchMedia: async () => ({ mime: "image/png", body: [bytes] }),
    fitPicture,
  } as unknown as LoadNeeds;
  return {
    signal,
    credential: { id: "1", secret: credential },
    report: () => {},
    load: (file, limits) => loadInput(needs, file, "a", signal, limits),
  };
}

/** Stands before the lab and remembers what it is sent. */
async function startFront(upstream: () => string): Promise<{ url: string; sent: Buffer[]; close(): Promise<void> }> {
  const sent: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    sent.push(...chunks);
    const { method = "GET", url = "/" } = request;
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      ["host", "connection", "content-length", "transfer-encoding"].includes(name) ? [] : [[name, String(value)] as [string, string]],
    );
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const reply = await fetch(upstream() + url, { method, headers, redirect: "manual", ...body });
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "text/plain" });
    response.end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  return {
    url: `http://127.0.0.1:${typeof place === "object" && place !== null ? place.port : 0}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
