import type { Kind, TaskInput, TaskOutput } from "./kinds.ts";

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
  moderation: ["input_per_million", "per_call"],
  rerank: ["input_per_million", "per_call"],
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
  if (unit === "per_image" && task.kind === "image") return task.input.count;
  return 1;
}

/** What a finished task comes to: less than was asked for is not paid for, be it songs, pictures or the seconds that were `sent` for. */
export function costOfTask(task: TaskInput & { price: Price; holdNanos: number }, output: TaskOutput, sent: TaskInput = task): number {
  const { price, holdNanos } = task;
  if (output.kind === "reply") return Math.min(output.costNanos, holdNanos);
  if (output.kind === "video") return Math.min(quoteTask(sent, price).amountNanos, holdNanos);
  const missing = missingParts(task, output);
  if (missing === null) return holdNanos;
  return Math.max(0, holdNanos - Math.ceil((price[missing.unit] ?? 0) * missing.count));
}

function missingParts(task: TaskInput, output: TaskOutput): { unit: PriceUnit; count: number } | null {
  if (output.kind === "music") return { unit: "per_song", count: Math.max(0, songsPerTask - output.songs.length) };
  // A grid is one picture that shows them all.
  if (task.kind !== "image" || output.kind !== "image" || output.grid !== undefined || output.pictures.length === 0) return null;
  return { unit: "per_image", count: Math.max(0, task.input.count - output.pictures.length) };
}

/** How much of what a price may count was asked for or delivered. */
export type Amounts = { inputTokens?: number; outputTokens?: number; images?: number; characters?: number; seconds?: number };

/** What a call delivered, and whether that was measured by us because the upstream did not tell. */
export type Measured = Amounts & { estimated: boolean };

/** What a call comes to at a price, rounded up once. */
export function priceCall(kind: Kind, price: Price, amounts: Amounts): number {
  let whole = 0;
  // In millionths of a nano, so that tokens priced by the million stay whole numbers as long as they fit.
  let parts = 0;
  for (const unit of unitsOfKind[kind]) {
    const unitNanos = price[unit];
    if (unitNanos === undefined) continue;
    const [quantity, size] = quantityOfCall(amounts, unit);
    if (size === 1) whole += Math.ceil(quantity * unitNanos);
    else parts += quantity * unitNanos * (million / size);
  }
  return whole + (Number.isSafeInteger(parts) ? Math.ceil(parts / million) : Math.ceil(roundedParts(parts)));
}

const million = 1_000_000;

// Beyond what numbers hold exactly, the last nano does not matter, but it must not be made of rounding.
function roundedParts(parts: number): number {
  return Math.round((parts / million) * 1000) / 1000;
}

function quantityOfCall(amounts: Amounts, unit: PriceUnit): [quantity: number, size: number] {
  switch (unit) {
    case "input_per_million":
      return [amounts.inputTokens ?? 0, million];
    case "output_per_million":
      return [amounts.outputTokens ?? 0, million];
    case "per_image":
      return [amounts.images ?? 1, 1];
    case "per_thousand_characters":
      return [amounts.characters ?? 0, 1000];
    case "per_minute":
      return [(amounts.seconds ?? 0) * 1000, 60_000];
    default:
      return [1, 1];
  }
}
