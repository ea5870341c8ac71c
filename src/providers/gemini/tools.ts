import type { JsonObject } from "../../core/call.ts";
import { isObject, objectOf, objectsOf, present, textOf } from "../../dialects/json-reading.ts";
import { invalid, notSupported, objectsIn } from "../../dialects/request-fields.ts";

/** `tools` and `tool_choice` of a chat request in Gemini's words; nothing where there are no tools. */
export function geminiTools(body: JsonObject): JsonObject {
  const functionDeclarations = objectsIn(body.tools, "tools").map(declarationOf);
  if (functionDeclarations.length === 0) return {};
  const functionCallingConfig = callingConfig(body.tool_choice ?? "auto");
  return present({
    tools: [{ functionDeclarations }],
    toolConfig: functionCallingConfig.mode === "AUTO" ? undefined : { functionCallingConfig },
  });
}

function declarationOf(tool: JsonObject, at: number): JsonObject {
  const param = `tools[${at}]`;
  if (tool.type !== "function") throw notSupported(param, `This model takes tools of type 'function', not '${textOf(tool.type)}'.`);
  const { name, description, parameters } = objectOf(tool.function);
  if (textOf(name) === "") throw invalid(`${param}.function.name`, "A tool needs a name.");
  return present({
    name,
    description: typeof description === "string" ? description : undefined,
    parametersJsonSchema: isObject(parameters) ? parameters : undefined,
  });
}

function callingConfig(choice: unknown): JsonObject {
  if (choice === "auto") return { mode: "AUTO" };
  if (choice === "none") return { mode: "NONE" };
  if (choice === "required") return { mode: "ANY" };
  const { type, function: called, allowed_tools: allowed } = objectOf(choice);
  const name = textOf(objectOf(called).name);
  if (type === "function" && name !== "") return { mode: "ANY", allowedFunctionNames: [name] };
  if (type === "allowed_tools") {
    const { mode, tools } = objectOf(allowed);
    const allowedFunctionNames = objectsOf(tools).map((tool) => textOf(objectOf(tool.function).name));
    // The mode that keeps to the names and still leaves the model its choice.
    return { mode: mode === "required" ? "ANY" : "VALIDATED", allowedFunctionNames };
  }
  throw notSupported("tool_choice", "'tool_choice' must be 'none', 'auto', 'required', or name a function.");
}
