import { Type } from "typebox";
import { Failure } from "../core/errors.ts";
import { operation } from "./operation.ts";
import { sendAsset, sendThere } from "./send-asset.ts";

const getAsset = operation({
  method: "GET",
  url: "/assets/:id",
  tag: "assets",
  summary: "Read a result or an upload by its signed address",
  errors: "plain",
  auth: "open",
  params: Type.Object({ id: Type.String() }),
  async run({ params, request, reply }, { store, media, clock, verifyAsset, settings }) {
    const query = request.url.slice(request.url.indexOf("?") + 1);
    const now = clock();
    const verdict = verifyAsset(params.id, query, now);
    if (verdict === "expired")
      throw new Failure("not_allowed", { says: "This address has expired; ask for the task or file again to get a new one." });
    const asset = verdict === "invalid" ? null : await store.asset({ id: params.id, account: null });
    if (verdict === "invalid" || asset === null || asset.expiresAt <= now) throw new Failure("not_found");
    if (settings().presignedDownloads && media.presign !== undefined && request.method === "GET")
      return sendThere(asset, { reply, presign: media.presign, disposition: verdict.disposition });
    return sendAsset(asset, { request, reply, media, disposition: verdict.disposition });
  },
});

export const assetOperations = [getAsset];
