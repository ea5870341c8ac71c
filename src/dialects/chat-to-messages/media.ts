import type { JsonObject } from "../../core/call.ts";
import { parseDataUri } from "../data-uri.ts";
import { isObject, objectOf, present, textOf } from "../json-reading.ts";
import { invalid, notSupported } from "../request-fields.ts";

/** An image or file part of a chat message as Anthropic's block. */
export function mediaBlock(part: JsonObject, param: string): JsonObject {
  const cache = isObject(part.cache_control) ? { cache_control: part.cache_control } : {};
  if (part.type === "image_url") return { type: "image", source: imageSource(part.image_url, `${param}.image_url`), ...cache };
  if (part.type === "file") return { ...documentBlock(objectOf(part.file), `${param}.file`), ...cache };
  throw notSupported(param, `This model takes text, images and PDF files, not parts of type '${textOf(part.type)}'.`);
}

function imageSource(image: unknown, param: string): JsonObject {
  const url = typeof image === "string" ? image : textOf(objectOf(image).url);
  if (/^https?:\/\//i.test(url)) return { type: "url", url };
  const found = parseDataUri(url);
  if (found === null) throw invalid(param, "An image must be an http(s) address or a data URI in base64.");
  return { type: "base64", media_type: found.mime === "image/jpg" ? "image/jpeg" : found.mime, data: found.data };
}

function documentBlock(file: JsonObject, param: string): JsonObject {
  const given = textOf(file.file_data);
  if (given === "") throw notSupported(param, "Files must be sent as 'file_data': this model does not know uploaded files.");
  // Plain base64 without a media type is taken as what nearly all files are.
  const { mime, data } = parseDataUri(given) ?? { mime: "application/pdf", data: given };
  const title = textOf(file.filename) === "" ? undefined : file.filename;
  if (mime === "application/pdf") return present({ type: "document", source: { type: "base64", media_type: mime, data }, title });
  if (!mime.startsWith("text/")) throw notSupported(param, `This model takes PDF and text files, not '${mime}'.`);
  const text = Buffer.from(data, "base64").toString("utf8");
  return present({ type: "document", source: { type: "text", media_type: "text/plain", data: text }, title });
}
