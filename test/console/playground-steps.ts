import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { patienceMs, settled } from "./bench.ts";

/** What was made by one press of the button. */
export type MadeRun = {
  /** The card that shows it. */
  card: Locator;
  /** The price beside the button, and what was taken in the end, to the last digit; null where none is known beforehand. */
  quoted: string | null;
  charged: string;
};

/** Of the browser's own types only what is looked at here. */
type Medium = {
  currentTime: number;
  readyState: number;
  muted: boolean;
  error: { message: string } | null;
  play(): Promise<void>;
  pause(): void;
  addEventListener(event: string, hear: () => void): void;
};
type Pixels = { data: ArrayLike<number>; width: number; height: number };
type Canvas = { width: number; height: number; getContext(kind: "2d"): { getImageData(...box: number[]): Pixels } };
type Picture = { complete: boolean; naturalWidth: number; naturalHeight: number };

/** The form at the left, and what came of it at the right. */
export function formOf(page: Page): Locator {
  return page.getByRole("region", { name: "Request", exact: true });
}

export function resultsOf(page: Page): Locator {
  return page.getByRole("region", { name: "Results", exact: true });
}

/** Goes to a form of the playground as a reader does: by the medium, then by the way of making it. */
export async function choose(page: Page, medium: string, way?: string): Promise<void> {
  await page.getByRole("navigation", { name: "Media" }).getByRole("link", { name: medium, exact: true }).click();
  if (way !== undefined) await page.getByRole("tab", { name: way, exact: true }).click();
  await formOf(page).getByRole("button", { name: "As code" }).waitFor();
  await settled(page);
}

/** Fills in fields by their labels. */
export async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await formOf(page).getByLabel(label, { exact: true }).fill(value);
}

/** Presses the button and waits until the result is there; what was said to cost so much must have cost so much. */
export async function make(page: Page, button: string): Promise<MadeRun> {
  const press = formOf(page).getByRole("button", { name: button, exact: true });
  const quoted = await quoteOf(page);
  return { quoted, ...(await follow(page, () => press.click())) };
}

/** Does what begins a run, and waits for its end. */
export async function follow(page: Page, begin: () => Promise<void>): Promise<Omit<MadeRun, "quoted">> {
  const cards = resultsOf(page).getByRole("article");
  const before = await cards.count();
  await begin();
  await eventually(async () => (await cards.count()) > before, { withinMs: 60_000, what: "a run" });
  const card = cards.first();
  await card.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached", timeout: patienceMs });
  assert.deepEqual(await card.getByRole("alert").allInnerTexts(), [], "it was made");
  return { card, charged: await chargedIn(card) };
}

/** The price beside the button once it is known for what stands in the form. */
export async function quoteOf(page: Page): Promise<string | null> {
  const form = formOf(page);
  if (await form.getByText("Priced by what it takes.").isVisible()) return null;
  await form.locator(".quote:not(.quote--old)").waitFor();
  return form.locator(".quote .number").getAttribute("title");
}

export async function chargedIn(card: Locator): Promise<string> {
  return (await card.locator(".run__foot [title^='$']").first().getAttribute("title")) ?? "";
}

/** Plays what a player holds and listens until time has passed in it; its waveform is a drawing of the sound. */
export async function hear(player: Locator): Promise<void> {
  await player.getByRole("button", { name: /^Play: / }).click();
  await isHeard(player);
  await player.getByRole("button", { name: /^Pause: / }).click();
}

/** Waits until a player sounds and shows the sound. */
export async function isHeard(player: Locator): Promise<void> {
  const audio = player.locator("audio");
  await eventually(() => audio.evaluate((it: Medium) => it.currentTime > 0.3 && it.error === null), { withinMs: 60_000, what: "sound" });
  await eventually(async () => (await barHeights(player.locator("canvas"))) >= 8, { withinMs: 60_000, what: "the waveform" });
}

/** How many heights the bars of a waveform have; before the sound is known they are all alike. */
function barHeights(canvas: Locator): Promise<number> {
  return canvas.evaluate((it: Canvas) => {
    const { data, width, height } = it.getContext("2d").getImageData(0, 0, it.width, it.height);
    const heights = new Set<number>();
    for (let x = 0; x < width; x++) {
      let inked = 0;
      for (let y = 0; y < height; y++) if ((data[(y * width + x) * 4 + 3] ?? 0) > 40) inked++;
      heights.add(inked);
    }
    return heights.size;
  });
}

/** Waits until a video can be played through, and plays it. */
export async function watch(video: Locator): Promise<void> {
  await video.evaluate(
    (it: Medium) =>
      new Promise<void>((resolve, reject) => {
        it.addEventListener("canplaythrough", () => resolve());
        it.addEventListener("error", () => reject(new Error(it.error?.message ?? "it does not play")));
        if (it.readyState >= 4) resolve();
      }),
  );
  await video.evaluate((it: Medium) => {
    it.muted = true;
    return it.play();
  });
  await eventually(() => video.evaluate((it: Medium) => it.currentTime > 0.2), { withinMs: 60_000, what: "the video" });
  await video.evaluate((it: Medium) => it.pause());
}

/** The sizes of the pictures in a card, once all of them are there. */
export async function seePictures(card: Locator): Promise<string[]> {
  const pictures = card.locator(".picture img");
  await pictures.first().waitFor();
  const sizes: string[] = [];
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await eventually(() => picture.evaluate((it: Picture) => it.complete && it.naturalWidth > 0), { what: "a picture" });
    sizes.push(await picture.evaluate((it: Picture) => `${it.naturalWidth}x${it.naturalHeight}`));
  }
  return sizes;
}
