import { useEffect, useState } from "react";
import { asApiError, type ApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { t } from "../../i18n/translate.ts";
import { Money } from "../../ui/figures.tsx";
import type { Request } from "./request.ts";

const pauseMs = 400;

export type Quoted = { usd: number | null; error: ApiError | null; isOld: boolean };

/** The price of some requests together, asked again a moment after they change; null where it is not known beforehand. */
export function useQuote(requests: readonly Request[], isQuoted: boolean): Quoted {
  const asked = isQuoted ? JSON.stringify(requests.map(({ path, body }) => ({ path, body }))) : "";
  const [known, setKnown] = useState<{ asked: string; usd: number | null; error: ApiError | null }>({ asked: "", usd: null, error: null });
  useEffect(() => {
    if (asked === "") return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      priceOf(asked, stop.signal).then(
        (usd) => setKnown({ asked, usd, error: null }),
        (error: unknown) => stop.signal.aborted || setKnown({ asked, usd: null, error: asApiError(error) }),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);
  if (asked === "") return { usd: null, error: null, isOld: false };
  return { usd: known.usd, error: known.asked === asked ? known.error : null, isOld: known.asked !== asked };
}

async function priceOf(asked: string, signal: AbortSignal): Promise<number> {
  const requests: { path: string; body: Record<string, unknown> }[] = JSON.parse(asked);
  const quotes = await Promise.all(requests.map((body) => read(client.POST("/v1/quote", { body, signal }))));
  return quotes.reduce((sum, { amount_usd: usd }) => sum + usd, 0);
}

/** The price beside the button. */
export function QuoteView({ quoted, isQuoted, isUpTo }: { quoted: Quoted; isQuoted: boolean; isUpTo: boolean }) {
  if (!isQuoted) return <span className="muted small">{t("playground.pricedAfter")}</span>;
  if (quoted.error !== null) return <span className="muted small">{quoted.error.message}</span>;
  if (quoted.usd === null) return <span className="muted small">{t("playground.pricing")}</span>;
  return (
    <span className={quoted.isOld ? "quote quote--old" : "quote"}>
      <span className="muted small">{isUpTo ? t("playground.costsUpTo") : t("playground.costs")}</span> <Money usd={quoted.usd} />
    </span>
  );
}
