import type { ImageAct } from "../../core/kinds.ts";

/** What the press of a button asks for. */
export type Press = {
  /** The dialect's word. */
  action: string;
  act: ImageAct;
  /** Which picture of a grid, from 0; null: the only one, or all. */
  place: number | null;
  /** 0 to 1: how far the result may go from its source. */
  strength?: number;
  /** How many times as much is shown. */
  zoom?: number;
  isSquare?: boolean;
  direction?: string;
  /** Which of the source's texts is the prompt, from 0. */
  text?: number;
  /** Whether the client is asked for more first. */
  asks?: "prompt" | "mask";
};

/** Midjourney's names of buttons, without the ids behind them. */
const meanings: readonly (readonly [pattern: RegExp, read: (value: string) => Press])[] = [
  [/^MJ::JOB::upsample::([1-4])\b/, (n) => ({ action: "UPSCALE", act: "upscale", place: Number(n) - 1 })],
  [/^MJ::JOB::variation::([1-4])\b/, (n) => ({ action: "VARIATION", act: "vary", place: Number(n) - 1, strength: 0.5 })],
  [/^MJ::JOB::reroll::/, () => ({ action: "REROLL", act: "reroll", place: null })],
  [/^MJ::JOB::upsample_[a-z0-9_]{1,24}::/, () => ({ action: "UPSCALE", act: "upscale", place: null })],
  [/^MJ::JOB::low_variation::/, () => ({ action: "LOW_VARIATION", act: "vary", place: null, strength: 0.25 })],
  [/^MJ::JOB::high_variation::/, () => ({ action: "HIGH_VARIATION", act: "vary", place: null, strength: 0.75 })],
  [/^MJ::JOB::pan_(left|right|up|down)::/, (direction) => ({ action: "PAN", act: "pan", place: null, direction })],
  [/^MJ::Outpaint::100::/, () => ({ action: "ZOOM", act: "zoom", place: null, isSquare: true })],
  [/^MJ::Outpaint::(\d{2})::/, (kept) => ({ action: "ZOOM", act: "zoom", place: null, zoom: kept === "75" ? 1.5 : 2 })],
  [/^MJ::CustomZoom\b/, () => ({ action: "CUSTOM_ZOOM", act: "zoom", place: null, zoom: 2, asks: "prompt" })],
  [/^MJ::Inpaint::/, () => ({ action: "INPAINT", act: "edit", place: null, asks: "mask" })],
  [/^MJ::Job::(?:PicReader|PromptAnalyzer)::([1-9])\b/, (n) => ({ action: "IMAGINE", act: "generate", place: null, text: Number(n) - 1 })],
];

/** What a button's name means; null where it is something that we cannot do. */
export function readButton(name: string): Press | null {
  for (const [pattern, read] of meanings) {
    const found = pattern.exec(name);
    if (found !== null) return read(found[1] ?? "");
  }
  return null;
}
