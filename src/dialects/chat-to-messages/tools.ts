import type { JsonObject } from "../../core/call.ts";
import { isObject, objectOf, objectsOf, present, textOf } from "../json-reading.ts";
import { invalid, notSupported, objectsIn } from "../request-fields.ts";

/** `tools` and `tool_choice` of a chat request in Anthropic's words; nothing where there are no tools. */
export function toolFields(body: JsonObject): JsonObject {
  const asked = objectsIn(body.tools, "tools").map(toolOf);
  const choice = choiceOf(body.tool_choice ?? "auto");
  const tools = asked.filter((tool) => choice.names === null || choice.names.includes(textOf(tool.name)));
  if (tools.length === 0) return {};
  const single = body.parallel_tool_calls === false && choice.type !== "none";
  const plain = choice.type === "auto" && !single;
  const tool_choice = present({ type: choice.type, name: choice.name, disable_parallel_tool_use: single ? true : undefined });
  return plain ? { tools } : { tools, tool_choice };
}

function toolOf(tool: JsonObject, at: number): JsonObject {
  const param = `tools[${at}]`;
  if (tool.type !== "function") throw notSupported(param, `This model takes tools of type 'function', not '${textOf(tool.type)}'.`);
  const { name, description, parameters } = objectOf(tool.function);
  if (textOf(name) === "") throw invalid(`${param}.function.name`, "A tool needs a name.");
  return present({
    name,
    description: typeof description === "string" ? description : undefined,
    input_schema: isObject(parameters) ? { type: "object", ...parameters } : { type: "object", properties: {} },
    cache_control: isObject(tool.cache_control) ? tool.cache_control : undefined,
  });
}

type Choice = { type: "auto" | "any" | "tool" | "none"; name?: string; names: readonly string[] | null };

function choiceOf(choice: unknown): Choice {
  if (choice === "auto" || choice === "none") return { type: choice, names: null };
  if (choice === "required") return { type: "any", names: null };
  const { type, function: called, allowed_tools: allowed } = objectOf(choice);
  const name = textOf(objectOf(called).name);
  if (type === "function" && name !== "") return { type: "tool", name, names: null };
  if (type === "allowed_tools") {
    const { mode, tools } = objectOf(allowed);
    const names = objectsOf(tools).map((tool) => textOf(objectOf(tool.function).name));
    return { type: mode === "required" ? "any" : "auto", names };
  }
  throw notSupported("tool_choice", "'tool_choice' must be 'none', 'auto', 'required', or name a function.");
}
