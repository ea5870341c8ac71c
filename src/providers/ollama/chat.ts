import type { Call, JsonObject } from "../../core/call.ts";
import type { StreamTranslator } from "../../dialects/bridge.ts";
import { objectOf, objectsOf, present, textOf } from "../../dialects/json-reading.ts";
import type { Mint } from "../../dialects/mint.ts";
import { notSupported, numberIn, objectsIn } from "../../dialects/request-fields.ts";
import { cutShort, readStreamed } from "../call/broken-stream.ts";
import type { CallTranslation } from "../call/spec.ts";
import { ChatChunks } from "../call/chat-chunks.ts";
import { chatReply, type ToolCall } from "../call/chat-reply.ts";
import { ollamaMessages } from "./messages.ts";
import { finishOf, formatOf, logprobsOf, optionsOf, thinkOf, usedOf } from "./options.ts";
import { refuseFields } from "../call/unsupported-field.ts";

/** Chat in the words of /api/chat. */
export function ollamaChat(mint: Mint): CallTranslation {
  return {
    framing: "lines",
    request,
    reply(value, call) {
      const whole = objectOf(value);
      const message = objectOf(whole.message);
      const calls = toolCallsIn(message, mint);
      const said = {
        index: 0,
        text: textOf(message.content),
        reasoning: textOf(message.thinking),
        calls,
        finish: finishOf(whole.done_reason, calls.length > 0),
        logprobs: logprobsOf(whole),
      };
      return chatReply(call, [said], usedOf(whole), mint);
    },
    stream: (call) => chatStream(call, mint),
  };
}

function request({ body, model, stream }: Call): JsonObject {
  refuseFields(body, ["n", "logit_bias", "functions", "audio"]);
  const logprobs = body.logprobs === true;
  return present({
    model,
    messages: ollamaMessages(body.messages),
    stream,
    tools: toolsOf(body),
    format: formatOf(body.response_format),
    think: thinkOf(body),
    logprobs: logprobs ? true : undefined,
    top_logprobs: logprobs ? numberIn(body, "top_logprobs") : undefined,
    options: optionsOf(body, numberIn(body, "max_completion_tokens") ?? numberIn(body, "max_tokens")),
  });
}

function toolsOf(body: JsonObject): JsonObject[] | undefined {
  const tools = objectsIn(body.tools, "tools");
  const choice = body.tool_choice ?? "auto";
  if (tools.length === 0 || choice === "none") return undefined;
  if (choice !== "auto") throw notSupported("tool_choice", "This model cannot be obliged to use a tool.");
  return tools;
}

function toolCallsIn(message: JsonObject, mint: Mint): ToolCall[] {
  return objectsOf(message.tool_calls).map((call) => {
    const { name, arguments: input } = objectOf(call.function);
    return { id: textOf(call.id) || `call_${mint.id()}`, name: textOf(name), input: objectOf(input) };
  });
}

function chatStream(call: Call, mint: Mint): StreamTranslator {
  const chunks = new ChatChunks(call, mint);
  let isOver = false;
  return {
    event(_name, data) {
      const value = readStreamed(data);
      const message = objectOf(value.message);
      const [thought, said] = [textOf(message.thinking), textOf(message.content)];
      const logprobs = logprobsOf(value);
      let text = "";
      if (thought !== "") text += chunks.delta(0, { reasoning_content: thought });
      if (said !== "" || (logprobs !== null && logprobs.length > 0)) text += chunks.delta(0, { content: said }, logprobs);
      for (const tool of toolCallsIn(message, mint)) text += chunks.tool(0, tool);
      if (value.done !== true || isOver) return text;
      isOver = true;
      return text + chunks.end(new Map([[0, finishOf(value.done_reason, chunks.callsTools(0))]]), usedOf(value));
    },
    end() {
      if (!isOver) throw cutShort();
      return "";
    },
  };
}
