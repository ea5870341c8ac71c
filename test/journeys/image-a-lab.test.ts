import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createLab } from "../../lab/lab.ts";
import { createClient } from "../support/client.ts";
import { startGateway } from "../support/gateway.ts";
import type { ImageTask } from "../support/wire.ts";

const lab = await createLab({ script: { minSeconds: 0.2, maxSeconds: 0.2, queueSeconds: 0 } });
const gateway = await startGateway({
  yaml: `
providers:
  mj: { type: midjourney-proxy, base_url: "${lab.baseUrl("midjourney-proxy")}", keys: ["lab-key"], allow_private_network: true }
models:
  midjourney: { kinds: [image, video], routes: [{ provider: mj }], price: { per_call: 0.10 } }
`,
});
after(async () => {
  await gateway.end();
  await lab.close();
});
const client = createClient(gateway.url, (await gateway.customer(10)).key);

async function made(way: string, body: object): Promise<ImageTask> {
  const reply = await client.post<ImageTask>(`/mj/${way}`, body, { headers: { prefer: "wait=50" } });
  assert.deepEqual([reply.status, reply.body.status], [200, "SUCCESS"], reply.text);
  return reply.body;
}

test("a grid, one picture of it, and its video come from a proxy that checks what it is sent", async () => {
  const grid = await made("submit/imagine", { prompt: "a cat --ar 3:2" });
  const single = await made("submit/change", { taskId: grid.id, action: "UPSCALE", index: 1 });
  assert.deepEqual([grid.action, single.action, single.prompt], ["IMAGINE", "UPSCALE", grid.prompt]);
  const picture = await fetch(single.imageUrl);
  assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"]);
  const video = await made("submit/video", {
    image: `data:image/png;base64,${Buffer.from(await picture.arrayBuffer()).toString("base64")}`,
    prompt: "it moves",
  });
  assert.equal((await fetch(video.videoUrl)).headers.get("content-type"), "video/mp4");
});

test("a prompt is shortened into several", async () => {
  const { properties, buttons } = await made("submit/shorten", { prompt: "a lighthouse, very very bright, at dusk, by the sea" });
  assert.match(properties.finalPrompt, /^1️⃣ .+\n\n2️⃣ /);
  assert.equal(buttons.length, 2);
});

test("every reply keeps the contract", () => client.book.check());
