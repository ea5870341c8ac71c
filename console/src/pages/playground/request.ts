import type { FormField } from "./schema-fields.ts";
import type { Way } from "./ways.ts";

export type Value = string | boolean | File;
export type Values = Readonly<Record<string, Value>>;
export type Problem = "needed" | "number" | "json";

/** A create ready to be sent: JSON, or the fields of a form where there are files. */
export type Request = { path: string; body: Readonly<Record<string, unknown>>; sends: Way["sends"] };

/** What is wrong with a form before anything is sent, by field. */
export function problemsIn(way: Way, fields: readonly FormField[], values: Values): Readonly<Record<string, Problem>> {
  const found: Record<string, Problem> = {};
  for (const { name, isRequired, shape } of shownFields(way, fields)) {
    const value = values[name] ?? "";
    const isEmpty = typeof value === "string" && value.trim() === "";
    if (isEmpty && (isRequired || way.needs.includes(name))) found[name] = "needed";
    if (isEmpty || typeof value !== "string") continue;
    if (shape.is === "number" && !Number.isFinite(Number(value))) found[name] = "number";
    if (shape.is === "json" && !isJson(value)) found[name] = "json";
  }
  // A video may begin with a picture instead of words.
  if (way.id === "video" && values["image"]) delete found["prompt"];
  return found;
}

/** The fields that a form shows: all of the schema but what the way leaves out. */
export function shownFields(way: Way, fields: readonly FormField[]): readonly FormField[] {
  return fields.filter(({ name }) => name !== way.modelField && !way.omit.includes(name));
}

/** The request that a filled-in form means, for one model. */
export function requestOf(way: Way, fields: readonly FormField[], values: Values, model: string): Request {
  const body: Record<string, unknown> = {};
  if (way.modelField !== null && model !== "") body[way.modelField] = model;
  for (const { name, shape } of shownFields(way, fields)) {
    const isProse = way.gives !== "vectors" && way.long?.includes(name) === true;
    const value = valueOf(isProse ? "text" : shape.is, values[name]);
    if (value !== undefined) body[name] = value;
  }
  if (values["task_id"] && way.id === "continuation") body["task_id"] = values["task_id"];
  return { path: way.path.replace("{model}", encodeURIComponent(model)), body: { ...body, ...way.fixed }, sends: way.sends };
}

function valueOf(is: FormField["shape"]["is"], value: Value | undefined): unknown {
  if (value === undefined || value === "" || value === false) return undefined;
  if (typeof value !== "string") return value;
  if (is === "number") return Number.isFinite(Number(value)) ? Number(value) : undefined;
  if (is === "json") return isJson(value) ? JSON.parse(value) : undefined;
  if (is === "lines") return linesOf(value);
  return value;
}

/** One text stays one; several lines become a list. */
function linesOf(value: string): unknown {
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 ? lines : value;
}

/** A request as the form data it is sent as. */
export function formDataOf({ body }: Request): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value instanceof File ? value : String(value));
  return form;
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
