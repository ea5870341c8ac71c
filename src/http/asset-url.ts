import type { Services } from "./services.ts";

export type AssetUrl = (id: string | null) => string;

/** Makes fresh, expiring addresses of assets; an absent asset has the address "". */
export function assetUrls(services: Services, base: string, now: number = services.clock()): AssetUrl {
  const until = now + services.settings().assetUrlTtlMs;
  return (id) => (id === null ? "" : `${base}/assets/${id}?${services.signAsset(id, until, "inline")}`);
}
