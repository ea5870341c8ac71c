import { t } from "../../i18n/translate.ts";
import { formatDuration } from "../../ui/figures.tsx";
import { useNow } from "../../ui/now.ts";
import { Notice } from "../../ui/states.tsx";
import type { Provider } from "./provider.ts";

/** What work is kept away from, why, and for how long. */
export function ProviderRest({ resting }: { resting: Provider["resting"] }) {
  return resting.length === 0 ? null : <Resting resting={resting} />;
}

function Resting({ resting }: { resting: Provider["resting"] }) {
  const now = useNow();
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
