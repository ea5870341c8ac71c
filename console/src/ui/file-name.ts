import { sameOrigin } from "../api/client.ts";

const endings: Readonly<Record<string, string>> = {
  "audio/mpeg": ".mp3",
  "audio/wav": ".wav",
  "audio/x-wav": ".wav",
  "audio/ogg": ".ogg",
  "audio/opus": ".opus",
  "audio/flac": ".flac",
  "audio/aac": ".aac",
  "audio/mp4": ".m4a",
  "video/mp4": ".mp4",
  "video/webm": ".webm",
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/webp": ".webp",
  "image/gif": ".gif",
};

/** What a downloaded asset is called: a title that any system takes, with the ending of its type. */
export function fileName(title: string, url: string, assets: readonly { url: string; mime: string }[]): string {
  const path = pathOf(url);
  const mime = assets.find((asset) => pathOf(asset.url) === path)?.mime.split(";")[0] ?? "";
  const safe = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, "-")
    .trim()
    .slice(0, 80);
  return `${safe || "genway"}${endings[mime] ?? ""}`;
}

function pathOf(url: string): string {
  return sameOrigin(url).split("?")[0] ?? "";
}
