import assert from "node:assert/strict";
import { test } from "node:test";
import type { StubReply, StubRequest } from "../../../lab/stub.ts";
import { pollAt, startAt, videoOf } from "./adapter.fixture.ts";
import { minimaxV1 } from "./minimax-v1.ts";
import { minimaxV2 } from "./minimax-v2.ts";

const fine = { status_code: 0, status_msg: "success" };
const job = { upstreamId: "7", kind: "video" } as const;

test("a subject is a reference and not a frame", async () => {
  const image = { from: "url", url: "https://a.example/b.png" } as const;
  const { requests } = await startAt(minimaxV1, { ...videoOf({ image }), model: "S2V-01" }, { body: { task_id: "7", base_resp: fine } });
  assert.deepEqual(requests[0]?.body, {
    model: "S2V-01",
    prompt: "waves",
    duration: 5,
    subject_reference: [{ type: "character", image: ["https://a.example/b.png"] }],
  });
});

test("a resolution is one that the model has", async () => {
  const resolutionAt = async (adapter: typeof minimaxV1, model: string, input: Parameters<typeof videoOf>[0]) => {
    const { requests } = await startAt(adapter, { ...videoOf(input), model }, { body: { task_id: "7", base_resp: fine } });
    const body: unknown = requests[0]?.body;
    return typeof body === "object" && body !== null && "resolution" in body ? body.resolution : undefined;
  };
  assert.equal(await resolutionAt(minimaxV2, "MiniMax-H3", { resolution: "720p" }), "768P");
  assert.equal(await resolutionAt(minimaxV2, "MiniMax-H3", { resolution: "2160p" }), "2K");
  assert.equal(await resolutionAt(minimaxV2, "MiniMax-H3", {}), undefined);
  assert.equal(await resolutionAt(minimaxV1, "MiniMax-Hailuo-2.3", { resolution: "1080p", durationSeconds: 6 }), "1080P");
  assert.equal(await resolutionAt(minimaxV1, "MiniMax-Hailuo-2.3", { resolution: "1080p", durationSeconds: 10 }), "768P");
  assert.equal(await resolutionAt(minimaxV1, "T2V-01", { resolution: "1080p" }), "720P");
});

test("the result is a file whose address is asked for", async () => {
  const answer = ({ url }: StubRequest): StubReply =>
    url.startsWith("/v1/files")
      ? { body: { file: { download_url: "https://cdn.example/v.mp4" }, base_resp: fine } }
      : { body: { task_id: "7", status: "Success", file_id: "f 1", base_resp: fine } };
  const { polled, requests } = await pollAt(minimaxV1, job, answer);
  assert.deepEqual(polled, { state: "done", output: { kind: "video", video: { from: "url", url: "https://cdn.example/v.mp4" } } });
  assert.deepEqual(
    requests.map(({ url }) => url),
    ["/v1/query/video_generation?task_id=7", "/v1/files/retrieve?file_id=f%201"],
  );
});

test("a file that cannot be had yet keeps the job going", async () => {
  const answer = ({ url }: StubRequest): StubReply =>
    url.startsWith("/v1/files")
      ? { body: { base_resp: { status_code: 2013, status_msg: "no such file" } } }
      : { body: { task_id: "7", status: "Success", file_id: "f", base_resp: fine } };
  assert.equal((await pollAt(minimaxV1, job, answer)).polled?.state, "running");
});

test("a job that failed says so, whatever the code beside its status", async () => {
  const failed = (status_code: number) => ({ body: { task_id: "7", status: "Fail", base_resp: { status_code, status_msg: "x" } } });
  const classOf = async (code: number) => {
    const { polled } = await pollAt(minimaxV1, job, () => failed(code));
    return polled?.state === "failed" && polled.refusal.class;
  };
  assert.deepEqual([await classOf(1027), await classOf(0), await classOf(2013)], ["content_policy", "transient", "invalid"]);
});

test("without a status, only a bad parameter means that the job is not known", async () => {
  const stateOf = async (status_code: number) =>
    (await pollAt(minimaxV1, job, () => ({ body: { base_resp: { status_code, status_msg: "x" } } }))).polled?.state;
  assert.deepEqual([await stateOf(2013), await stateOf(1002), await stateOf(1004)], ["missing", "trouble", "trouble"]);
});

test("in the second API, text and frames are contents with roles", async () => {
  const image = { from: "url", url: "https://a.example/b.png" } as const;
  const { requests } = await startAt(
    minimaxV2,
    { ...videoOf({ image, resolution: "2k" }), model: "MiniMax-H3" },
    { body: { task_id: "7" } },
  );
  assert.deepEqual(requests[0]?.body, {
    model: "MiniMax-H3",
    content: [
      { type: "text", text: "waves" },
      { type: "image_url", image_url: { url: "https://a.example/b.png" }, role: "first_frame" },
    ],
    duration: 5,
    ratio: "16:9",
    resolution: "2K",
  });
});
