import { useState } from "react";
import { useParams } from "wouter";
import { client, read } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { useAddress } from "../../ui/address.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { AllDeliveries } from "./all-deliveries.tsx";
import { AskSecret } from "./ask-secret.tsx";
import { CreateWebhook } from "./create-webhook.tsx";
import { EndpointTable } from "./endpoint-table.tsx";
import { EndpointView } from "./endpoint-view.tsx";
import { onBehalf } from "./webhook-data.ts";
import "./webhooks.css";

export function WebhooksPage() {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <Overview /> : <EndpointView key={id} id={id} />;
}

function Overview() {
  const { isStaff, canWrite, accounts, account: own } = useSeat();
  const [doing, setDoing] = useState<"create" | "secret" | null>(null);
  const { search, change } = useAddress();
  const account = search.get("account");
  const view = isStaff && search.get("view") === "deliveries" ? "deliveries" : "endpoints";
  const owner = accounts.find(({ id }) => id === account) ?? own;
  const actions = canWrite && owner && (
    <>
      <Button onClick={() => setDoing("secret")}>{t("webhooks.inlineSecret")}</Button>
      <Button variant="primary" icon="plus" onClick={() => setDoing("create")}>
        {t("webhooks.new")}
      </Button>
    </>
  );
  const newSecret = async (id: string) => (await read(client.POST("/v1/webhooks/secret", { headers: onBehalf(id, isStaff) }))).secret;
  return (
    <Page title={t("webhooks.title")} hint={t("webhooks.hint")} actions={actions}>
      {isStaff && (
        <div className="row row--between">
          <Tabs
            label={t("webhooks.view")}
            look="pill"
            tabs={[
              { value: "endpoints", label: t("webhooks.tab.endpoints") },
              { value: "deliveries", label: t("webhooks.tab.deliveries") },
            ]}
            value={view}
            onChange={(next) => change({ view: next === "deliveries" ? next : null, state: null })}
          />
          <Select
            className="webhooks-account"
            aria-label={t("webhooks.account")}
            value={account ?? ""}
            onChange={(value) => change({ account: value })}
            options={[{ value: "", label: t("webhooks.account.all") }, ...accounts.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        </div>
      )}
      {view === "deliveries" ? (
        <AllDeliveries account={account} />
      ) : (
        <EndpointTable account={account} onCreate={canWrite ? () => setDoing("create") : null} />
      )}
      {doing === "create" && owner && <CreateWebhook account={owner.id} onClose={() => setDoing(null)} />}
      {doing === "secret" && owner && (
        <AskSecret
          title={t("webhooks.inlineSecret.title", { name: owner.name })}
          text={t("webhooks.inlineSecret.text")}
          confirm={t("webhooks.inlineSecret.confirm")}
          ask={() => newSecret(owner.id)}
          onClose={() => setDoing(null)}
        />
      )}
    </Page>
  );
}
