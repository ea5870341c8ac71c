// A picture is made, uploaded, and becomes the first frame of a video.
import { openAsBlob } from "node:fs";
import { createClient, GenwayError } from "genway/client";

const { GENWAY_URL: baseUrl = "http://127.0.0.1:8787", GENWAY_KEY: key = null } = process.env;
const genway = createClient({ baseUrl, key });

try {
  const drawing = await genway.generate.image({ prompt: "a paper boat on a stream", size: "512x288" });
  const { assets } = await drawing.wait();
  const [picture] = assets;
  if (picture === undefined) throw new Error("no picture came");
  await genway.download(picture, "boat.png");

  const form = new FormData();
  form.set("file", await openAsBlob("boat.png"), "boat.png");
  const upload = await genway.unwrap(genway.POST("/v1/files", { body: form }));

  const film = await genway.generate.video({ prompt: "the boat drifts away", image: upload.id, duration: 1 });
  for await (const { status, progress } of film.events()) console.log(`${status} ${progress} %`);
  const { assets: made } = await film.wait();
  const video = made.find(({ mime }) => mime.startsWith("video/"));
  if (video !== undefined) console.log(`boat.mp4: ${await genway.download(video, "boat.mp4")} bytes`);
} catch (error) {
  if (!(error instanceof GenwayError)) throw error;
  console.error(`${error.message} (${error.code}, request ${error.requestId ?? "unknown"})`);
  process.exitCode = 1;
}
