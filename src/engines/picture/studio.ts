import { loadPackage } from "../optional-package.ts";

/** The drawing library; heavy, native and optional, so it is only loaded where pictures are really drawn. */
export function openStudio(): Promise<typeof import("@napi-rs/canvas")> {
  return loadPackage("@napi-rs/canvas", () => import("@napi-rs/canvas"));
}
