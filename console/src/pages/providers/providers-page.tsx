import { useQuery } from "@tanstack/react-query";
import { client, read, type Reply } from "../../api/client.ts";
import { formatNumber, t } from "../../i18n/translate.ts";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { Stat, Stats } from "../../ui/stat.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { ProviderCard } from "./provider-card.tsx";
import "./providers.css";
import type { Provider } from "./provider.ts";

export function ProvidersPage() {
  const list = useQuery({
    queryKey: ["providers"],
    queryFn: () => read(client.GET("/admin/v1/providers")),
    refetchInterval: 5000,
  });
  const models = useQuery({ queryKey: ["models", "admin"], queryFn: () => read(client.GET("/admin/v1/models")) });
  const providers = list.data?.data;
  return (
    <Page title={t("providers.title")} hint={t("providers.hint")}>
      {list.isError && providers === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : providers === undefined ? (
        <Skeleton width="100%" height="16rem" />
      ) : providers.length === 0 ? (
        <EmptyState title={t("providers.none")} icon="plug">
          {t("providers.none.hint")}
        </EmptyState>
      ) : (
        <>
          <Summary providers={providers} />
          <div className="providers-list">
            {inOrder(providers).map((provider) => (
              <ProviderCard key={provider.name} provider={provider} models={modelsOf(provider, models.data?.data ?? [])} />
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

function Summary({ providers }: { providers: readonly Provider[] }) {
  const count = (is: (provider: Provider) => boolean) => formatNumber(providers.filter(is).length);
  return (
    <Stats>
      <Stat label={t("providers.count")}>{formatNumber(providers.length)}</Stat>
      <Stat label={t("providers.count.resting")}>{count(({ resting }) => resting.length > 0)}</Stat>
      <Stat label={t("providers.count.off")}>{count(({ off }) => off)}</Stat>
      <Stat label={t("providers.count.waiting")}>{formatNumber(providers.reduce((sum, { waiting }) => sum + waiting, 0))}</Stat>
    </Stats>
  );
}

/** Those in trouble first; then the others as they stand in the file; what is built in last. */
function inOrder(providers: readonly Provider[]): Provider[] {
  const rank = ({ resting, off, base_url: address }: Provider) => {
    if (resting.some(({ why }) => why === "broken")) return 0;
    if (resting.length > 0 || off) return 1;
    return address === null ? 3 : 2;
  };
  return providers.toSorted((a, b) => rank(a) - rank(b));
}

/** The models that can be asked of a provider by name. */
function modelsOf({ name }: Provider, models: Reply<"/admin/v1/models">["data"]): string[] {
  return models
    .filter((model) => !model.name.includes("*") && model.routes.some(({ provider }) => provider === name))
    .map((model) => model.name);
}
