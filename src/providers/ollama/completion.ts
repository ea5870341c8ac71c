import type { Call, JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../../dialects/bridge.ts";
import { objectOf, present, textOf } from "../../dialects/json-reading.ts";
import type { Mint } from "../../dialects/mint.ts";
import { notSupported, numberIn, textIn } from "../../dialects/request-fields.ts";
import { sseText } from "../../dialects/sse-events.ts";
import { cutShort, readStreamed } from "../call/broken-stream.ts";
import type { CallTranslation } from "../call/spec.ts";
import { replyHead, usageOf } from "../call/chat-reply.ts";
import { characters, legacyLogprobs, type LegacyLogprobs } from "../call/legacy-logprobs.ts";
import { finishOf, logprobsOf, optionsOf, usedOf } from "./options.ts";
import { refuseFields } from "../call/unsupported-field.ts";

/** The length of a completion that names none, as the dialect has it. */
const defaultCeiling = 16;

/** Text completion in the words of /api/generate. */
export function ollamaCompletion(mint: Mint): CallTranslation {
  return {
    framing: "lines",
    request,
    reply(value, call) {
      const whole = objectOf(value);
      const used = usedOf(whole);
      return present({
        ...replyHead(call, "text_completion", "cmpl-", mint),
        choices: [
          { text: textOf(whole.response), index: 0, logprobs: logprobsAt(whole, 0), finish_reason: finishOf(whole.done_reason, false) },
        ],
        usage: used === null ? undefined : usageOf(used),
      });
    },
    stream: (call) => completionStream(call, mint),
  };
}

function request({ body, model, stream }: Call): JsonObject {
  refuseFields(body, ["n", "best_of", "echo", "logit_bias"]);
  const suffix = textIn(body, "suffix") || undefined;
  const likely = numberIn(body, "logprobs");
  return present({
    model,
    prompt: promptOf(body.prompt),
    stream,
    suffix,
    // The text between prompt and suffix is asked for by a template; all else goes to the model untouched.
    raw: suffix === undefined ? true : undefined,
    logprobs: likely === undefined ? undefined : true,
    top_logprobs: likely === undefined || likely === 0 ? undefined : likely,
    options: optionsOf(body, numberIn(body, "max_tokens") ?? defaultCeiling),
  });
}

function promptOf(prompt: unknown): string {
  const prompts: readonly unknown[] = Array.isArray(prompt) ? prompt : [prompt ?? ""];
  const [only] = prompts;
  if (prompts.length === 1 && typeof only === "string") return only;
  if (prompts.some((item) => typeof item !== "string")) throw notSupported("prompt", "This model takes texts as prompts, not tokens.");
  throw notSupported("prompt", "This model takes one prompt at a time.");
}

function logprobsAt(value: JsonObject, from: number): LegacyLogprobs | null {
  const found = logprobsOf(value);
  return found === null || found.length === 0 ? null : legacyLogprobs(found, from);
}

function completionStream(call: Call, mint: Mint): StreamTranslator {
  const head = replyHead(call, "text_completion", "cmpl-", mint);
  let at = 0;
  let isOver = false;
  return {
    event(_name, data) {
      const value = readStreamed(data);
      const text = textOf(value.response);
      const logprobs = logprobsAt(value, at);
      at += characters(text);
      const chunk = (choice: JsonObject) => sseText({ ...head, choices: [{ index: 0, ...choice }] });
      const more = text === "" && logprobs === null ? "" : chunk({ text, logprobs, finish_reason: null });
      if (value.done !== true || isOver) return more;
      isOver = true;
      const used = usedOf(value);
      const usage = used === null ? "" : sseText({ ...head, choices: [], usage: usageOf(used) });
      return more + chunk({ text: "", logprobs: null, finish_reason: finishOf(value.done_reason, false) }) + usage + sseText("[DONE]");
    },
    end() {
      if (!isOver) throw cutShort();
      return "";
    },
  };
}
