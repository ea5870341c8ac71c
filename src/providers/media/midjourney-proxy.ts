import type { ImageInput } from "../../core/kinds.ts";
import { imageActs } from "../../core/kinds.ts";
import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import { withImageInput, withShape } from "./image-input.ts";
import { taken, ways } from "./midjourney-ways.ts";
import { pictureNote } from "./picture-note.ts";

const proxy = createJob({
  type: "midjourney-proxy",
  about: {
    title: "Midjourney proxies",
    summary:
      "Self-hosted proxies and relays that speak the wire of midjourney-proxy under /mj; Midjourney itself has no public API. The base URL may end in a mode: https://host/mj-fast.",
    unconfirmed: [
      "Cancelling, editing and videos exist in some forks alone; where they do not, the proxy says no and the task fails or goes on.",
      "How long the links to pictures work is not known; pictures are stored as soon as they are ready.",
      "Which colour of a mask is painted; white is sent.",
      pictureNote,
    ],
    examples: [
      { kind: "image", model: "midjourney", price: "per_call: 0.10" },
      { kind: "video", model: "midjourney", price: "per_call: 0.80" },
    ],
  },
  auth: { header: "mj-api-secret" },
  pollEveryMs: 3_000,
  usualLimits: { concurrent: 3 },
  models: {
    image: { "*": { acts: imageActs, count: 4 } },
    video: { "*": { acts: ["generate", "extend"], durations: [5], needsImage: true } },
  },
  pictures: { maxBytes: 20 * 1024 * 1024 },
  start: ways,
  accepted: { ok: taken, id: "result" },
  poll: {
    send: "GET /mj/task/{id}/fetch",
    missing: [{ at: "description", is: ["task_no_found", "task_not_found"] }],
    many: { send: "POST /mj/task/list-by-condition", ids: "ids", max: 100, list: "", id: "id" },
  },
  status: {
    at: "status",
    words: {
      NOT_START: "queued",
      SUBMITTED: "queued",
      MODAL: "running",
      IN_PROGRESS: "running",
      SUCCESS: "done",
      FAILURE: "failed",
      CANCEL: "cancelled",
    },
  },
  progress: { at: "progress", of: 100 },
  results: {
    image: {
      // While a task goes on there is a preview at the same place.
      pictures: "imageUrl",
      media: "",
      grid: [{ at: "action", is: ["IMAGINE", "VARIATION", "REROLL", "BLEND", "ZOOM", "PAN", "INPAINT", "CUSTOM_ZOOM"] }],
      texts: "properties.finalPrompt",
      buttons: { list: "buttons", id: "customId", label: "label", emoji: "emoji" },
    },
    video: { video: ["videoUrl", "videoUrls[0].url"] },
  },
  errors: {
    code: "code",
    message: ["failReason", "description"],
    codes: { 3: "transient", 4: "invalid", 9: "transient", 23: "rate_limit", 24: "content_policy", 30: "rate_limit" },
    texts: [
      ["quota|insufficient|credits? exhausted|subscription", "quota"],
      ["banned|moderat|sensitive|blocked|policy|inappropriate|敏感", "content_policy"],
    ],
    definite: ["4", "23", "24", "30"],
  },
  cancel: { send: "POST /mj/task/{id}/cancel", from: ["queued", "running"] },
  hears: unsigned,
});

/** Proxies that speak for Midjourney under /mj. */
export const midjourneyProxy = withImageInput(proxy, (input) => ({ ...withShape(input), prompt: promptOf(withShape(input)) }));

// Midjourney has no fields for these: they stand behind the words, where the client did not write them there itself.
function promptOf({ act, prompt, midjourney, aspectRatio, negativePrompt, seed }: ImageInput): string {
  const written = midjourney?.["prompt"];
  if (typeof written === "string") return written;
  if (act !== "generate") return prompt;
  const flags = [
    aspectRatio && !/(--|—)(ar|aspect) /.test(prompt) && `--ar ${aspectRatio.width}:${aspectRatio.height}`,
    negativePrompt && !/(--|—)no /.test(prompt) && `--no ${negativePrompt}`,
    seed !== undefined && !/(--|—)seed /.test(prompt) && `--seed ${seed}`,
  ];
  return [prompt, ...flags.filter(Boolean)].join(" ");
}
