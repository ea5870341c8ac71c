import { formatNumber } from "../i18n/translate.ts";

/** How many decimals a column of amounts needs so that all have as many: two at least, six at most. */
export function digitsFor(amounts: Iterable<number>): number {
  let digits = 2;
  for (const usd of amounts) {
    while (digits < 6 && Math.abs(usd - Number(usd.toFixed(digits))) > 5e-10) digits += 1;
  }
  return digits;
}

/** US dollars in a column: as many decimals as its neighbours; the exact amount on hover. */
export function AlignedUsd({ usd, digits, sign = false }: { usd: number; digits: number; sign?: boolean }) {
  const text = formatNumber(Math.abs(usd), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (
    <span className="number" title={`$${usd.toFixed(9).replace(/(\.\d\d\d*?)0+$/, "$1")}`}>
      {`${usd < 0 ? "−" : sign && usd > 0 ? "+" : ""}$${text}`}
    </span>
  );
}
