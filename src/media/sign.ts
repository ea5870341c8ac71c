import { createHmac, timingSafeEqual } from "node:crypto";

export type Disposition = "inline" | "attachment";

/** Makes and checks the query strings that open one asset, in one way, until one moment. */
export type Signer = {
  sign(assetId: string, expiresAtMs: number, disposition: Disposition): string;
  /** Takes the query as text or as a web framework parsed it; "expired" is only said of a signature that is good. */
  verify(
    assetId: string,
    query: string | Readonly<Record<string, unknown>>,
    nowMs: number,
  ): { disposition: Disposition } | "expired" | "invalid";
};

/** A signer with a key of its own, used for nothing else. */
export function createSigner(key: Buffer): Signer {
  const signature = (assetId: string, expires: string, way: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["asset", assetId, expires, way]))
      .digest();
  return {
    sign: (assetId, expiresAtMs, disposition) => {
      const expires = String(Math.ceil(expiresAtMs / 1000));
      const way = disposition === "inline" ? "i" : "a";
      return `e=${expires}&d=${way}&s=${signature(assetId, expires, way).toString("base64url")}`;
    },
    verify: (assetId, query, nowMs) => {
      const { e, d, s } = typeof query === "string" ? Object.fromEntries(new URLSearchParams(query)) : query;
      if (typeof e !== "string" || !/^\d{1,12}$/.test(e) || (d !== "i" && d !== "a") || typeof s !== "string") return "invalid";
      const given = Buffer.from(s, "base64url");
      const right = signature(assetId, e, d);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return "invalid";
      if (nowMs >= Number(e) * 1000) return "expired";
      return { disposition: d === "i" ? "inline" : "attachment" };
    },
  };
}
