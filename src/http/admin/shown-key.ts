import { masked } from "../../kit/masked.ts";
import type { Catalog } from "../../core/routing.ts";

/** A provider's key as operators know it; one that is not in the file any more has the name that follows from it. */
export function shownKey(catalog: Catalog, provider: string, credential: string): string {
  const secret = catalog.provider(provider)?.credentials.find(({ id }) => id === credential)?.secret;
  return secret === undefined || secret === "" ? credential : masked(secret);
}
