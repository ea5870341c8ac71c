import type { MaskWish, PictureLimits } from "../core/provider.ts";

/** What is done with pictures in a process of its own. */
export type PictureJob =
  | { do: "fit"; bytes: Uint8Array; limits: Bounds; format: "png" | "jpeg" | "webp" }
  | { do: "mask"; bytes: Uint8Array; limits: Bounds; format: "png" | "jpeg" | "webp"; mask: MaskWish }
  | { do: "grid"; pictures: readonly Uint8Array[] };

type Bounds = Pick<PictureLimits, "maxBytes" | "maxSide" | "minSide">;

export type Sides = { width: number; height: number };

export type PictureReply =
  | { state: "done"; bytes: Uint8Array; from: Sides; to: Sides }
  /** The package that can decode pictures is not installed. */
  | { state: "unable" }
  | { state: "failed"; says: string };

/** Decoding costs four bytes a pixel, whatever the file weighs. */
export const maxPixels = 64_000_000;

/** A mistake that whoever sent the picture may read about. */
export class PictureError extends Error {}
