import type { Services } from "./services.ts";

export type AssetUrl = (id: string | null) => string;

/** Makes fresh, expiring addresses of assets; an absent asset has the address "". */
export function assetUrls(services: Services, base: string): AssetUrl {
  const until = services.clock() + services.settings().assetUrlTtlMs;
  return (id) => (id === null ? "" : `${base}/assets/${id}?${services.signAsset(id, until, "inline")}`);
}
