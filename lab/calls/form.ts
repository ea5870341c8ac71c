import type { IncomingMessage } from "node:http";
import type { CallFile } from "./upstream.ts";

export type ReadBody = { body: unknown; files: readonly CallFile[] };

const noFiles: readonly CallFile[] = [];

/** All bytes of a request. */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

/** What the bytes say: JSON, or a form with its files. A field that comes again makes a list, and so does a name that ends in []. */
export function readContent(bytes: Buffer, type: string): ReadBody | Promise<ReadBody> {
  if (type.startsWith("multipart/form-data")) return readForm(bytes, type);
  return { body: parsed(bytes), files: noFiles };
}

async function readForm(bytes: Buffer, type: string): Promise<ReadBody> {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const fields = new Map<string, unknown>();
  const files: CallFile[] = [];
  for (const [field, value] of form) {
    if (typeof value !== "string") files.push({ field, name: value.name, mime: value.type, bytes: await value.bytes() });
    else if (field.endsWith("[]")) fields.set(field.slice(0, -2), [...listOf(fields.get(field.slice(0, -2))), value]);
    else fields.set(field, fields.has(field) ? [...listOf(fields.get(field)), value] : value);
  }
  return { body: Object.fromEntries(fields), files };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
