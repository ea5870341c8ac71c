import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import type { InputFile } from "../core/kinds.ts";
import type { Store } from "../core/ports.ts";

const longestData = 28 * 1024 * 1024;

/** Reads how a request names a file; addresses are checked here, fetched in the task. */
export function inputFile(text: string, param: string, check: (url: string, param: string) => void): InputFile {
  if (/^data:/i.test(text)) {
    if (!/^data:image\/(png|jpe?g|webp|gif);base64,/i.test(text))
      throw new Failure("invalid_request", { says: `'${param}' must be a base64 data URI of a PNG, JPEG, WebP or GIF.`, param });
    if (text.length > longestData) throw new Failure("too_large", { says: `'${param}' must be at most 20 MiB.`, param });
    return { from: "data", uri: text };
  }
  if (text.startsWith("file_")) return { from: "file", id: text };
  if (!/^https?:\/\//i.test(text))
    throw new Failure("invalid_request", { says: `'${param}' must be a http(s) URL, a data URI, or the id of an uploaded file.`, param });
  check(text, param);
  return { from: "url", url: text };
}

/** Makes sure that an uploaded file which a request names is the caller's own, and a picture. */
export async function checkUpload(file: InputFile | undefined, param: string, caller: Caller, store: Store): Promise<void> {
  if (file?.from !== "file") return;
  const asset = await store.asset({ id: file.id, account: caller.account.id });
  if (asset === null) throw new Failure("invalid_request", { says: `'${param}' names no file of yours.`, param });
  if (asset.kind !== "image") throw new Failure("invalid_request", { says: `'${param}' must be a picture.`, param });
}
