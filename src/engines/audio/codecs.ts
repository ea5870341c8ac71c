import { createRequire } from "node:module";
import { loadPackage } from "../optional-package.ts";

/** Makes the native encoders and decoders known to mediabunny, and gives mediabunny itself. */
export async function loadCodecs(): Promise<typeof import("mediabunny")> {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(`@node-webcodecs/static-${process.platform}-${process.arch}`);
    // Its own build before the system's FFmpeg: known codecs, known behaviour, no GPL part.
    process.env.NODE_WEBCODECS_FORCE ??= "static";
  } catch {
    // No such build for this platform: the package looks for another by itself.
  }
  await loadPackage("node-webcodecs", () => import("node-webcodecs/register"));
  return loadPackage("mediabunny", () => import("mediabunny"));
}
