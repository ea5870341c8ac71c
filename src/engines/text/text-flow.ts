import type { TokenChance } from "../job.ts";

/** What has become certain of a text. */
export type Told = { text: string; tokens: TokenChance[] };

/** Turns tokens into text that can be told at once: whole characters only, and nothing that may yet prove to be the start of a stop text. */
export type TextFlow = {
  add(bytes: Buffer, chance?: TokenChance): Told;
  /** True once a stop text has come; what follows it is not taken in. */
  readonly stopped: boolean;
  /** What was held back, when no more will come. */
  end(): Told;
};

export function createTextFlow(stop: readonly string[]): TextFlow {
  const stops = stop.filter((one) => one !== "");
  // A mark at the very beginning is text too.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const waiting: { startsAt: number; chance: TokenChance }[] = [];
  let text = "";
  let toldUpTo = 0;
  let stopped = false;

  function tell(upTo: number): Told {
    const part = text.slice(toldUpTo, upTo);
    toldUpTo = upTo;
    let certain = waiting.findIndex(({ startsAt }) => startsAt >= upTo);
    if (certain < 0) certain = waiting.length;
    return { text: part, tokens: waiting.splice(0, certain).map(({ chance }) => chance) };
  }

  return {
    get stopped() {
      return stopped;
    },
    add(bytes, chance) {
      if (chance !== undefined) waiting.push({ startsAt: text.length, chance });
      text += decoder.decode(bytes, { stream: true });
      const cuts = stops.map((one) => text.indexOf(one, toldUpTo)).filter((at) => at >= 0);
      if (cuts.length === 0) return tell(text.length - heldBack(text.slice(toldUpTo), stops));
      stopped = true;
      const told = tell(Math.min(...cuts));
      waiting.length = 0;
      return told;
    },
    end() {
      if (stopped) return { text: "", tokens: [] };
      const { text: rest, tokens } = tell(text.length);
      // Tokens that spell nothing, or half a character that nobody finished, are still tokens.
      return { text: rest, tokens: [...tokens, ...waiting.splice(0).map(({ chance }) => chance)] };
    },
  };
}

/** How many characters at the end of a text could be the beginning of a stop text. */
function heldBack(text: string, stops: readonly string[]): number {
  const longest = Math.min(text.length, Math.max(0, ...stops.map((one) => one.length - 1)));
  for (let length = longest; length > 0; length--) {
    const end = text.slice(-length);
    if (stops.some((one) => one.length > length && one.startsWith(end))) return length;
  }
  return 0;
}
