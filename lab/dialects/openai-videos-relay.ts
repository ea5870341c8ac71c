import type { Dialect } from "../dialect.ts";
import { openaiVideos, videoOf } from "./openai-videos.ts";

const [sample, withPicture] = openaiVideos.samples;

/** A relay that speaks OpenAI's videos and names the address of a result, as new-api does. */
export const openaiVideosRelay: Dialect = {
  ...openaiVideos,
  type: "openai-videos-relay",
  adapter: "openai-videos",
  options: () => ({ image: "json" }),
  shown: ([job]) => ({
    status: 200,
    body: job && { ...videoOf(job), ...(job.state === "done" && { metadata: job.hasResults ? { url: job.link("clip.mp4") } : {} }) },
  }),
  other: { content: () => ({ status: 404, body: { code: "task_not_exist", message: "no such video", data: null } }) },
  linksExpire: true,
  samples: [sample, withPicture].filter((one) => one !== undefined),
  models: [],
};
