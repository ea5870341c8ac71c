import type { Kind, TaskInput } from "./kinds.ts";

export const priceUnits = [
  "per_call",
  "per_second",
  "per_image",
  "per_song",
  "per_thousand_characters",
  "per_minute",
  "input_per_million",
  "output_per_million",
] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** Nano-USD for one of each unit; no unit at all means free. */
export type Price = { readonly [U in PriceUnit]?: number };

/** The price units that make sense for a kind; `per_call` fits all. */
export const unitsOfKind: Record<Kind, readonly PriceUnit[]> = {
  video: ["per_second", "per_call"],
  music: ["per_call", "per_song"],
  lyrics: ["per_call"],
  image: ["per_image", "per_call"],
  speech: ["per_thousand_characters", "per_call"],
  transcription: ["per_minute", "per_call"],
  completion: ["input_per_million", "output_per_million", "per_call"],
  chat: ["input_per_million", "output_per_million", "per_call"],
  embedding: ["input_per_million", "per_call"],
};

/** Every music task makes two songs. */
export const songsPerTask = 2;

export type Quote = { amountNanos: number; details: { unit: PriceUnit; quantity: number; unitNanos: number; amountNanos: number }[] };

/** What a task will cost at a price: exact, because a task's size is known when it is accepted. */
export function quoteTask(task: TaskInput, price: Price): Quote {
  const details = unitsOfKind[task.kind].flatMap((unit) => {
    const unitNanos = price[unit];
    if (unitNanos === undefined) return [];
    const quantity = quantityOf(task, unit);
    return [{ unit, quantity, unitNanos, amountNanos: Math.ceil(unitNanos * quantity) }];
  });
  return { amountNanos: details.reduce((sum, line) => sum + line.amountNanos, 0), details };
}

function quantityOf(task: TaskInput, unit: PriceUnit): number {
  if (unit === "per_second" && task.kind === "video") return task.input.durationSeconds;
  if (unit === "per_song") return songsPerTask;
  return 1;
}
