import { fieldOf, textOf } from "../dialect.ts";
import { conversationOf, messageOf } from "./conversation.ts";
import type { Conversation, Message } from "./conversation.ts";
import { chatLogprob } from "./logprobs.ts";
import { countOf, secondsOf, toolsOf } from "./openai-shape.ts";
import { say } from "./saying.ts";
import type { Saying } from "./saying.ts";
import { countMessages } from "./tokens.ts";
import { call, jsonReply, reject } from "./upstream.ts";
import type { CallIntent, CallRequest, CallWork, Frame } from "./upstream.ts";

/** `POST /v1/responses`. */
export function readResponses({ body }: CallRequest): CallIntent {
  const model = textOf(body, "model");
  const input = fieldOf(body, "input");
  const stream = fieldOf(body, "stream") === true;
  if (model === "") return reject("Missing required parameter: 'model'.");
  if (typeof input !== "string" && !Array.isArray(input)) return reject("Missing required parameter: 'input'.");
  const instructions = textOf(body, "instructions");
  const first: Message[] = instructions === "" ? [] : [{ role: "system", texts: [instructions], images: 0, hasResult: false }];
  const items = typeof input === "string" ? [messageOf({ role: "user", content: input })] : input.map(itemMessage);
  const conversation = conversationOf([...first, ...items]);
  const asked = { body, model, promptTokens: countMessages(conversation.messages), conversation };
  return call({
    operation: "responses",
    model,
    prompt: conversation.prompt,
    promptTokens: asked.promptTokens,
    stream,
    answer(work) {
      const limits = {
        max: fieldOf(body, "max_output_tokens"),
        images: conversation.images,
        tools: conversation.isAnswered ? [] : toolsOf(body),
      };
      const saying = say(limits, work.plan);
      const headers = { "x-request-id": `req_${work.id}` };
      if (stream) return { form: "frames", wire: "sse", frames: framesOf(asked, saying, work), headers };
      return jsonReply(endOf(asked, saying, work), saying.tokens, headers);
    },
  });
}

type Asked = { body: unknown; model: string; promptTokens: number; conversation: Conversation };

function itemMessage(item: unknown): Message {
  const type = textOf(item, "type");
  if (type === "function_call_output") return { role: "tool", texts: [textOf(item, "output")], images: 0, hasResult: true };
  if (type === "function_call") return { role: "assistant", texts: [textOf(item, "arguments")], images: 0, hasResult: false };
  return messageOf(item);
}

function responseOf({ body, model }: Asked, work: CallWork, changes: object) {
  return {
    id: `resp_${work.id}`,
    object: "response",
    created_at: secondsOf(work),
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: fieldOf(body, "instructions") ?? null,
    max_output_tokens: fieldOf(body, "max_output_tokens") ?? null,
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: false,
    temperature: fieldOf(body, "temperature") ?? 1,
    text: { format: { type: "text" } },
    tool_choice: fieldOf(body, "tool_choice") ?? "auto",
    tools: fieldOf(body, "tools") ?? [],
    top_p: fieldOf(body, "top_p") ?? 1,
    truncation: "disabled",
    usage: null,
    metadata: fieldOf(body, "metadata") ?? {},
    ...changes,
  };
}

function endOf(asked: Asked, saying: Saying, work: CallWork) {
  const isWhole = saying.finish === "stop" || saying.finish === "tool";
  return responseOf(asked, work, {
    status: isWhole ? "completed" : "incomplete",
    ...(!isWhole && { incomplete_details: { reason: saying.finish === "length" ? "max_output_tokens" : "content_filter" } }),
    output: [itemOf(asked, saying, work)],
    usage: work.plan.usage === "never" ? null : usageOf(asked.promptTokens, saying.tokens),
  });
}

function usageOf(input: number, output: number) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

function itemOf(asked: Asked, saying: Saying, work: CallWork) {
  if (saying.tool) return functionCall(saying.tool.name, saying.tool.fragments.join(""), "completed", work);
  const status = saying.finish === "stop" ? "completed" : "incomplete";
  return { id: `msg_${work.id}`, type: "message", status, role: "assistant", content: [partOf(asked, saying)] };
}

function functionCall(name: string, input: string, status: string, { id }: CallWork) {
  return { id: `fc_${id}`, type: "function_call", status, call_id: `call_${id}`, name, arguments: input };
}

function partOf({ body }: Asked, saying: Saying) {
  const include = fieldOf(body, "include");
  const isAsked = Array.isArray(include) && include.includes("message.output_text.logprobs");
  const top = countOf(body, "top_logprobs", 0);
  const logprobs = isAsked ? Array.from({ length: saying.words }, (_, at) => chatLogprob(at, saying.word(at), top)) : [];
  return { type: "output_text", text: saying.text(), annotations: [], logprobs };
}

function* framesOf(asked: Asked, saying: Saying, work: CallWork): Generator<Frame> {
  let sequence = 0;
  const event = (type: string, fields: object, words = 0): Frame => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
    words,
  });
  yield event("response.created", { response: responseOf(asked, work, {}) });
  yield event("response.in_progress", { response: responseOf(asked, work, {}) });
  yield* saying.tool ? toolFrames(saying, work, event) : textFrames(asked, saying, work, event);
  yield event("response.output_item.done", { output_index: 0, item: itemOf(asked, saying, work) });
  const end = endOf(asked, saying, work);
  yield event(end.status === "completed" ? "response.completed" : "response.incomplete", { response: end });
}

type MakeEvent = (type: string, fields: object, words?: number) => Frame;

function* textFrames(asked: Asked, saying: Saying, { id }: CallWork, event: MakeEvent): Generator<Frame> {
  const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 };
  const item = { id: place.item_id, type: "message", status: "in_progress", role: "assistant", content: [] };
  yield event("response.output_item.added", { output_index: 0, item });
  yield event("response.content_part.added", { ...place, part: { type: "output_text", text: "", annotations: [], logprobs: [] } });
  for (let at = 0; at < saying.words; at++) {
    yield event("response.output_text.delta", { ...place, delta: saying.word(at), logprobs: [] }, 1);
  }
  yield event("response.output_text.done", { ...place, text: saying.text(), logprobs: [] });
  yield event("response.content_part.done", { ...place, part: partOf(asked, saying) });
}

function* toolFrames({ tool }: Saying, work: CallWork, event: MakeEvent): Generator<Frame> {
  if (!tool) return;
  const place = { item_id: `fc_${work.id}`, output_index: 0 };
  yield event("response.output_item.added", { output_index: 0, item: functionCall(tool.name, "", "in_progress", work) }, tool.nameTokens);
  for (const fragment of tool.fragments) yield event("response.function_call_arguments.delta", { ...place, delta: fragment }, 1);
  yield event("response.function_call_arguments.done", { ...place, name: tool.name, arguments: tool.fragments.join("") });
}
