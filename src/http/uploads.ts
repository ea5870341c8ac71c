import { uuidv7 } from "../kit/ids.ts";
import type { Caller } from "../core/accounts.ts";
import type { CallFile } from "../core/call.ts";
import { Failure } from "../core/errors.ts";
import type { InputFile } from "../core/kinds.ts";
import type { StoredAsset } from "../core/records.ts";
import { mebibyte } from "./operation.ts";
import type { Services } from "./services.ts";

const accepted = /^(image\/(png|jpeg|webp|gif)|audio\/|video\/(mp4|webm))/;

/** Keeps an upload of a caller: its bytes first, then its row. */
export async function saveUpload(
  { media, store, clock, settings }: Services,
  caller: Caller,
  { stream, name, purpose }: { stream: AsyncIterable<Uint8Array> & { truncated?: boolean }; name: string; purpose: string },
): Promise<StoredAsset> {
  const stored = await media.put({ stream: blameSender(stream) }, { maxBytes: 32 * mebibyte });
  if (stream.truncated === true) {
    await media.remove(stored.key);
    throw new Failure("too_large");
  }
  if (!accepted.test(stored.mime) || stored.bytes === 0) {
    await media.remove(stored.key);
    throw new Failure("unsupported_media_type", {
      says: "The file must be a PNG, JPEG, WebP or GIF image, an audio file, or an MP4 or WebM video.",
      param: "file",
    });
  }
  const now = clock();
  const asset: StoredAsset = {
    id: `file_${uuidv7(now)}`,
    account: caller.account.id,
    task: null,
    kind: stored.mime.slice(0, stored.mime.indexOf("/")),
    mime: stored.mime,
    bytes: stored.bytes,
    sha256: stored.sha256,
    storageKey: stored.key,
    // Control characters must never reach a header or a log.
    name: name.replaceAll(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 200),
    purpose: purpose.slice(0, 64),
    createdAt: now,
    expiresAt: now + settings().assetRetentionMs,
  };
  await store.putAsset(asset);
  return asset;
}

/** Forgets an upload again. */
export async function dropUpload({ store, media }: Services, { account, id }: Pick<StoredAsset, "account" | "id">): Promise<boolean> {
  const key = await store.deleteAsset({ account, id });
  if (key !== null) await media.remove(key);
  return key !== null;
}

/** Keeps the files of a form for what is made of them; they are forgotten when nothing comes of it. */
export async function withUploads<T>(
  services: Services,
  caller: Caller,
  files: readonly CallFile[],
  make: (uploads: { field: string; file: InputFile }[]) => Promise<T>,
): Promise<T> {
  const saved: StoredAsset[] = [];
  try {
    for (const { name, bytes } of files) saved.push(await saveUpload(services, caller, { stream: once(bytes), name, purpose: "input" }));
    return await make(saved.map(({ id }, at) => ({ field: files[at]?.field ?? "", file: { from: "file", id } })));
  } catch (error) {
    for (const asset of saved) await dropUpload(services, asset);
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The same items; a form that breaks off or was never one is the sender's fault. */
export async function* blameSender<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* items;
  } catch (cause) {
    if (typeof cause === "object" && cause !== null && "statusCode" in cause) throw cause;
    throw new Failure("invalid_request", { says: "The form cannot be read: it is broken or not complete.", cause });
  }
}
