/** The media type and base64 data of a data URI; null for anything else. */
export function parseDataUri(uri: string): { mime: string; data: string } | null {
  // Only the head is matched: the data may be many megabytes.
  const comma = uri.slice(0, 256).indexOf(",");
  const [, mime = ""] = /^data:([^;,]+)(?:;[^,]*)?;base64$/i.exec(uri.slice(0, Math.max(comma, 0))) ?? [];
  return mime === "" ? null : { mime: mime.toLowerCase(), data: uri.slice(comma + 1) };
}

export const dataUri = (mime: string, data: string): string => `data:${mime};base64,${data}`;
