import { fieldOf, textOf } from "../dialect.ts";
import { countTokens, tokenTexts } from "./tokens.ts";

/** A tool that a request offers: its name, and the JSON schema of what it takes. */
export type Tool = { name: string; schema: unknown };

/** A call of a tool as a model would ask for it. */
export type ToolCall = {
  name: string;
  nameTokens: number;
  input: unknown;
  /** The input as JSON text, one token a fragment. */
  fragments: string[];
  tokens: number;
};

/** Calls the tool of that name with an input that fits its schema. */
export function callTool(name: string, tools: readonly Tool[]): ToolCall {
  const schema = tools.find((tool) => tool.name === name)?.schema;
  const input = fieldOf(schema, "properties") === undefined ? { text: "river stone" } : fitting(schema);
  const fragments = tokenTexts(JSON.stringify(input));
  const nameTokens = countTokens(name);
  return { name, nameTokens, input, fragments, tokens: nameTokens + fragments.length };
}

function fitting(schema: unknown): unknown {
  const choices = fieldOf(schema, "enum");
  if (Array.isArray(choices)) return choices[0];
  // Gemini writes the types in capitals.
  switch (textOf(schema, "type").toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(Object(fieldOf(schema, "properties"))).map(([name, inner]) => [name, fitting(inner)]));
    case "array":
      return [fitting(fieldOf(schema, "items"))];
    case "number":
    case "integer":
      return 7;
    case "boolean":
      return true;
    default:
      return "river stone";
  }
}
