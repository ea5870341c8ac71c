import { formatNumber, t } from "../../i18n/translate.ts";
import { Meter } from "../../ui/stat.tsx";
import type { Provider } from "./providers-page.tsx";

type Gate = Provider["gates"][number];

/** How many slots of each key are in use. */
export function ProviderGates({ gates }: { gates: readonly Gate[] }) {
  if (gates.length === 0) return null;
  return (
    <div className="stack stack--s">
      <h3>{t("providers.gates")}</h3>
      <ul className="providers-gates">
        {gates.map((gate) => (
          <GateRow key={`${gate.lane} ${gate.credential}`} gate={gate} />
        ))}
      </ul>
    </div>
  );
}

function GateRow({ gate: { lane, credential, used, limit } }: { gate: Gate }) {
  const name = lane === "calls" ? t("providers.gate.calls") : lane;
  const use = limit === null ? `${formatNumber(used)} (${t("providers.gate.unlimited")})` : t("providers.gate.use", { used, limit });
  return (
    <li className="providers-gate">
      <span className="providers-gate__name" title={lane}>
        {name} <code className="muted">{credential === "" ? t("providers.gate.noKey") : credential}</code>
      </span>
      <span className="providers-gate__bar">
        {limit !== null && <Meter value={used} most={limit} label={`${name} ${credential}: ${use}`} />}
      </span>
      <span className="number providers-gate__use">{use}</span>
    </li>
  );
}
