import type { Button, ImageOutput, Picture } from "../../core/kinds.ts";
import type { MediaReader } from "./media.ts";
import { holds, isPresent, readFirst, readNumber, readPath, readText } from "./path.ts";
import type { Paths } from "./path.ts";
import type { Results } from "./spec.ts";

type ImageMap = Results["image"];

/** What a finished job of pictures left; null while nothing is there, "withheld" where the upstream keeps every picture back. */
export function readImage(map: ImageMap, record: unknown, media: MediaReader): ImageOutput | "withheld" | null {
  const made = listOf(map, record);
  const shown = map.withheld === undefined ? made : made.filter((picture) => !holds(picture, map.withheld));
  const pictures = shown.flatMap((picture) => readPicture(map, record, picture, media) ?? []).slice(0, maxPictures);
  const texts = readTexts(record, map.texts);
  if (pictures.length === 0 && texts.length === 0) return made.length > 0 && shown.length === 0 ? "withheld" : null;
  const [only] = pictures;
  const isGrid = map.grid !== undefined && pictures.length === 1 && holds(record, map.grid);
  const buttons = readButtons(record, map.buttons);
  const usage = map.usage === undefined ? undefined : readPath(record, map.usage);
  return {
    kind: "image",
    pictures,
    ...(isGrid && only && { grid: only.media }),
    ...(texts.length > 0 && { texts }),
    ...(buttons.length > 0 && { buttons }),
    ...(isObject(usage) && { usage: { ...usage } }),
  };
}

function listOf({ pictures, media }: ImageMap, record: unknown): readonly unknown[] {
  // A reply that is the picture has no list of pictures.
  if (typeof media === "object" && "body" in media) return [record];
  return [readFirst(record, pictures)].flat().filter(isPresent);
}

function readPicture(map: ImageMap, record: unknown, picture: unknown, read: MediaReader): Picture | null {
  const media = read(picture, map.media);
  if (!media) return null;
  // Some name the seed once for all their pictures.
  const seed = readNumber(picture, map.seed) ?? readNumber(record, map.seed);
  const prompt = readText(picture, map.prompt);
  return { media, ...(seed !== undefined && { seed }), ...(prompt !== undefined && { prompt }) };
}

function readTexts(record: unknown, paths: Paths | undefined): string[] {
  return [readFirst(record, paths)].flat().flatMap((text) => (typeof text === "string" && text !== "" ? [text] : []));
}

function readButtons(record: unknown, map: ImageMap["buttons"]): Button[] {
  const list = map && readPath(record, map.list);
  if (map === undefined || !Array.isArray(list)) return [];
  return list.slice(0, maxButtons).flatMap((button) => {
    const id = readText(button, map.id);
    return id === undefined ? [] : [{ id, label: readText(button, map.label) ?? "", emoji: readText(button, map.emoji) ?? "" }];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const maxPictures = 64;
const maxButtons = 64;
