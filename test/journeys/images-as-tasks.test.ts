import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { createLab, type Lab } from "../../lab/lab.ts";
import { createClient, type Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { png } from "../support/samples.ts";
import { freePort } from "../support/free-port.ts";

let lab: Lab;
let gateway: TestGateway;
let client: Client;
let openai: OpenAI;

before(async () => {
  lab = await createLab({ script: { minSeconds: 0.2, maxSeconds: 0.2, queueSeconds: 0 } });
  const at = (path: string, type: string) =>
    `{ type: ${type}, base_url: "${lab.baseUrl(path)}", keys: [lab-key], allow_private_network: true }`;
  gateway = await startGateway({
    yaml: `
providers:
  flux: ${at("bfl", "bfl")}
  openai: ${at("openai/v1", "openai-compatible")}
  dead: { type: openai-compatible, base_url: "http://127.0.0.1:${await freePort()}/v1", keys: [x], allow_private_network: true }
models:
  flux-2-pro: { kinds: [image], routes: [{ provider: flux }], price: { per_image: 0.03 } }
  flux-kontext-pro: { kinds: [image], routes: [{ provider: flux }], price: { per_image: 0.04 } }
  either: { kinds: [image], price: { per_image: 0.05 }, routes: [{ provider: dead, model: lab-image }, { provider: flux, model: flux-2-pro, priority: 1 }] }
  midjourney: { kinds: [image], routes: [{ provider: openai, model: lab-image }], price: { per_image: 0.01 } }
  V_2: { kinds: [image], routes: [{ provider: flux, model: flux-2-pro }], price: { per_image: 0.03 } }
`,
  });
  const { key } = await gateway.customer(100);
  client = createClient(gateway.url, key);
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });
});
after(async () => {
  await gateway.end();
  await lab.close();
});

const isPng = (bytes: Uint8Array) => Buffer.from(bytes).subarray(1, 4).toString() === "PNG";

test("a model whose upstream takes jobs answers the OpenAI SDK as one that answers at once: addresses", async () => {
  const { data = [] } = await openai.images.generate({ model: "flux-2-pro", prompt: "a boat", size: "1024x1024" });
  const picture = await fetch(data[0]?.url ?? "");
  assert.ok(isPng(await picture.bytes()));
});

test("and pictures inside the reply", async () => {
  const { data = [] } = await openai.images.generate({ model: "flux-2-pro", prompt: "a boat", response_format: "b64_json" });
  assert.ok(isPng(Buffer.from(data[0]?.b64_json ?? "", "base64")));
});

test("an edit goes to the upstream as its own wire wants it", async () => {
  const image = new File([png(64, 64)], "a.png", { type: "image/png" });
  const { data = [] } = await openai.images.edit({ model: "flux-kontext-pro", prompt: "at night", image });
  assert.equal((await fetch(data[0]?.url ?? "")).status, 200);
});

test("a variation needs no words", async () => {
  const image = new File([png(64, 64)], "a.png", { type: "image/png" });
  const { data = [] } = await openai.images.createVariation({ model: "flux-2-pro", image });
  assert.equal((await fetch(data[0]?.url ?? "")).status, 200);
});

test("what the upstream cannot do is refused before anything is paid", async () => {
  await assert.rejects(
    openai.images.generate({ model: "flux-2-pro", prompt: "a boat", n: 2 }),
    (error) => error instanceof OpenAI.APIError && error.status === 400 && error.code === "not_supported",
  );
});

test("what the upstream finds unfit is told as that", async () => {
  await assert.rejects(
    openai.images.generate({ model: "flux-2-pro", prompt: "[lab:fail=policy]" }),
    (error) => error instanceof OpenAI.APIError && error.code === "content_policy",
  );
});

test("a model with both kinds of upstreams fails over from one to the other", async () => {
  const { data = [] } = await openai.images.generate({ model: "either", prompt: "one or the other" });
  assert.equal((await fetch(data[0]?.url ?? "")).status, 200);
  assert.ok(lab.jobs().some(({ type, prompt }) => type === "bfl" && prompt === "one or the other"));
});

type Mj = { code: number; result: string; status: string; imageUrl: string; imageUrls: { url: string }[]; buttons: { customId: string }[] };

test("pictures of an upstream without grids come to Midjourney's clients as a grid, with buttons for what it can do", async () => {
  const { body } = await client.post<Mj>("/mj/submit/imagine", { prompt: "a lighthouse --ar 3:2" });
  assert.equal(body.code, 1);
  const task = await eventually(async () => {
    const { body: seen } = await client.get<Mj>(`/mj/task/${body.result}/fetch`);
    return seen.status === "SUCCESS" ? seen : null;
  });
  assert.equal(task.imageUrls.length, 4);
  assert.ok(!task.imageUrls.some(({ url }) => url === task.imageUrl), "the grid is a picture of its own");
  assert.ok(isPng(await (await fetch(task.imageUrl)).bytes()));
  const names = task.buttons.map(({ customId }) => customId.split("::")[2]);
  assert.ok(names.includes("variation") && !names.includes("upsample"), names.join());
});

test("and to Ideogram's clients as theirs", async () => {
  const { status, body } = await client.post<{ data: { url: string; resolution: string }[] }>("/ideogram/generate", {
    image_request: { prompt: "a lighthouse", model: "V_2", aspect_ratio: "ASPECT_16_9" },
  });
  assert.equal(status, 200);
  assert.equal((await fetch(body.data[0]?.url ?? "")).status, 200);
});
