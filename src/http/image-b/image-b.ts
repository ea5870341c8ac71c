import { assetUrls } from "../asset-url.ts";
import { awaitTask } from "../await-task.ts";
import { createTask, preferredWait } from "../create.ts";
import { IdeogramReply, ideogramReply } from "./image-b-record.ts";
import { imageBDraft, imageBForm, ImageBRequest, imageBWays, type ImageBWay } from "./image-b-request.ts";
import { withBody } from "../multipart.ts";
import { mebibyte, operation, type Ask, type Operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { whileThere } from "../while-there.ts";

const longestWaitMs = 120_000;
const newerWire = "/v1/ideogram-v3/";

const summaries: Record<ImageBWay, string> = {
  generate: "Make pictures",
  remix: "Make pictures from a picture",
  upscale: "Enlarge a picture",
  describe: "Describe a picture",
  edit: "Change a picture where a mask allows it",
};
// What the newer wire has too, with the same fields.
const newer: readonly ImageBWay[] = ["generate", "remix", "edit"];

function operationOf(way: ImageBWay): Operation {
  return operation({
    method: "POST",
    url: `/imageB/${way}`,
    aliases: [`/ideogram/${way}`, ...(newer.includes(way) ? [`/ideogram${newerWire}${way}`] : [])],
    tag: "image B",
    summary: summaries[way],
    errors: "plain",
    auth: "client",
    scope: "imageB",
    body: ImageBRequest,
    reply: IdeogramReply,
    bodyLimit: 32 * mebibyte,
    multipart: "too",
    run: (ask, services) => answerImage(way, ask, services),
  });
}

async function answerImage(way: ImageBWay, ask: Ask<unknown, unknown, unknown>, services: Services): Promise<unknown> {
  const { request, caller, base } = ask;
  const isNewer = request.url.includes(newerWire);
  // The files of a form belong to the task as soon as there is one, however long it takes.
  const task = await withBody(ask, services, { schema: ImageBRequest, fromForm: imageBForm }, async (read) =>
    createTask({ ...ask, ...read }, services, await imageBDraft(way, read.body, caller, services, isNewer), {
      created: (accepted) => accepted,
      queried: (seen) => seen,
    }),
  );
  const show = assetUrls(services, base);
  // Whoever says how long to wait gets the task as it is then.
  if (preferredWait(request.headers["prefer"]) !== null && task.status !== "FAILURE") return ideogramReply(task, show);
  const ended = await whileThere(request, (left) => awaitTask(services, task, { mostMs: longestWaitMs, left }));
  return ideogramReply(ended, show);
}

export const imageBOperations = imageBWays.map(operationOf);
