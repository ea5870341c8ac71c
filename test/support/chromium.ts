import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Browser } from "playwright-core";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "msedge.exe",
  "chrome.exe",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** The path of a browser of the Chromium family: the one `CHROMIUM` names, else the first one in the usual places. */
export function findChromium(): string | null {
  const named = process.env["CHROMIUM"];
  if (named !== undefined) return existsSync(named) ? named : null;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places];
  return candidates.find((path) => existsSync(path)) ?? null;
}

/** Opens a headless browser; ask `findChromium` first whether there is one. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error("no Chromium on this machine; name one with CHROMIUM=<path>");
  const { chromium } = await import("playwright-core");
  // The sandbox refuses to start as root and in most containers; the pages opened here are our own.
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
