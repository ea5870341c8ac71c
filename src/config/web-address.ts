import { isIP } from "node:net";
import { isPublicAddress } from "../kit/address.ts";

/** What is wrong with the base address of an http service, or null. */
export function httpProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return "must be an address that begins with http:// or https://";
  if (url.username !== "" || url.password !== "") return "must not hold a user name or a password";
  return url.search !== "" || url.hash !== "" ? "must end before any ? or #" : null;
}

/** What is wrong with a connection address that must have one of these schemes, or null; never shows the address, which may hold a password. */
export function schemeProblem(text: string, schemes: readonly string[]): string | null {
  const url = URL.parse(text);
  return url !== null && schemes.includes(url.protocol.slice(0, -1))
    ? null
    : `must begin with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`;
}

/** True where an address says by itself that it is not on the public internet. */
export function isPlainlyPrivate(text: string): boolean {
  const host = URL.parse(text)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  return isIP(host) === 0 ? /(^|\.)localhost$/.test(host) : !isPublicAddress(host);
}

/** An address to which paths can be appended. */
export function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, "");
}
