import { formatNumber, t } from "../../i18n/translate.ts";
import { Count, formatDuration, Money } from "../../ui/figures.tsx";
import { Stat, Stats } from "../../ui/stat.tsx";
import type { Point } from "./usage-question.ts";

/** The whole time in a few figures. */
export function UsageTotals({ total }: { total: Point }) {
  const { requests, errors, input_tokens: input, output_tokens: output } = total;
  return (
    <Stats>
      <Stat label={t("usage.requests")}>
        <Count value={requests} />
      </Stat>
      <Stat label={t("usage.spend")}>
        <Money usd={total.cost_usd} />
      </Stat>
      <Stat label={t("usage.tokens")} hint={t("usage.tokens.split", { input, output })}>
        <Count value={input + output} />
      </Stat>
      <Stat label={t("usage.errorRate")} hint={t("usage.errors.count", { n: errors })}>
        {formatShare(requests === 0 ? null : errors / requests)}
      </Stat>
      <Stat label={t("usage.latency.p95")} hint={t("usage.latency.hint", { p50: formatMs(total.p50_ms), p99: formatMs(total.p99_ms) })}>
        {formatMs(total.p95_ms)}
      </Stat>
      <Stat label={t("usage.wait.p95")} hint={t("usage.wait.hint", { p50: formatMs(total.wait_p50_ms) })}>
        {formatMs(total.wait_p95_ms)}
      </Stat>
    </Stats>
  );
}

export function formatMs(ms: number | null): string {
  return ms === null ? "–" : formatDuration(ms / 1000);
}

export function formatShare(share: number | null): string {
  return share === null ? "–" : formatNumber(share, { style: "percent", maximumFractionDigits: share < 0.1 ? 2 : 1 });
}
