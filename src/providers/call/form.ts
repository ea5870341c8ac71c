import { randomText } from "../../kit/ids.ts";
import type { CallFile, JsonObject } from "../../core/call.ts";

/** A form as bytes: each field once (lists once for each member), then the files. */
export function encodeForm(fields: JsonObject, files: readonly CallFile[]): { mime: string; body: Buffer } {
  const boundary = `genway-${randomText(24)}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      const text = typeof one === "object" ? JSON.stringify(one) : String(one);
      parts.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`));
    }
  }
  for (const { field, name, mime, bytes } of files) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(field)}"; filename="${quoted(name)}"\r\ncontent-type: ${mime}\r\n\r\n`;
    parts.push(Buffer.from(head), bytes, Buffer.from("\r\n"));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { mime: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}

function quoted(text: string): string {
  return text.replaceAll(/[\r\n]/g, " ").replaceAll('"', "%22");
}
