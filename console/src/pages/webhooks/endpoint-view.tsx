import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { EmptyState, ErrorState, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { AskSecret } from "./ask-secret.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { EndpointState } from "./endpoint-table.tsx";
import { onBehalf, useDeliveriesOf, useEndpoint, type Endpoint } from "./webhook-data.ts";

/** One webhook: what it is told, what became of it, and what can be done with it. */
export function EndpointView({ id }: { id: string }) {
  const { canWrite } = useSeat();
  const endpoint = useEndpoint(id);
  const deliveries = useDeliveriesOf(id);
  const { data } = endpoint;
  return (
    <Page
      title={t("webhooks.title")}
      hint={<Link href="/webhooks">{t("webhooks.back")}</Link>}
      actions={data && canWrite && <Actions endpoint={data} />}
    >
      {endpoint.isError ? (
        <ErrorState error={endpoint.error} onRetry={() => void endpoint.refetch()} />
      ) : data === undefined ? (
        <Skeleton width="100%" height="5rem" />
      ) : data === null ? (
        <EmptyState title={t("webhooks.gone")} icon="webhook" action={<LinkButton to="/webhooks">{t("webhooks.back")}</LinkButton>} />
      ) : (
        <>
          <section className="card stack stack--s">
            <div className="row">
              <code className="webhooks-url">{data.url}</code>
              <EndpointState disabled={data.disabled} />
            </div>
            <div className="row webhooks-badges">
              {data.events.map((event) => (
                <Badge key={event}>{event}</Badge>
              ))}
            </div>
            {data.disabled && <Notice tone="warn">{t("webhooks.disabled.hint")}</Notice>}
          </section>
          <section className="stack stack--s">
            <h2>{t("webhooks.deliveries")}</h2>
            <DeliveryTable list={deliveries} showsTarget={false} />
          </section>
        </>
      )}
    </Page>
  );
}

function Actions({ endpoint: { id, url, account } }: { endpoint: Endpoint }) {
  const { isStaff } = useSeat();
  const cache = useQueryClient();
  const [, go] = useLocation();
  const [doing, setDoing] = useState<"rotate" | "delete" | null>(null);
  const [isBusy, setBusy] = useState(false);
  const params = { path: { id } };
  const headers = onBehalf(account, isStaff);
  const test = async () => {
    setBusy(true);
    try {
      await read(client.POST("/v1/webhooks/{id}/test", { params, headers }));
      await cache.invalidateQueries({ queryKey: ["deliveries"] });
      toast(t("webhooks.test.done"), "good");
    } catch (error) {
      toast(asApiError(error).message, "bad");
    }
    setBusy(false);
  };
  const rotate = async () => {
    const { secret } = await read(client.POST("/v1/webhooks/{id}/rotate", { params, headers }));
    await cache.invalidateQueries({ queryKey: ["webhooks"] });
    return secret;
  };
  const remove = async () => {
    await read(client.DELETE("/v1/webhooks/{id}", { params, headers }));
    toast(t("webhooks.deleted"), "good");
    go("/webhooks");
    await cache.invalidateQueries({ queryKey: ["webhooks"] });
  };
  return (
    <>
      <Button onClick={() => setDoing("rotate")}>{t("webhooks.rotate")}</Button>
      <Button icon="trash" onClick={() => setDoing("delete")}>
        {t("ui.delete")}
      </Button>
      <Button variant="primary" icon="play" busy={isBusy} onClick={() => void test()}>
        {t("webhooks.test")}
      </Button>
      {doing === "rotate" && (
        <AskSecret
          title={t("webhooks.rotate.title")}
          text={t("webhooks.rotate.text")}
          confirm={t("webhooks.rotate")}
          ask={rotate}
          onClose={() => setDoing(null)}
        />
      )}
      {doing === "delete" && (
        <ConfirmDialog title={t("webhooks.delete.title")} confirm={t("ui.delete")} onConfirm={remove} onClose={() => setDoing(null)}>
          <p className="webhooks-url">{t("webhooks.delete.text", { url })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
