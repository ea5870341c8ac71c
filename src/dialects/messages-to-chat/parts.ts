import type { JsonObject } from "../../core/call.ts";
import { dataUri } from "../data-uri.ts";
import { objectOf, textOf } from "../json-reading.ts";
import { notSupported, partsIn } from "../request-fields.ts";

/** One of Anthropic's blocks as parts of a chat message. */
export function partOf(block: JsonObject, param: string): JsonObject[] {
  switch (block.type) {
    case "text":
      return textOf(block.text) === "" ? [] : [{ type: "text", text: block.text }];
    case "image":
      return [{ type: "image_url", image_url: { url: imageUrl(objectOf(block.source), param) } }];
    case "document":
      return documentParts(block, objectOf(block.source), param);
    case "search_result":
      return [textPart(block.title, block.source), ...partsIn(block.content, param).flatMap((part) => partOf(part, param))];
    case "thinking":
    case "redacted_thinking":
      return [];
    default:
      throw notSupported(param, `This model takes text, images and files, not blocks of type '${textOf(block.type)}'.`);
  }
}

function imageUrl(source: JsonObject, param: string): string {
  if (source.type === "base64") return dataUri(textOf(source.media_type), textOf(source.data));
  if (source.type === "url") return textOf(source.url);
  throw notSupported(param, "Images must be sent as base64 or as an address: this model does not know uploaded files.");
}

function documentParts(block: JsonObject, source: JsonObject, param: string): JsonObject[] {
  const title = textOf(block.title);
  switch (source.type) {
    case "base64": {
      const file_data = dataUri(textOf(source.media_type), textOf(source.data));
      return [{ type: "file", file: { filename: title || "document.pdf", file_data } }];
    }
    case "text":
      return [textPart(title, source.data)];
    case "content":
      return partsIn(source.content, param).flatMap((part) => partOf(part, param));
    default:
      throw notSupported(param, "Documents must be sent as base64 or text with this model.");
  }
}

const textPart = (...lines: unknown[]): JsonObject => ({ type: "text", text: lines.map(textOf).filter(Boolean).join("\n") });
