import assert from "node:assert/strict";
import { after, test } from "node:test";
import OpenAI, { NotFoundError, toFile } from "openai";
import type { Video } from "openai/resources/videos";
import { eventually } from "../support/eventually.ts";
import { startGateway } from "../support/gateway.ts";
import { imageSize, probeFilm } from "../support/media-probe.ts";
import { png } from "../support/samples.ts";
import { openaiFor } from "./target.ts";

const gateway = await startGateway();
after(() => gateway.end());
const { videos, images } = openaiFor({ url: gateway.url, key: gateway.firstKey ?? "" });

// The client's types know OpenAI's own lengths and sizes alone.
const short = { seconds: "1" as "4", size: "1280x720" } as const;

/** Asks until the video is done, as the client's own documentation does it. */
async function done({ id }: Video): Promise<Video> {
  const video = await eventually(
    async () => {
      const seen = await videos.retrieve(id);
      return seen.status === "queued" || seen.status === "in_progress" ? null : seen;
    },
    { withinMs: 60_000, everyMs: 100 },
  );
  assert.equal(video.status, "completed", JSON.stringify(video.error));
  return video;
}

const first = await videos.create({ model: "sora-2", prompt: "a fox in the snow", ...short });

test("a video is made and downloaded", async () => {
  assert.deepEqual([first.object, first.status, first.seconds, first.size], ["video", "queued", "1", "1280x720"]);
  const video = await done(first);
  assert.ok(video.completed_at !== null && video.completed_at >= video.created_at && video.error === null && video.progress === 100);
  const film = await videos.downloadContent(video.id);
  assert.equal(film.headers.get("content-type"), "video/mp4");
  const { width, height, seconds } = await probeFilm(Buffer.from(await film.arrayBuffer()));
  assert.ok(Math.abs(width / height - 16 / 9) < 0.02 && Math.abs(seconds - 1) < 0.2);
  const picture = await videos.downloadContent(video.id, { variant: "thumbnail" });
  assert.deepEqual(await imageSize(Buffer.from(await picture.arrayBuffer())), { width, height });
});

test("a video begins with a picture that is sent along, or that is named", async () => {
  const sent = await videos.create({
    prompt: "it moves",
    ...short,
    input_reference: await toFile(png(96, 64), "first.png", { type: "image/png" }),
  });
  await done(sent);
  const image_url = `data:image/png;base64,${png(64, 64).toString("base64")}`;
  await done(await videos.create({ prompt: "it moves", ...short, input_reference: { image_url } }));
});

test("a video is remixed", async () => {
  await done(first);
  const remix = await videos.remix(first.id, { prompt: "at night" });
  assert.equal(remix.remixed_from_video_id, first.id);
  assert.equal((await done(remix)).prompt, "at night");
});

test("the list is walked to its end, in both orders", async () => {
  const seen: Record<string, string[]> = { asc: [], desc: [] };
  for (const order of ["asc", "desc"] as const) for await (const video of videos.list({ limit: 2, order })) seen[order]?.push(video.id);
  assert.ok((seen["asc"] ?? []).length >= 3);
  assert.equal(seen["asc"]?.[0], first.id);
  assert.deepEqual(seen["asc"]?.toReversed(), seen["desc"]);
});

test("a deleted video is gone, with an error that the client knows", async () => {
  const video = await done(await videos.create({ prompt: "short-lived", ...short }));
  assert.deepEqual(await videos.delete(video.id), { id: video.id, object: "video.deleted", deleted: true });
  await assert.rejects(videos.retrieve(video.id), (error) => error instanceof NotFoundError && error.code === "task_not_found");
});

test("what is wrong or not finished is an error that the client knows", async () => {
  await assert.rejects(
    videos.create({ prompt: "x", size: "huge" as "1280x720" }),
    (error) => error instanceof OpenAI.BadRequestError && error.param === "size",
  );
  const running = await videos.create({ prompt: "x", seconds: "12" });
  await assert.rejects(
    videos.downloadContent(running.id),
    (error) => error instanceof OpenAI.ConflictError && error.code === "task_not_ready",
  );
});

test("pictures are made as before", async () => {
  const { data = [] } = await images.generate({ model: "any", prompt: "a red boat", size: "256x256", response_format: "b64_json" });
  assert.deepEqual(await imageSize(Buffer.from(data[0]?.b64_json ?? "", "base64")), { width: 256, height: 256 });
});
