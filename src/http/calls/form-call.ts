import type { CallFile, CallOperation, JsonObject } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import type { Asked } from "../../core/meter.ts";
import { sniffMime } from "../../kit/sniff.ts";
import type { Ask } from "../operation.ts";
import { blameSender } from "../uploads.ts";

type FormAsk = Pick<Ask<unknown, unknown, unknown>, "request">;

/** A call that comes as a form: its fields as the dialect's JSON would have them, and its files in memory. */
export async function formAsked(operation: CallOperation, { request }: FormAsk, usualModel: string): Promise<Asked> {
  if (!request.isMultipart())
    throw new Failure("unsupported_media_type", { says: "Send this request as a form: 'Content-Type: multipart/form-data'." });
  const body: JsonObject = {};
  const files: CallFile[] = [];
  for await (const part of blameSender(request.parts())) {
    if (part.type === "file") {
      const bytes = await part.toBuffer();
      files.push({ field: part.fieldname, name: part.filename || part.fieldname, mime: sniffMime(bytes) ?? part.mimetype, bytes });
    } else if (typeof part.value === "string") addField(body, part.fieldname, part.value);
  }
  const model = typeof body["model"] === "string" && body["model"] !== "" ? body["model"] : usualModel;
  return { operation, model, body: { ...body, model }, raw: null, extras: null, files, stream: body["stream"] === true, headers: {} };
}

const numbers = new Set(["n", "temperature", "output_compression", "partial_images"]);

function addField(body: JsonObject, name: string, text: string): void {
  if (text.includes("\0")) throw new Failure("invalid_request", { says: "The form must not contain NUL characters." });
  if (name === "__proto__" || name === "constructor")
    throw new Failure("invalid_request", { says: `The form must not have a field named '${name}'.` });
  const value = valueOf(name, text);
  const before = body[name];
  body[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
}

function valueOf(name: string, text: string): unknown {
  if (name === "stream") return text === "true" || text === "1";
  if (!numbers.has(name) || text === "") return text;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Failure("invalid_request", { says: `'${name}' must be a number.`, param: name });
  return number;
}
