import { useState } from "react";
import { formatNumber, isKey, t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Meter } from "../../ui/stat.tsx";
import type { Provider } from "./provider.ts";

const fewGates = 6;

type Gate = Provider["gates"][number];

/** How many slots of each key are in use. */
export function ProviderGates({ gates }: { gates: readonly Gate[] }) {
  const [isAll, setAll] = useState(false);
  if (gates.length === 0) return null;
  const shown = isAll ? gates : gates.toSorted((a, b) => b.used - a.used).slice(0, fewGates);
  return (
    <div className="stack stack--s">
      <h3>{t("providers.gates")}</h3>
      <ul className="providers-gates">
        {shown.map((gate) => (
          <GateRow key={`${gate.lane} ${gate.credential}`} gate={gate} />
        ))}
      </ul>
      {gates.length > fewGates && !isAll && (
        <div>
          <Button size="s" variant="quiet" onClick={() => setAll(true)}>
            {t("providers.gate.all", { n: gates.length })}
          </Button>
        </div>
      )}
    </div>
  );
}

function GateRow({ gate: { lane, credential, used, limit } }: { gate: Gate }) {
  const name = laneName(lane);
  const key = keyName(credential);
  const use = limit === null ? `${formatNumber(used)} (${t("providers.gate.unlimited")})` : t("providers.gate.use", { used, limit });
  return (
    <li className="providers-gate">
      <span className="providers-gate__name" title={lane}>
        {name} <code className="muted">{key}</code>
      </span>
      <span className="providers-gate__bar">{limit !== null && <Meter value={used} most={limit} label={`${name} ${key}: ${use}`} />}</span>
      <span className="number providers-gate__use">{use}</span>
    </li>
  );
}

/** A queue is named after its provider, and the kind of work where each has its own. */
function laneName(lane: string): string {
  if (lane === "calls") return t("providers.gate.calls");
  const kind = lane.split(":")[1];
  if (kind === undefined) return t("providers.gate.tasks");
  const name = `task.kind.${kind}`;
  return t("providers.gate.tasksOf", { kind: isKey(name) ? t(name) : kind });
}

function keyName(credential: string): string {
  if (credential === "") return t("providers.gate.noKey");
  return credential === "built-in" ? t("providers.local") : credential;
}
