import { invalid } from "../../dialects/request-fields.ts";

/** A text of the client as one segment of an address; throws Failure where it would lead elsewhere. */
export function pathSegment(text: string, param: string): string {
  if (text === "" || text === "." || text === "..") throw invalid(param, `'${param}' is no name that the provider could have.`);
  return encodeURIComponent(text.toWellFormed());
}
