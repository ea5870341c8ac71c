import assert from "node:assert/strict";
import { test } from "node:test";
import { createStub } from "../../../lab/stub.ts";
import type { StubReply } from "../../../lab/stub.ts";
import type { VideoInput } from "../../core/kinds.ts";
import type { Work } from "../../core/provider.ts";
import { runway } from "./runway.ts";

const work: Work = {
  signal: new AbortController().signal,
  credential: { id: "1", secret: "secret-123" },
  report: () => {},
  load: async () => ({ bytes: Buffer.from("png"), mime: "image/png" }),
};

async function sent(model: string, input: Partial<VideoInput>, reply: StubReply = { body: { id: "1" } }) {
  const stub = await createStub(() => reply);
  const provider = runway.create({ name: "runway", baseUrl: stub.url, allowPrivateNetwork: true }).tasks;
  const whole = { prompt: "waves", durationSeconds: 5, aspectRatio: { width: 16, height: 9 }, ...input };
  const started = await provider.start({ kind: "video", taskId: "t", attempt: 1, idempotencyKey: "t-1", model, input: whole }, work);
  await stub.close();
  const [request] = stub.requests;
  return { started, path: request?.url, version: request?.headers["x-runway-version"], body: request?.body };
}

test("text alone goes to text_to_video", async () => {
  const { started, ...request } = await sent("gen4.5", {});
  assert.deepEqual(started, { state: "accepted", upstreamId: "1" });
  assert.deepEqual(request, {
    path: "/v1/text_to_video",
    version: "2024-11-06",
    body: { model: "gen4.5", promptText: "waves", duration: 5, ratio: "1280:720" },
  });
});

test("a picture goes to image_to_video, its address as it is, and an empty prompt is left out", async () => {
  const { path, body } = await sent("gen4_turbo", {
    prompt: "",
    image: { from: "url", url: "https://a.example/b.png" },
    aspectRatio: { width: 1, height: 1 },
  });
  assert.equal(path, "/v1/image_to_video");
  assert.deepEqual(body, { model: "gen4_turbo", duration: 5, promptImage: "https://a.example/b.png", ratio: "960:960" });
});

test("any shape becomes the nearest that the model makes", async () => {
  const image = { from: "file", id: "file_1" } as const;
  const ratioOf = async (model: string, width: number, height: number, pictured: boolean) => {
    const { body } = await sent(model, { aspectRatio: { width, height }, ...(pictured && { image }) });
    return typeof body === "object" && body !== null && "ratio" in body ? body.ratio : null;
  };
  assert.equal(await ratioOf("gen4.5", 4, 3, true), "1104:832");
  assert.equal(await ratioOf("gen4.5", 21, 9, true), "1584:672");
  assert.equal(await ratioOf("gen4.5", 3, 4, false), "720:1280");
  assert.equal(await ratioOf("veo3.1", 21, 9, true), "1280:720");
});

test("each model has its own limits", () => {
  const { video } = runway.create({ name: "runway", allowPrivateNetwork: false }).tasks.serves;
  assert.deepEqual(video?.("veo3").durations, [8]);
  assert.deepEqual(video?.("veo3.1_fast").durations, [4, 6, 8]);
  assert.deepEqual([video?.("gen4_turbo").needsImage, video?.("gen4.5").needsImage], [true, undefined]);
});

test("an account without credits is a matter of quota, not of the request", async () => {
  const { started } = await sent("gen4.5", {}, { status: 400, body: { error: "You do not have enough credits to run this task." } });
  assert.equal(started.state === "refused" && started.refusal.class, "quota");
});
