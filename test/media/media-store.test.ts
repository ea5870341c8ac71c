import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { createDiskMedia } from "../../src/media/disk.ts";
import { uuidv7 } from "../../src/kit/ids.ts";
import { createS3Media } from "../../src/media/s3.ts";
import { startS3 } from "../support/s3-server.ts";
import { mediaStoreCases } from "./media-store.cases.ts";

mediaStoreCases("disk", (t) => {
  const root = mkdtempSync(join(tmpdir(), "genway-media-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const files = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return {
    media: createDiskMedia(root),
    keys: () => files().filter((name) => !name.startsWith("partial")),
    leftovers: () => files().filter((name) => name.startsWith("partial")),
  };
});

const server = await startS3();
after(() => server.stop());

for (const [kind, folder] of [
  ["S3", uuidv7],
  ["S3 under an odd prefix", () => `a b+c/ü%25~;=@:,$/${uuidv7()}`],
] as const) {
  mediaStoreCases(kind, () => {
    const target = server.target(folder());
    return {
      media: createS3Media(target),
      keys: () => server.objects().filter((key) => key.startsWith(target.prefix)),
      leftovers: () => server.uploads(),
    };
  });
}
