import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { client, read, type Reply } from "../../api/client.ts";
import { formatNumber, isKey, t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextInput } from "../../ui/field.tsx";
import { formatUsd, Time } from "../../ui/figures.tsx";
import { EmptyState, ErrorState, Notice } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";

type Model = Reply<"/admin/v1/models">["data"][number];

/** The models in force: kinds, routes in the order they are tried, prices, and where each stands in the file. */
export function LoadedModels() {
  const [text, setText] = useState("");
  const models = useQuery({ queryKey: ["models", "admin"], queryFn: () => read(client.GET("/admin/v1/models")) });
  const wanted = text.trim().toLowerCase();
  const rows = models.data?.data.filter(
    ({ name, kinds, routes }) =>
      name.toLowerCase().includes(wanted) ||
      kinds.some((kind) => kind.includes(wanted)) ||
      routes.some(({ provider }) => provider.toLowerCase().includes(wanted)),
  );
  return (
    <div className="stack">
      <LoadedFile />
      <TextInput
        type="search"
        className="models-search"
        value={text}
        onChange={setText}
        aria-label={t("models.search")}
        placeholder={t("models.search")}
      />
      {models.isError && rows === undefined ? (
        <ErrorState error={models.error} onRetry={() => void models.refetch()} />
      ) : (
        <Table
          caption={t("models.title")}
          columns={columns()}
          rows={rows}
          rowKey={({ name, place, kinds }) => `${name} ${place?.line ?? kinds.join(" ")}`}
          empty={<EmptyState title={wanted === "" ? t("models.none") : t("models.none.found", { text })} icon="models" />}
        />
      )}
    </div>
  );
}

function LoadedFile() {
  const { data } = useQuery({ queryKey: ["config"], queryFn: () => read(client.GET("/admin/v1/config")), refetchInterval: 15_000 });
  if (data === undefined) return null;
  const { file, loaded_at: at, refused, models, providers } = data;
  return (
    <>
      <p className="muted models-file">
        {file === null ? t("models.file.none") : t("models.file", { file })}
        {file !== null && (
          <>
            {" · "}
            <Time at={at} />
            {" · "}
            {t("models.counts", { models, providers })}
          </>
        )}
      </p>
      {refused !== null && (
        <Notice tone="bad">
          {t("models.refused")} <Time at={refused.at} />
          <p className="prewrap mono models-refused">{refused.says}</p>
        </Notice>
      )}
    </>
  );
}

function columns(): Column<Model>[] {
  return [
    {
      key: "name",
      head: t("models.name"),
      cell: ({ name, max_output_tokens: most }) => (
        <div className="models-name">
          <code>{name}</code>
          {most !== null && <span className="muted models-sub">{t("models.maxOutput", { n: most })}</span>}
        </div>
      ),
    },
    {
      key: "kinds",
      head: t("models.kinds"),
      hide: "narrow",
      cell: ({ kinds }) => (
        <div className="row models-kinds">
          {kinds.map((kind) => (
            <Badge key={kind}>{kind}</Badge>
          ))}
        </div>
      ),
    },
    { key: "routes", head: t("models.routes"), cell: ({ routes }) => <Routes routes={routes} /> },
    { key: "price", head: t("models.price"), align: "end", cell: ({ price }) => <Price price={price} /> },
    {
      key: "place",
      head: t("models.place"),
      align: "end",
      hide: "narrow",
      cell: ({ place }) =>
        place === null ? (
          <span className="muted">–</span>
        ) : (
          <code title={`${place.file}:${place.line}`}>
            {place.file.split("/").at(-1)}:{place.line}
          </code>
        ),
    },
  ];
}

/** Routes of one priority share the calls by weight; the next priority is for when they fail. */
function Routes({ routes }: { routes: Model["routes"] }) {
  const priorities = [...new Set(routes.map(({ priority }) => priority))].sort((a, b) => a - b);
  return (
    <ol className="models-routes">
      {priorities.map((priority, order) => {
        const together = routes.filter((route) => route.priority === priority);
        const sum = together.reduce((all, { weight }) => all + weight, 0);
        return (
          <li key={priority}>
            {together.map(({ provider, model, weight }, index) => (
              <div key={`${provider} ${model ?? ""} ${index}`}>
                {order > 0 && index === 0 && <span className="muted">{t("models.route.then")} </span>}
                <Link href="/providers">{provider}</Link>
                {model !== null && (
                  <>
                    <span className="muted"> → </span>
                    <code>{model}</code>
                  </>
                )}
                {together.length > 1 && sum > 0 && (
                  <span className="muted"> {t("models.route.weight", { share: formatNumber(weight / sum, { style: "percent" }) })}</span>
                )}
              </div>
            ))}
          </li>
        );
      })}
    </ol>
  );
}

function Price({ price }: { price: Model["price"] }) {
  const units = Object.entries(price);
  if (units.length === 0) return <span className="muted">{t("models.price.free")}</span>;
  return (
    <>
      {units.map(([unit, usd]) => {
        const key = `models.unit.${unit}`;
        return (
          <div key={unit} className="models-price">
            {formatUsd(usd)} <span className="muted">{isKey(key) ? t(key) : unit}</span>
          </div>
        );
      })}
    </>
  );
}
