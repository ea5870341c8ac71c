import type { JsonObject } from "../../core/call.ts";
import { isObject } from "../../dialects/json-reading.ts";
import { invalid } from "../../dialects/request-fields.ts";
import type { TextJob } from "../../engines/job.ts";
import { numberWithin, wholeWithin } from "./fields.ts";
import { stopsIn } from "../call/stop-sequences.ts";

/** What a request for text says about the text, whatever it is to go on from. */
export type TextWish = Omit<TextJob, "engine" | "outDir" | "modelPath" | "cacheDir">;

type Sampling = Pick<TextWish, "choices" | "temperature" | "topP" | "seed" | "stop" | "frequencyPenalty" | "presencePenalty" | "logitBias">;

export const mostTokens = 2 ** 31 - 1;
const mostStops = 16;

/** How the next token is to be chosen and when to end, as both text dialects say it. */
export function samplingIn(body: JsonObject): Sampling {
  const seed = wholeWithin(body, "seed", [-(2 ** 63), 2 ** 63], undefined);
  return {
    choices: wholeWithin(body, "n", [1, 128], 1),
    temperature: numberWithin(body, "temperature", [0, 2], 1),
    topP: numberWithin(body, "top_p", [0, 1], 1),
    ...(seed !== undefined && { seed }),
    stop: stopTexts(body),
    frequencyPenalty: numberWithin(body, "frequency_penalty", [-2, 2], 0),
    presencePenalty: numberWithin(body, "presence_penalty", [-2, 2], 0),
    logitBias: biasesIn(body),
  };
}

function stopTexts(body: JsonObject): string[] {
  const stops = (stopsIn(body) ?? []).filter((text) => text !== "");
  if (stops.length > mostStops) throw invalid("stop", `'stop' may name at most ${mostStops} texts.`);
  return stops;
}

function biasesIn({ logit_bias: given }: JsonObject): Record<string, number> {
  if (given === undefined || given === null) return {};
  const biases = isObject(given) ? Object.entries(given) : [["", null] as const];
  return Object.fromEntries(
    biases.map(([token, bias]) => {
      if (/^\d+$/.test(token) && typeof bias === "number" && bias >= -100 && bias <= 100) return [token, bias];
      throw invalid("logit_bias", "'logit_bias' must give numbers from -100 to 100 by the ids of tokens.");
    }),
  );
}
