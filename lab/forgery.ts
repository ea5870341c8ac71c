import type { LabCallback } from "./dialect.ts";

/** The same message from somebody who does not know the secret: with a wrong signature, or to a wrong address where nothing is signed. */
export function forge(url: URL, message: LabCallback): { url: URL; message: LabCallback } {
  const names = Object.keys(message.headers).filter((name) => /signature|authorization|secret|token/i.test(name));
  if (names.length === 0) return { url: new URL(url.href.replace(/[^/?#]+(?=[?#]|$)/, altered)), message };
  const forged = names.map((name) => [name, altered(message.headers[name] ?? "")]);
  return { url, message: { ...message, headers: { ...message.headers, ...Object.fromEntries(forged) } } };
}

// In the middle of the last word: the ends of a base64 text may carry bits that do not count.
function altered(text: string): string {
  const word = /[0-9A-Za-z+/_-]+[^0-9A-Za-z]*$/.exec(text)?.index ?? 0;
  const at = Math.floor((word + text.length) / 2);
  return `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`;
}
