import type { Call, JsonObject } from "../core/call.ts";
import type { StreamTranslator } from "../dialects/bridge.ts";
import { isObject, objectOf, objectsOf, parseObject, textOf } from "../dialects/json-reading.ts";
import { sseText } from "../dialects/sse-events.ts";
import type { CallTranslation } from "./call/spec.ts";
import { characters, legacyLogprobs } from "./call/legacy-logprobs.ts";
import { createOpenAiAdapter } from "./openai-compatible.ts";
import { refuseFields } from "./call/unsupported-field.ts";

/** Its completions give likelihoods in the shape of chat, where their dialect has another. */
export const llamaCppCompletion: CallTranslation = {
  request(call: Call): JsonObject {
    refuseFields(call.body, ["echo", "best_of", "suffix"]);
    return { ...call.body, model: call.model };
  },
  reply: (value) => withLegacyLogprobs(objectOf(value), new Map()),
  stream: () => legacyStream(),
};

/** A llama.cpp server. */
export const llamaCpp = createOpenAiAdapter({
  type: "llama-cpp",
  baseUrl: "http://127.0.0.1:8080/v1",
  keyOptional: true,
  offers: ["chat", "completion", "embedding", "rerank"],
  changes: { completion: { translate: llamaCppCompletion } },
});

function legacyStream(): StreamTranslator {
  const offsets = new Map<unknown, number>();
  return {
    event(_name, data) {
      const chunk = data === "[DONE]" ? null : parseObject(data);
      return sseText(chunk === null ? data : withLegacyLogprobs(chunk, offsets));
    },
    end: () => "",
  };
}

/** `offsets` is where each choice has got to in a stream. */
function withLegacyLogprobs(value: JsonObject, offsets: Map<unknown, number>): JsonObject {
  if (!Array.isArray(value.choices)) return value;
  const choices = objectsOf(value.choices).map((choice) => {
    const from = offsets.get(choice.index) ?? 0;
    offsets.set(choice.index, from + characters(textOf(choice.text)));
    const { logprobs } = choice;
    return isObject(logprobs) && Array.isArray(logprobs.content)
      ? { ...choice, logprobs: legacyLogprobs(objectsOf(logprobs.content), from) }
      : choice;
  });
  return { ...value, choices };
}
