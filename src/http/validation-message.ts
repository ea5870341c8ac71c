import { Failure } from "../core/errors.ts";

type Complaint = {
  keyword: string;
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
  parentSchema?: object;
};

/** Turns what the validator found into one clear sentence about one field. */
export function complaintFailure(complaints: readonly Complaint[], where: string): Failure {
  const complaint = complaints.find(({ keyword }) => keyword === "anyOf") ?? complaints[0];
  if (complaint === undefined) return new Failure("invalid_request");
  const path = complaint.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (complaint.keyword === "required") path.push(String(complaint.params["missingProperty"]));
  const param = path.join(".");
  if (param === "")
    return new Failure("invalid_request", { says: where === "body" ? "The body must be a JSON object." : `The ${where} is not valid.` });
  return new Failure("invalid_request", { says: `'${param}' ${sentence(complaint)}`, param });
}

function sentence({ keyword, message = "is not valid", params, parentSchema }: Complaint): string {
  const hint = parentSchema !== undefined && "description" in parentSchema ? ` (${String(parentSchema.description)})` : "";
  if (keyword === "required") return "is required.";
  if (keyword === "anyOf") return `has a wrong type or value${hint}.`;
  if (keyword === "enum") return `must be one of ${[params["allowedValues"]].flat().join(", ")}.`;
  if (keyword === "pattern") return `does not have the right form${hint}.`;
  return `${message}${hint}.`;
}
