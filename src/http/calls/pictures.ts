import type { Caller } from "../../core/accounts.ts";
import type { JsonObject } from "../../core/call.ts";
import { Failure } from "../../core/errors.ts";
import type { Whole } from "../../core/meter.ts";
import { isObject, objectsOf } from "../../dialects/json-reading.ts";
import { gather } from "../../kit/gather.ts";
import { uuidv7 } from "../../kit/ids.ts";
import { assetUrls } from "../asset-url.ts";
import { mebibyte } from "../operation.ts";
import type { Services } from "../services.ts";

type Wish = { caller: Caller; format: unknown; base: string; allowPrivate: boolean; signal?: AbortSignal };

const mostBytes = 64 * mebibyte;

/** The pictures of a reply as the client wants them: inside it, or as addresses of our own. */
export async function handOver(services: Services, whole: Whole, wish: Wish): Promise<Whole> {
  if (!isObject(whole.value)) return whole;
  const { data } = whole.value;
  const pictures = objectsOf(data);
  const isAsWished = pictures.every((picture) =>
    wish.format === "url" || typeof picture["url"] === "string" ? false : typeof picture["b64_json"] === "string",
  );
  if (isAsWished) return whole;
  const shown: JsonObject[] = [];
  for (const picture of pictures) shown.push(await one(services, picture, wish));
  const value = { ...whole.value, data: shown };
  return { ...whole, value, body: Buffer.from(JSON.stringify(value)) };
}

async function one(services: Services, picture: JsonObject, wish: Wish): Promise<JsonObject> {
  const { url, b64_json: inside, ...rest } = picture;
  const bytes = typeof inside === "string" ? Buffer.from(inside, "base64") : await fetched(services, url, wish);
  if (wish.format === "b64_json") return { ...rest, b64_json: bytes.toString("base64") };
  return { ...rest, url: await keep(services, bytes, wish) };
}

async function fetched({ fetchMedia }: Services, url: unknown, { allowPrivate, signal }: Wish): Promise<Buffer> {
  if (typeof url !== "string") throw new Failure("upstream_error", { cause: "a picture without bytes and address" });
  try {
    const { body } = await fetchMedia(url, { maxBytes: mostBytes, timeoutMs: 60_000, allowPrivate, ...(signal && { signal }) });
    return await gather(body);
  } catch (cause) {
    throw new Failure("upstream_error", { says: "The picture could not be fetched from the provider.", cause });
  }
}

async function keep(services: Services, bytes: Buffer, { caller, base }: Wish): Promise<string> {
  const { media, store, clock, settings } = services;
  const stored = await media.put({ bytes }, { maxBytes: mostBytes });
  if (!stored.mime.startsWith("image/")) {
    await media.remove(stored.key);
    throw new Failure("upstream_error", { cause: `the provider's picture is ${stored.mime}` });
  }
  const now = clock();
  const id = uuidv7(now);
  await store.putAsset({
    id,
    account: caller.account.id,
    task: null,
    kind: "image",
    mime: stored.mime,
    bytes: stored.bytes,
    sha256: stored.sha256,
    storageKey: stored.key,
    name: null,
    purpose: "result",
    createdAt: now,
    expiresAt: now + settings().assetRetentionMs,
  });
  return assetUrls(services, base)(id);
}
