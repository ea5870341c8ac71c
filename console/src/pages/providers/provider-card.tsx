import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { ProviderGates } from "./provider-gates.tsx";
import { ProviderRest } from "./provider-rest.tsx";
import { ProviderTest } from "./provider-test.tsx";
import type { Provider } from "./provider.ts";

/** One provider: whether it is well, how busy, where it stands in the file, and a way to try it. */
export function ProviderCard({ provider, models }: { provider: Provider; models: readonly string[] }) {
  const { canWrite } = useSeat();
  const { name, type, kinds, base_url: address, place, waiting, per_minute: perMinute } = provider;
  return (
    <section className="card providers-card" aria-label={name}>
      <div className="row row--between">
        <div className="row">
          <h2 className="providers-name">{name}</h2>
          <span className="muted">{type === name ? "" : type}</span>
          <Health provider={provider} />
          {address === null && <Badge>{t("providers.local")}</Badge>}
        </div>
        {canWrite && <Switcher provider={provider} />}
      </div>
      <ProviderRest resting={provider.resting} />
      <dl className="providers-facts">
        <dt>{t("providers.kinds")}</dt>
        <dd className="row providers-kinds">
          {kinds.map((kind) => (
            <Badge key={kind}>{kind}</Badge>
          ))}
        </dd>
        <dt>{t("providers.address")}</dt>
        <dd>{address === null ? t("providers.inside") : <code>{address}</code>}</dd>
        {place !== null && (
          <>
            <dt>{t("providers.place")}</dt>
            <dd>
              <code>
                {place.file}:{place.line}
              </code>
            </dd>
          </>
        )}
      </dl>
      <ProviderGates gates={provider.gates} />
      {(waiting > 0 || perMinute !== null) && (
        <p className="row small muted">
          {waiting > 0 && <Badge tone="warn">{t("providers.waiting", { n: waiting })}</Badge>}
          {perMinute !== null && t("providers.perMinute", { n: perMinute })}
        </p>
      )}
      {canWrite && <ProviderTest name={name} models={models} />}
    </section>
  );
}

function Health({ provider: { off, resting } }: { provider: Provider }) {
  if (off) return <Badge tone="bad">{t("providers.off")}</Badge>;
  if (resting.some(({ why }) => why === "broken")) return <Badge tone="bad">{t("providers.resting")}</Badge>;
  if (resting.length > 0) return <Badge tone="warn">{t("providers.full")}</Badge>;
  return <Badge tone="good">{t("providers.on")}</Badge>;
}

function Switcher({ provider: { name, off } }: { provider: Provider }) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const change = async (to: boolean) => {
    await read(client.PATCH("/admin/v1/providers/{name}", { params: { path: { name } }, body: { off: to } }));
    await cache.invalidateQueries({ queryKey: ["providers"] });
    toast(t(to ? "providers.switched.off" : "providers.switched.on", { name }), "good");
  };
  const switchOn = async () => {
    setBusy(true);
    await change(false).catch((error: unknown) => toast(asApiError(error).message, "bad"));
    setBusy(false);
  };
  return (
    <>
      {off ? (
        <Button size="s" variant="primary" busy={isBusy} onClick={() => void switchOn()}>
          {t("providers.switchOn")}
        </Button>
      ) : (
        <Button size="s" onClick={() => setAsking(true)}>
          {t("providers.switchOff")}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t("providers.switchOff.title", { name })}
          confirm={t("providers.switchOff")}
          onConfirm={() => change(true)}
          onClose={() => setAsking(false)}
        >
          <p>{t("providers.switchOff.text")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
