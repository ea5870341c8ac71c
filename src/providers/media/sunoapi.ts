import { kie as kieSigned } from "../callbacks/kie.ts";
import { unsigned } from "../callbacks/unsigned.ts";
import { createJob } from "../job/job.ts";
import { sunoSpec } from "./sunoapi-wire.ts";

const unconfirmed = [
  "What other codes mean than those listed: a no under HTTP 200 whose code is unknown counts as trouble of the upstream's own.",
  "Whether descriptions of more than 500 characters are refused: they are cut there.",
  "Whether a song that is not yet there may be shown without its address: songs are taken once every one of them has one.",
];
const examples = [
  { kind: "music", model: "V4_5", price: "per_call: 0.10" },
  { kind: "lyrics", model: "lyrics", price: "per_call: 0.01" },
] as const;

/** Songs of sunoapi.org. */
export const sunoApi = createJob(
  sunoSpec({
    type: "sunoapi",
    baseUrl: "https://api.sunoapi.org",
    about: {
      title: "sunoapi.org",
      summary:
        "Songs and lyrics of Suno through sunoapi.org: two songs a task. An empty account is told with code 429, too many requests with 430.",
      unconfirmed,
      examples,
    },
    codes: { "405": "rate_limit", "429": "quota", "430": "rate_limit" },
    hears: unsigned,
  }),
);

/** Songs of kie.ai, which speaks the same wire with codes of its own. */
export const kie = createJob(
  sunoSpec({
    type: "kie",
    baseUrl: "https://api.kie.ai",
    about: {
      title: "kie.ai (Suno)",
      summary:
        "Songs and lyrics of Suno through kie.ai: two songs a task. Its settings have a key for signing messages: give it as webhook_secret.",
      unconfirmed,
      examples,
    },
    codes: { "402": "quota", "409": "invalid", "422": "invalid", "429": "rate_limit", "430": "rate_limit", "451": "invalid" },
    hears: kieSigned,
  }),
);
