import { useEffect, useState } from "react";
import { t } from "../../i18n/translate.ts";
import { formatDuration } from "../../ui/figures.tsx";
import { Notice } from "../../ui/states.tsx";
import type { Provider } from "./providers-page.tsx";

/** What calls are kept away from, why, and for how long. */
export function ProviderRest({ resting }: { resting: Provider["resting"] }) {
  const now = useSeconds(resting.length > 0);
  if (resting.length === 0) return null;
  const isBroken = resting.some(({ why }) => why === "broken");
  return (
    <Notice tone={isBroken ? "bad" : "warn"}>
      <ul className="stack stack--s">
        {resting.map(({ model, key, until, why }) => (
          <li key={`${model} ${key} ${why}`} className="number">
            {t(`providers.rest.${why}`, { model, key, left: formatDuration(Math.max(1, Math.ceil(until - now))) })}
          </li>
        ))}
      </ul>
      {isBroken && <p className="providers-rest__hint">{t("providers.rest.hint")}</p>}
    </Notice>
  );
}

function useSeconds(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now() / 1000);
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
