import type { FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import type { StoredAsset } from "../core/records.ts";
import { assetUrls, type AssetUrl } from "./asset-url.ts";
import { mebibyte, operation } from "./operation.ts";
import type { Services } from "./services.ts";
import { blameSender, dropUpload, saveUpload } from "./uploads.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery } from "./wire.ts";

const group = { tag: "files", errors: "envelope", auth: "client", scope: "files" } as const;
const Id = Type.Object({ id: Type.String() });

const File = Type.Object({
  id: Type.String(),
  object: Type.Literal("file"),
  filename: nullable(Type.String()),
  purpose: nullable(Type.String()),
  mime: Type.String(),
  bytes: Type.Integer(),
  url: Type.String(),
  created_at: Type.Integer(),
  expires_at: Type.Integer(),
});

function fileRecord(asset: StoredAsset, url: AssetUrl): Static<typeof File> {
  return {
    id: asset.id,
    object: "file",
    filename: asset.name,
    purpose: asset.purpose,
    mime: asset.mime,
    bytes: asset.bytes,
    url: url(asset.id),
    created_at: Math.floor(asset.createdAt / 1000),
    expires_at: Math.floor(asset.expiresAt / 1000),
  };
}

/** Keeps the one file of a form, and nothing if anything else is wrong with it. */
async function readUpload(request: FastifyRequest, caller: Caller, services: Services): Promise<StoredAsset> {
  let purpose = "input";
  let saved: StoredAsset | null = null;
  try {
    for await (const part of blameSender(request.parts())) {
      if (part.type === "field" && part.fieldname === "purpose") purpose = String(part.value).replaceAll("\0", "");
      if (part.type !== "file") continue;
      if (part.fieldname !== "file" || saved !== null)
        throw new Failure("invalid_request", { says: "Send one file, in a field named 'file'.", param: "file" });
      saved = await saveUpload(services, caller, { stream: part.file, name: part.filename, purpose });
    }
  } catch (error) {
    if (saved !== null) await dropUpload(services, saved);
    throw error;
  }
  if (saved === null) throw new Failure("invalid_request", { says: "'file' is required.", param: "file" });
  return saved;
}

const createFile = operation({
  ...group,
  method: "POST",
  url: "/v1/files",
  summary: "Upload a source image or audio file (multipart/form-data: file, purpose)",
  body: Type.Object({ file: Type.String({ format: "binary" }), purpose: Type.Optional(Type.String()) }),
  reply: File,
  bodyLimit: 33 * mebibyte,
  multipart: "only",
  async run({ request, caller, base }, services) {
    if (!request.isMultipart())
      throw new Failure("unsupported_media_type", { says: "Send the file as multipart/form-data, in a field named 'file'." });
    const saved = await readUpload(request, caller, services);
    return fileRecord(saved, assetUrls(services, base));
  },
});

const listFiles = operation({
  ...group,
  method: "GET",
  url: "/v1/files",
  summary: "List uploaded files, newest first",
  query: Type.Object(PageQuery),
  reply: ListReply(File),
  async run({ query, caller, base }, services) {
    const { shown, ...page } = pageOf(query);
    const files = await services.store.listFiles({ ...page, account: caller.account.id });
    return listOf(
      files.map((file) => fileRecord(file, assetUrls(services, base))),
      shown,
    );
  },
});

const getFile = operation({
  ...group,
  method: "GET",
  url: "/v1/files/:id",
  summary: "Get an uploaded file's record",
  params: Id,
  reply: File,
  async run({ params, caller, base }, services) {
    const asset = await services.store.asset({ id: params.id, account: caller.account.id });
    if (asset === null || asset.task !== null) throw new Failure("not_found", { says: "There is no such file." });
    return fileRecord(asset, assetUrls(services, base));
  },
});

const deleteFile = operation({
  ...group,
  method: "DELETE",
  url: "/v1/files/:id",
  summary: "Delete an uploaded file",
  params: Id,
  reply: Type.Object({ id: Type.String(), object: Type.Literal("file.deleted"), deleted: Type.Boolean() }),
  async run({ params, caller }, services) {
    const isGone = await dropUpload(services, { account: caller.account.id, id: params.id });
    if (!isGone) throw new Failure("not_found", { says: "There is no such file." });
    return { id: params.id, object: "file.deleted", deleted: true };
  },
});

export const fileOperations = [createFile, listFiles, getFile, deleteFile];
