import type { InputFile } from "../core/kinds.ts";

/** A create to be sent again: a path, and a JSON body. */
export type TaskRequest = { path: string; body: Record<string, unknown> };

/** The fields that have a value. */
export function said(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** How a request names a file; undefined where it carried the file itself, or names what only we can. */
export function fileText(file: InputFile | undefined): string | undefined {
  if (file?.from === "url") return file.url;
  return file?.from === "file" && file.id.startsWith("file_") ? file.id : undefined;
}
