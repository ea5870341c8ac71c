import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedTask } from "../../core/task.ts";
import { imageTask, picturesNamed } from "./image-task.fixture.ts";
import { imageARecord, modalRecord } from "./record.ts";

const url = (id: string | null) => (id === null ? "" : `https://gen.example/${id}`);

test("a task that was just accepted has every field, and nothing in them yet", () => {
  const record = imageARecord(imageTask({ midjourney: { state: "mine" } }), url);
  assert.deepEqual(record, {
    id: "01900000-0000-7000-8000-000000000001",
    action: "IMAGINE",
    status: "SUBMITTED",
    prompt: "a cat --ar 3:2",
    promptEn: "a cat --ar 3:2",
    description: "/imagine a cat --ar 3:2",
    state: "mine",
    submitTime: 1_000,
    startTime: 0,
    finishTime: 0,
    imageUrl: "",
    imageUrls: [],
    videoUrl: "",
    videoUrls: [],
    progress: "0%",
    failReason: "",
    error: null,
    buttons: [],
    maskBase64: "",
    properties: { finalPrompt: "a cat --ar 3:2", finalZhPrompt: "" },
  });
});

test("a finished grid is the picture, and each of its pictures is there too", () => {
  const record = imageARecord(imageTask({}, { pictures: picturesNamed("p1", "p2"), grid: "g" }), url);
  assert.equal(record.status, "SUCCESS");
  assert.equal(record.imageUrl, "https://gen.example/g");
  assert.deepEqual(record.imageUrls, [{ url: "https://gen.example/p1" }, { url: "https://gen.example/p2" }]);
  assert.deepEqual([record.progress, record.startTime, record.finishTime], ["100%", 2_000, 3_000]);
  assert.ok(record.buttons.length > 0);
});

test("without a grid the first picture is shown", () => {
  const record = imageARecord(imageTask({ act: "upscale", midjourney: { action: "UPSCALE" } }, { pictures: picturesNamed("p") }), url);
  assert.deepEqual([record.action, record.imageUrl], ["UPSCALE", "https://gen.example/p"]);
});

test("what was read off a picture stands numbered in the final prompt", () => {
  const record = imageARecord(imageTask({ act: "describe", prompt: "" }, { texts: ["one", "two"] }), url);
  assert.equal(record.properties.finalPrompt, "1️⃣ one\n\n2️⃣ two");
  assert.deepEqual([record.action, record.imageUrl, record.description], ["DESCRIBE", "", "/describe"]);
});

test("a failure tells its reason, and a cancelled task has its own word", () => {
  const failed = { ...imageTask(), status: "FAILURE", failCode: "content_policy", failReason: "Not that." } as const;
  const record = imageARecord(failed, url);
  assert.deepEqual([record.status, record.failReason, record.error?.code], ["FAILURE", "Not that.", "content_policy"]);
  assert.equal(imageARecord({ ...failed, failCode: "cancelled" }, url).status, "CANCEL");
});

test("a task that waits at the upstream is submitted", () => {
  assert.equal(imageARecord({ ...imageTask(), status: "QUEUED" }, url).status, "SUBMITTED");
  assert.equal(imageARecord({ ...imageTask(), status: "IN_PROGRESS", progress: 46 }, url).progress, "46%");
});

test("a video has its address twice and its cover as the picture", () => {
  const { account, dialect, model, price, holdNanos, songIds, createdAt, deadlineAt, id } = imageTask();
  const input = { prompt: "it moves", durationSeconds: 5, aspectRatio: { width: 1, height: 1 }, midjourney: { state: "s" } };
  const task = acceptedTask({ kind: "video", input, id, account, dialect, model, price, holdNanos, songIds, createdAt, deadlineAt });
  const record = imageARecord({ ...task, status: "SUCCESS", result: { kind: "video", video: "v", cover: "c", durationSeconds: 5 } }, url);
  assert.deepEqual([record.action, record.state, record.imageUrl], ["VIDEO", "s", "https://gen.example/c"]);
  assert.deepEqual([record.videoUrl, record.videoUrls], ["https://gen.example/v", [{ url: "https://gen.example/v" }]]);
});

test("a press that waits for more shows so, in the same fields as any task", () => {
  const record = modalRecord({ id: "m", action: "INPAINT", prompt: "a cat", state: "", submitTime: 5 });
  assert.deepEqual([record.status, record.action, record.submitTime, record.progress], ["MODAL", "INPAINT", 5, "0%"]);
  assert.deepEqual(Object.keys(record), Object.keys(imageARecord(imageTask(), url)));
});
