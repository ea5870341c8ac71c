import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageInput, ImageSource } from "../../core/kinds.ts";
import { dataUri, imageJob, picture, sent } from "./image-start.fixture.ts";
import { midjourneyProxy } from "./midjourney-proxy.ts";

const taken = { body: { code: 1, description: "ok", result: "1730" } };
const source: ImageSource = { taskId: "ours", upstreamTaskId: "theirs", place: 2, button: null, prompt: "a lighthouse", seed: null };
const ask = (input: Partial<ImageInput>, model = "midjourney") => sent(midjourneyProxy, imageJob(model, input), taken);
const state = "01890000-0000-7000-8000-000000000001";

test("a prompt gets the shape, what is not wanted and the seed behind it, unless it says them itself", async () => {
  const wish: Partial<ImageInput> = { size: { width: 1_920, height: 1_080 }, negativePrompt: "boats", seed: 7 };
  const { started, path, body, headers } = await ask(wish);
  assert.deepEqual(started, { state: "accepted", upstreamId: "1730" });
  assert.equal(path, "/mj/submit/imagine");
  assert.equal(headers?.["mj-api-secret"], "user:secret-123");
  assert.deepEqual(body, { prompt: "a lighthouse --ar 16:9 --no boats --seed 7", botType: "MID_JOURNEY", state });
  const prompt = "a lighthouse --ar 3:2 —no ships --seed 1";
  assert.deepEqual((await ask({ ...wish, prompt }, "niji")).body, { prompt, botType: "NIJI_JOURNEY", state });
  const written = "a lighthouse --ar 3:2 --chaos 9";
  assert.deepEqual((await ask({ ...wish, midjourney: { prompt: written } })).body, { prompt: written, botType: "MID_JOURNEY", state });
});

test("pictures and the mode go along as the proxy wants them", async () => {
  const { body } = await ask({ images: [picture, picture], midjourney: { mode: "fast" } });
  assert.deepEqual(body, {
    prompt: "a lighthouse",
    base64Array: [dataUri, dataUri],
    botType: "MID_JOURNEY",
    accountFilter: { modes: ["FAST"] },
    state,
  });
});

test("a picture of a grid is named by its place, from one", async () => {
  const { path, body } = await ask({ act: "upscale", source });
  assert.equal(path, "/mj/submit/change");
  assert.deepEqual(body, { taskId: "theirs", action: "UPSCALE", index: 3, state });
  assert.deepEqual((await ask({ act: "reroll", source: { ...source, place: null } })).body, { taskId: "theirs", action: "REROLL", state });
});

test("a button is pressed by its own name", async () => {
  const { path, body } = await ask({ act: "pan", source: { ...source, button: "MJ::JOB::pan_left::1::x::SOLO" } });
  assert.equal(path, "/mj/submit/action");
  assert.deepEqual(body, { taskId: "theirs", customId: "MJ::JOB::pan_left::1::x::SOLO", state });
});

test("a button that opens a window is pressed first, and then the window is answered", async () => {
  const job = imageJob("midjourney", { act: "edit", prompt: "a ship", mask: picture, source: { ...source, button: "MJ::Inpaint::1::x" } });
  const { started, requests } = await sent(midjourneyProxy, job, ({ url }) =>
    url.endsWith("/action") ? { body: { code: 21, result: "waits" } } : taken,
  );
  assert.equal(started.state, "accepted");
  assert.deepEqual(
    requests.map(({ url, body }) => ({ url, body })),
    [
      { url: "/mj/submit/action", body: { taskId: "theirs", customId: "MJ::Inpaint::1::x" } },
      { url: "/mj/submit/modal", body: { taskId: "waits", prompt: "a ship", maskBase64: dataUri, state } },
    ],
  );
});

test("a window that does not open leaves nothing running", async () => {
  const job = imageJob("midjourney", { act: "edit", mask: picture, source: { ...source, button: "MJ::Inpaint::1::x" } });
  const { started, requests } = await sent(midjourneyProxy, job, { body: { code: 4, description: "no such task" } });
  assert.equal(started.state === "refused" && started.refusal.class, "invalid");
  assert.equal(requests.length, 1);
});

test("pictures of another provider cannot be gone on from here", async () => {
  const { started, requests } = await ask({ act: "vary", source: { ...source, upstreamTaskId: null } });
  assert.equal(started.state === "refused" && started.refusal.class, "unsupported");
  assert.equal(requests.length, 0);
});

test("a banned word, a full queue and an empty account are told apart", async () => {
  const classOf = async (code: number, description: string) => {
    const { started } = await sent(midjourneyProxy, imageJob("midjourney", {}), { body: { code, description } });
    return started.state === "refused" && started.refusal.class;
  };
  assert.equal(await classOf(24, "may contain sensitive words"), "content_policy");
  assert.equal(await classOf(23, "queue full"), "rate_limit");
  assert.equal(await classOf(4, "quota_not_enough"), "quota");
});
