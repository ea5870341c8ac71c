import type { Static } from "typebox";
import type { Kind } from "../core/kinds.ts";
import { priceUnits, unitsOfKind, type Price, type PriceUnit } from "../core/pricing.ts";
import type { Path, Report } from "./problems.ts";
import type { PriceTable } from "./schema.ts";
import type { Source } from "./source.ts";

/** Reads the price of a model: amounts become nano-USD, and every kind must be paid for by a unit that fits it. */
export function readPrice(
  table: Static<typeof PriceTable> | "free",
  kinds: readonly Kind[],
  path: Path,
  { report, written }: Source,
): Price {
  if (table === "free") return {};
  const price: Partial<Record<PriceUnit, number>> = {};
  for (const unit of priceUnits) {
    const amount = table[unit];
    if (amount === undefined) continue;
    const here = [...path, unit];
    const nanos = nanosFromDecimal(typeof amount === "string" ? amount : (written(here) ?? String(amount)));
    if (typeof nanos === "string") report(here, nanos);
    price[unit] = typeof nanos === "number" ? nanos : 0;
    const misfits = kinds.length > 0 && kinds.every((kind) => !unitsOfKind[kind].includes(unit));
    if (misfits) report(here, `does not fit ${kinds.join(" and ")}: ${fittingUnits(kinds)}`);
  }
  if (Object.keys(price).length === 0) report(path, "names no amount; if the model costs nothing, write price: free");
  for (const kind of kinds) checkKindPaid(kind, price, path, report);
  return price;
}

function checkKindPaid(kind: Kind, price: Price, path: Path, report: Report): void {
  const units = unitsOfKind[kind];
  if (units.every((unit) => price[unit] === undefined)) return report(path, `says nothing about ${kind}: ${fittingUnits([kind])}`);
  if (!units.includes("output_per_million")) return;
  const [given, other] = price.input_per_million === undefined ? ["output", "input"] : ["input", "output"];
  if ((price.input_per_million === undefined) !== (price.output_per_million === undefined)) {
    report(path, `has ${given}_per_million without ${other}_per_million; write 0 for what costs nothing`);
  }
}

function fittingUnits(kinds: readonly Kind[]): string {
  return kinds.map((kind) => `${kind} takes ${unitsOfKind[kind].join(", ")}`).join("; ");
}

const decimal = /^\+?(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i;
const largestNanos = 1_000_000n * 1_000_000_000n;

/** Decimal USD as nano-USD, exactly; where it cannot be, the sentence that says why. */
export function nanosFromDecimal(text: string): number | string {
  const written = text.trim();
  if (written.startsWith("-")) return "must not be negative";
  const [, whole = "", fraction = "", exponent = "0"] = decimal.exec(written) ?? [];
  if (whole + fraction === "") return "must be an amount in USD such as 0.15";
  const digits = BigInt(whole + fraction);
  const shift = 9 - fraction.length + Number(exponent);
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  if (digits % divisor !== 0n) return "must have at most nine decimals";
  const nanos = (digits * 10n ** BigInt(Math.max(0, shift))) / divisor;
  return nanos > largestNanos ? "must be at most 1000000 USD" : Number(nanos);
}

/** Nano-USD as decimal USD without needless zeros. */
export function decimalFromNanos(nanos: number): string {
  const digits = String(nanos).padStart(10, "0");
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, "");
}
