import type { JsonObject } from "../../core/call.ts";
import { isObject, objectOf, present, textOf } from "../json-reading.ts";
import { chatMessages } from "./turns.ts";
import { ceilingField, invalid, notSupported, numberIn, objectsIn } from "../request-fields.ts";

/** Anthropic's request as a chat request. `cache_control`, `top_k` and earlier thinking have no counterpart and are left out. */
export function chatRequest(body: JsonObject): JsonObject {
  if (objectsIn(body.mcp_servers, "mcp_servers").length > 0) throw notSupported("mcp_servers", "This model does not reach MCP servers.");
  const streamed = body.stream === true;
  const user = objectOf(body.metadata).user_id;
  return present({
    model: body.model,
    messages: chatMessages(body.system, body.messages),
    [ceilingField(body.model)]: numberIn(body, "max_tokens"),
    stop: Array.isArray(body.stop_sequences) && body.stop_sequences.length > 0 ? body.stop_sequences : undefined,
    temperature: numberIn(body, "temperature"),
    top_p: numberIn(body, "top_p"),
    ...toolFields(body),
    response_format: responseFormat(objectOf(body.output_config).format),
    reasoning_effort: effortOf(body),
    user: typeof user === "string" ? user : undefined,
    stream: streamed ? true : undefined,
    stream_options: streamed ? { include_usage: true } : undefined,
  });
}

function toolFields(body: JsonObject): JsonObject {
  const tools = objectsIn(body.tools, "tools").map(toolOf);
  if (tools.length === 0) return {};
  const choice = objectOf(body.tool_choice);
  return present({
    tools,
    tool_choice: choiceOf(choice),
    parallel_tool_calls: choice.disable_parallel_tool_use === true ? false : undefined,
  });
}

function toolOf(tool: JsonObject, at: number): JsonObject {
  const param = `tools[${at}]`;
  if ((tool.type ?? "custom") !== "custom") throw notSupported(param, `The tool '${textOf(tool.type)}' is not available with this model.`);
  if (textOf(tool.name) === "") throw invalid(`${param}.name`, "A tool needs a name.");
  const parameters = isObject(tool.input_schema) ? tool.input_schema : { type: "object", properties: {} };
  return { type: "function", function: present({ name: tool.name, description: textOf(tool.description) || undefined, parameters }) };
}

function choiceOf(choice: JsonObject): unknown {
  switch (choice.type) {
    case undefined:
      return undefined;
    case "auto":
    case "none":
      return choice.type;
    case "any":
      return "required";
    case "tool":
      return { type: "function", function: { name: textOf(choice.name) } };
    default:
      throw invalid("tool_choice.type", "The type of 'tool_choice' must be 'auto', 'any', 'tool' or 'none'.");
  }
}

function responseFormat(format: unknown): JsonObject | undefined {
  const { type, schema } = objectOf(format);
  return type === "json_schema" ? { type, json_schema: { name: "answer", schema: objectOf(schema) } } : undefined;
}

function effortOf(body: JsonObject): string | undefined {
  const { type, budget_tokens: budget } = objectOf(body.thinking);
  if (type === "disabled") return undefined;
  const effort = textOf(objectOf(body.output_config).effort);
  if (effort !== "") return effort;
  if (type !== "enabled" || typeof budget !== "number") return undefined;
  if (budget <= 2048) return "low";
  return budget <= 8192 ? "medium" : "high";
}
