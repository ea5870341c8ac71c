// `node run.mjs scripts/describe-api.ts`: generated/openapi.json, what the service says of itself, and generated/openapi.d.ts,
// the same as types. Both are made from the code alone; a file that would be the same is left as it is.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeService } from "../src/http/description.ts";
import { operations } from "../src/http/operations.ts";
import { apiTypes } from "./api-types/api-types.ts";
import type { OpenApiDocument } from "./api-types/json-schema.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "generated");
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const text = JSON.stringify(await describeService(operations, version), null, 1);
const document: OpenApiDocument = JSON.parse(text);
mkdirSync(folder, { recursive: true });
write("openapi.json", `${text}\n`);
write("openapi.d.ts", apiTypes(document));

function write(file: string, content: string): void {
  const path = join(folder, file);
  if (contentOf(path) === content) return;
  writeFileSync(path, content);
  console.log(`written: generated/${file}`);
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
