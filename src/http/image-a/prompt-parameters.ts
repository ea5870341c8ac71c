import { Failure } from "../../core/errors.ts";
import type { Ratio } from "../../core/kinds.ts";
import { aspectRatio } from "../video/aspect-ratio.ts";

/** What a prompt says in parameters such as `--ar 16:9`, and the prompt without them. */
export type PromptParameters = { plain: string; aspectRatio?: Ratio; seed?: number; negativePrompt?: string; zoom?: number };

const largestSeed = 4_294_967_295;

/** Reads the parameters that every provider can follow; the others are left to those who know them. */
export function readPrompt(text: string): PromptParameters {
  // Keyboards of phones make one long dash of two short ones.
  const [plain = "", ...parameters] = text.split(/(?:^|\s)(?:--|—)(?=[a-z])/i);
  const found: PromptParameters = { plain: plain.trim() };
  for (const parameter of parameters) {
    const [, name = "", value = ""] = /^(\w+)\s*(.*)$/s.exec(parameter.trim()) ?? [];
    const word = value.split(/\s/)[0] ?? "";
    switch (name.toLowerCase()) {
      case "ar":
      case "aspect":
        found.aspectRatio = aspectRatio(/^\d+:\d+$/.test(word) ? word : "", "--ar");
        break;
      case "seed":
        found.seed = seedOf(word);
        break;
      case "no":
        found.negativePrompt = [found.negativePrompt, value.trim()].filter(Boolean).join(", ");
        break;
      case "zoom":
        found.zoom = zoomOf(word);
        break;
    }
  }
  return found;
}

function seedOf(word: string): number {
  if (!/^\d{1,10}$/.test(word) || Number(word) > largestSeed) throw refused(`'--seed' in the prompt must be 0 to ${largestSeed}.`);
  return Number(word);
}

function zoomOf(word: string): number {
  const zoom = /^\d(\.\d+)?$/.test(word) ? Number(word) : 0;
  if (zoom < 1 || zoom > 2) throw refused("'--zoom' in the prompt must be 1 to 2.");
  return zoom;
}

function refused(says: string): Failure {
  return new Failure("invalid_request", { says, param: "prompt" });
}
