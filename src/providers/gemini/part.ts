import type { JsonObject } from "../../core/call.ts";
import { parseDataUri } from "../../dialects/data-uri.ts";
import { objectOf, present, textOf } from "../../dialects/json-reading.ts";
import { invalid, notSupported } from "../../dialects/request-fields.ts";

/** A part of a chat message as Gemini's. */
export function geminiPart(part: JsonObject, param: string): JsonObject {
  switch (part.type) {
    case "text":
      return { text: textOf(part.text) };
    case "refusal":
      return { text: textOf(part.refusal) };
    case "image_url": {
      const { image_url: image } = part;
      return linked(textOf(image) || textOf(objectOf(image).url), `${param}.image_url`);
    }
    case "input_audio": {
      const { data, format } = objectOf(part.input_audio);
      return { inlineData: { mimeType: `audio/${textOf(format) || "wav"}`, data: textOf(data) } };
    }
    case "file":
      return filePart(objectOf(part.file), `${param}.file`);
    default:
      throw notSupported(param, `This model does not take parts of type '${textOf(part.type)}'.`);
  }
}

function filePart({ file_data: data, file_id: id }: JsonObject, param: string): JsonObject {
  if (textOf(data) !== "")
    return parseDataUri(textOf(data)) === null ? inline("application/pdf", textOf(data)) : linked(textOf(data), param);
  if (/^https?:\/\//i.test(textOf(id))) return linked(textOf(id), param);
  throw notSupported(param, "Files must be sent as 'file_data': this model does not know uploaded files.");
}

function linked(address: string, param: string): JsonObject {
  const given = parseDataUri(address);
  if (given !== null) return inline(given.mime, given.data);
  if (!/^https?:\/\//i.test(address)) throw invalid(param, "A file must be an http(s) address or a data URI in base64.");
  const [, extension = ""] = /\.(\w+)$/.exec(URL.parse(address)?.pathname ?? "") ?? [];
  return { fileData: present({ mimeType: types[extension.toLowerCase()], fileUri: address }) };
}

const inline = (mimeType: string, data: string): JsonObject => ({
  inlineData: { mimeType: mimeType === "image/jpg" ? "image/jpeg" : mimeType, data },
});

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  heic: "image/heic",
  pdf: "application/pdf",
};
