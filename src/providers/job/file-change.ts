import type { ImageInput, InputFile } from "../../core/kinds.ts";
import type { LoadedFile, PictureLimits, Work } from "../../core/provider.ts";
import { readImageHeader } from "../../kit/image-header.ts";
import type { Change } from "./spec.ts";

const forms = ["link", "data-uri", "base64", "mime", "file"] as const;
type Form = (typeof forms)[number];
type MaskChange = Extract<Exclude<Change, string>, { mask: unknown }>;
export type FileChange = Form | MaskChange;

/** The files of one job: what the upstream takes of pictures, a way to read one, and what a mask belongs to. */
export type Files = { limits?: PictureLimits; load: Work["load"]; image?: Pick<ImageInput, "images" | "maskPaints"> };

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

/** Reads each file once, however many fields are made of it; a mask goes into one alone. */
export function readOnce(load: Work["load"]): Work["load"] {
  const read = new Map<InputFile, Promise<LoadedFile>>();
  return (file, limits) => {
    if (limits?.mask !== undefined) return load(file, limits);
    const known = read.get(file) ?? load(file, limits);
    read.set(file, known);
    return known;
  };
}

export function isFileChange(as: Change): as is FileChange {
  return typeof as === "object" ? "mask" in as : forms.some((name) => name === as);
}

/** A file in the form that an upstream wants; throws what `load` throws. */
export async function changeFile(file: InputFile, as: FileChange, files: Files): Promise<unknown> {
  if (typeof as === "object") return formOf(file, as.as, { load: files.load, limits: await maskLimits(as, files) });
  return formOf(file, as, files);
}

/** What is taken of a mask: the limits of pictures, and the size that its picture is sent in, which those may have changed. */
async function maskLimits({ mask: wanted, alone }: MaskChange, { limits, load, image }: Files): Promise<PictureLimits> {
  const { images: [picture] = [], maskPaints: given } = image ?? {};
  const header = limits && picture && !alone ? readImageHeader((await load(picture, limits)).bytes) : null;
  const size = header && { width: header.width, height: header.height };
  return { ...limits, mask: { ...(given && { given }), wanted, ...(size && { size }) } };
}

async function formOf(file: InputFile, as: Form, { limits, load }: Files): Promise<unknown> {
  const link = as === "link" && file.from === "url" && /^https:\/\//i.test(file.url) ? file.url : null;
  if (link !== null && limits === undefined) return link;
  const loaded = await load(file, limits);
  if (link !== null && loaded.changed !== true) return link;
  if (as === "file") return new FormFile(loaded);
  if (as === "mime") return loaded.mime;
  const text = Buffer.from(loaded.bytes.buffer, loaded.bytes.byteOffset, loaded.bytes.byteLength).toString("base64");
  return as === "base64" ? text : `data:${loaded.mime};base64,${text}`;
}
