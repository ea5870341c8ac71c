import type { JsonObject } from "../../core/call.ts";
import { listOf, objectOf, objectsOf, present, textOf } from "../json-reading.ts";
import { ceilingField, invalid, notSupported, numberIn, objectsIn, textIn } from "../request-fields.ts";
import { chatMessages } from "./input.ts";

/** A Responses request as a chat request. `store`, `metadata` and hints about caching and truncation stay behind. */
export function chatRequest(body: JsonObject): JsonObject {
  refuseUnsayable(body);
  const streamed = body.stream === true;
  const text = objectOf(body.text);
  return present({
    model: body.model,
    messages: chatMessages(body.instructions, body.input),
    [ceilingField(body.model)]: numberIn(body, "max_output_tokens"),
    temperature: numberIn(body, "temperature"),
    top_p: numberIn(body, "top_p"),
    ...toolFields(body),
    ...logprobFields(body),
    response_format: responseFormat(objectOf(text.format)),
    verbosity: textIn(text, "verbosity", "text.verbosity"),
    reasoning_effort: textIn(objectOf(body.reasoning), "effort", "reasoning.effort"),
    user: textIn(body, "user") ?? textIn(body, "safety_identifier"),
    stream: streamed ? true : undefined,
    stream_options: streamed ? { include_usage: true } : undefined,
  });
}

function refuseUnsayable(body: JsonObject): void {
  if (body.background === true) throw notSupported("background", "This model answers at once: 'background' must be false.");
  for (const param of ["previous_response_id", "conversation", "prompt"]) {
    if ((body[param] ?? null) === null) continue;
    throw notSupported(param, `'${param}' is not available with this model: send the whole conversation as 'input'.`);
  }
}

function toolFields(body: JsonObject): JsonObject {
  const asked = objectsIn(body.tools, "tools").map(toolOf);
  const { choice, names } = choiceOf(body.tool_choice);
  const tools = asked.filter((tool) => names === null || names.includes(textOf(objectOf(tool.function).name)));
  if (tools.length === 0) return {};
  return present({ tools, tool_choice: choice, parallel_tool_calls: body.parallel_tool_calls ?? undefined });
}

function toolOf(tool: JsonObject, at: number): JsonObject {
  const param = `tools[${at}]`;
  const { type, name, description, parameters, strict } = tool;
  if (type !== "function") throw notSupported(param, `The tool '${textOf(type)}' is not available with this model: only functions are.`);
  if (textOf(name) === "") throw invalid(`${param}.name`, "A tool needs a name.");
  return {
    type,
    function: present({ name, description: description ?? undefined, parameters: parameters ?? undefined, strict: strict ?? undefined }),
  };
}

function choiceOf(choice: unknown): { choice?: unknown; names: readonly string[] | null } {
  if (choice === undefined || choice === null) return { names: null };
  if (choice === "auto" || choice === "none" || choice === "required") return { choice, names: null };
  const { type, name, mode, tools } = objectOf(choice);
  if (type === "function" && textOf(name) !== "") return { choice: { type, function: { name } }, names: null };
  // Few servers know this form, while leaving the other tools out says the same to all.
  if (type === "allowed_tools") {
    return { choice: mode === "required" ? "required" : "auto", names: objectsOf(tools).map((tool) => textOf(tool.name)) };
  }
  throw notSupported("tool_choice", "'tool_choice' must be 'none', 'auto', 'required', or name a function.");
}

function logprobFields(body: JsonObject): JsonObject {
  const top = numberIn(body, "top_logprobs");
  const wanted = listOf(body.include).includes("message.output_text.logprobs") || (top ?? 0) > 0;
  return wanted ? present({ logprobs: true, top_logprobs: top }) : {};
}

function responseFormat(format: JsonObject): JsonObject | undefined {
  const { type, ...schema } = format;
  if (type === "json_schema") return { type, json_schema: schema };
  return type === "json_object" ? { type } : undefined;
}
