import type { JsonObject } from "../../core/call.ts";
import { effortFields } from "./effort.ts";
import { closedSchema } from "./schema.ts";
import { toolFields } from "./tools.ts";
import { turnsOf, type Turn } from "./turns.ts";
import { isObject, objectOf, present, textOf } from "../json-reading.ts";
import { invalid, notSupported, numberIn, textIn } from "../request-fields.ts";

/** A chat request as Anthropic's Messages take it. Penalties, `seed`, `logit_bias` and the like have no counterpart and are left out. */
export function messagesRequest(body: JsonObject): JsonObject {
  refuseUnsayable(body);
  const { system, turns } = turnsOf(body.messages);
  const tools = toolFields(body);
  const forced = ["any", "tool"].includes(textOf(objectOf(tools.tool_choice).type));
  const { format, instruction } = outputFormat(body.response_format);
  const user = textIn(body, "user") ?? textIn(body, "safety_identifier");
  const effort = effortFields(body, { forced, resumed: endsWithToolResult(turns) });
  const outputConfig = present({ ...objectOf(effort.output_config), format });
  return present({
    model: body.model,
    ...effort,
    output_config: Object.keys(outputConfig).length === 0 ? undefined : outputConfig,
    ...opening([...system, ...instruction], turns),
    ...tools,
    stop_sequences: stopSequences(body.stop),
    metadata: user === undefined ? undefined : { user_id: user },
    stream: body.stream === true ? true : undefined,
  });
}

function refuseUnsayable(body: JsonObject): void {
  if ((numberIn(body, "n") ?? 1) > 1) throw notSupported("n", "This model gives one choice per request: 'n' must be 1.");
  if (body.logprobs === true) throw notSupported("logprobs", "This model gives no log probabilities.");
  if (Array.isArray(body.modalities) && body.modalities.includes("audio"))
    throw notSupported("modalities", "This model answers in text only.");
  if (isObject(body.web_search_options)) throw notSupported("web_search_options", "This model does not search the web.");
  for (const param of ["functions", "function_call"]) {
    if (body[param] !== undefined && body[param] !== null) throw notSupported(param, `'${param}' is not taken here: use 'tools' instead.`);
  }
}

/** Messages cannot be empty there, so a request of system messages alone is put as the user's. */
function opening(system: JsonObject[], turns: Turn[]): JsonObject {
  if (turns.length === 0) return { messages: [{ role: "user", content: system }] };
  return present({ system: system.length === 0 ? undefined : system, messages: turns });
}

function outputFormat(asked: unknown): { format?: JsonObject; instruction: JsonObject[] } {
  const { type, json_schema: schema } = objectOf(asked);
  if (type === "json_schema") return { format: { type, schema: closedSchema(objectOf(objectOf(schema).schema)) }, instruction: [] };
  // There is no mode for JSON without a schema.
  if (type === "json_object") return { instruction: [{ type: "text", text: "Answer with one JSON object and nothing else." }] };
  return { instruction: [] };
}

function stopSequences(stop: unknown): string[] | undefined {
  if (stop === undefined || stop === null) return undefined;
  const asked: unknown[] = Array.isArray(stop) ? stop : [stop];
  const words = asked.map((word) => {
    if (typeof word === "string") return word;
    throw invalid("stop", "'stop' must be a string or an array of strings.");
  });
  // Blank ones are refused there.
  const taken = words.filter((word) => word.trim() !== "");
  return taken.length === 0 ? undefined : taken;
}

function endsWithToolResult(turns: Turn[]): boolean {
  return turns.at(-1)?.content.some((block) => block.type === "tool_result") ?? false;
}
