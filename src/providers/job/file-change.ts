import type { InputFile } from "../../core/kinds.ts";
import type { LoadedFile, PictureLimits, Work } from "../../core/provider.ts";
import type { Change } from "./spec.ts";

const fileChanges = ["link", "data-uri", "base64", "mime", "file"] as const;
export type FileChange = (typeof fileChanges)[number];

/** The files of one job: what the upstream takes of pictures, and a way to read one. */
export type Files = { limits?: PictureLimits; load: Work["load"] };

/** A file on its way into a form. */
export class FormFile {
  readonly bytes: Uint8Array;
  readonly mime: string;

  constructor({ bytes, mime }: LoadedFile) {
    this.bytes = bytes;
    this.mime = mime;
  }

  get name(): string {
    return `file.${/\/(?:x-)?([a-z0-9]+)/i.exec(this.mime)?.[1] ?? "bin"}`;
  }
}

/** Reads each file once, however many fields are made of it. */
export function readOnce(load: Work["load"]): Work["load"] {
  const read = new Map<InputFile, Promise<LoadedFile>>();
  return (file, limits) => {
    const known = read.get(file) ?? load(file, limits);
    read.set(file, known);
    return known;
  };
}

export function isFileChange(as: Change): as is FileChange {
  return fileChanges.some((name) => name === as);
}

/** A file in the form that an upstream wants; throws what `load` throws. */
export async function changeFile(file: InputFile, as: FileChange, { limits, load }: Files): Promise<unknown> {
  const link = as === "link" && file.from === "url" && /^https:\/\//i.test(file.url) ? file.url : null;
  if (link !== null && limits === undefined) return link;
  const loaded = await load(file, limits);
  if (link !== null && loaded.changed !== true) return link;
  if (as === "file") return new FormFile(loaded);
  if (as === "mime") return loaded.mime;
  const text = Buffer.from(loaded.bytes.buffer, loaded.bytes.byteOffset, loaded.bytes.byteLength).toString("base64");
  return as === "base64" ? text : `data:${loaded.mime};base64,${text}`;
}
