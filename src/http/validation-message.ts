import { Failure } from "../core/errors.ts";

type Schema = { type?: unknown; const?: unknown; description?: string; anyOf?: readonly Schema[] };
type Complaint = {
  keyword: string;
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
  parentSchema?: object;
};

/** Turns what the validator found into one clear sentence about one field: what is wrong with it, and what is allowed. */
export function complaintFailure(complaints: readonly Complaint[], where: string): Failure {
  // Where one of several shapes would do, each complains; the one that came furthest is about the field that is wrong.
  const depth = Math.max(...complaints.map(({ instancePath }) => partsOf(instancePath).length));
  const about = complaints.filter(({ instancePath }) => partsOf(instancePath).length === depth);
  const complaint = about.find(({ keyword }) => !vague.has(keyword)) ?? about.find(({ keyword }) => keyword === "anyOf") ?? about[0];
  if (complaint === undefined) return new Failure("invalid_request");
  const path = partsOf(complaint.instancePath);
  if (complaint.keyword === "required") path.push(String(complaint.params["missingProperty"]));
  const param = path.join(".");
  if (param === "")
    return new Failure("invalid_request", { says: where === "body" ? "The body must be a JSON object." : `The ${where} is not valid.` });
  return new Failure("invalid_request", { says: `'${param}' ${sentence(complaint, about)}`, param });
}

const vague = new Set(["type", "const", "enum", "anyOf"]);

function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function sentence({ keyword, message = "is not valid", parentSchema }: Complaint, about: readonly Complaint[]): string {
  if (keyword === "required") return "is required.";
  const described = about.flatMap((complaint) => (complaint.parentSchema === undefined ? [] : descriptions(complaint.parentSchema)))[0];
  const hint = described === undefined ? "" : ` (${described})`;
  if (keyword === "anyOf") return `must be ${[...new Set(choices(parentSchema ?? {}))].join(" or ")}${hint}.`;
  return keyword === "pattern" ? `does not have the right form${hint}.` : `${message}${hint}.`;
}

function descriptions({ description, anyOf = [] }: Schema): string[] {
  return [...(description === undefined ? [] : [description]), ...anyOf.flatMap(descriptions)];
}

/** What would have done, in the words of JSON. */
function choices({ type, const: value, anyOf = [] }: Schema): string[] {
  if (anyOf.length > 0) return anyOf.flatMap(choices);
  return [value === undefined ? String(type) : JSON.stringify(value)];
}
