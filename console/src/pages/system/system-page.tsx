import { useQuery } from "@tanstack/react-query";
import { client, read, type Reply } from "../../api/client.ts";
import { useSeat } from "../../app/session.tsx";
import { formatNumber, isKey, t } from "../../i18n/translate.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { formatBytes, formatDuration, Time } from "../../ui/figures.tsx";
import { useNow } from "../../ui/now.ts";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { Facts, Meter, Stat, Stats } from "../../ui/stat.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { NodeTable } from "./node-table.tsx";
import "./system.css";

type System = Reply<"/admin/v1/system">;

export function SystemPage() {
  const system = useQuery({
    queryKey: ["system"],
    queryFn: () => read(client.GET("/admin/v1/system")),
    refetchInterval: 5000,
  });
  const { data } = system;
  return (
    <Page title={t("system.title")} actions={<MetricsLink />}>
      {system.isError && data === undefined ? (
        <ErrorState error={system.error} onRetry={() => void system.refetch()} />
      ) : data === undefined ? (
        <Skeleton width="100%" height="20rem" />
      ) : (
        <>
          <Figures system={data} />
          <div className="system-cards">
            <Checks checks={data.checks} />
            <Dispatcher dispatcher={data.dispatcher} />
            <Storage system={data} />
          </div>
        </>
      )}
      <NodeTable />
    </Page>
  );
}

/** Where the session opens the metrics, a link; elsewhere they need the admin key. */
function MetricsLink() {
  const { session } = useSeat();
  if (!session.local) return <span className="muted small">{t("system.metrics.hint")}</span>;
  return (
    <a href="/metrics" target="_blank" rel="noreferrer" className="button button--plain button--m">
      <Icon name="external" />
      {t("system.metrics")}
    </a>
  );
}

function Figures({ system }: { system: System }) {
  const now = useNow();
  const { version, node, role, nodes, started_at: started, event_loop: loop, memory, disk } = system;
  return (
    <Stats>
      <Stat label={t("system.version")} hint={t("system.node", { version: node })}>
        {version}
      </Stat>
      <Stat label={t("system.role")} hint={t("system.role.hint", { n: nodes })}>
        {role}
      </Stat>
      <Stat
        label={t("system.uptime")}
        hint={
          <>
            {t("system.uptime.since")} <Time at={started} look="full" />
          </>
        }
      >
        {formatDuration(Math.max(0, Math.floor(now - started)))}
      </Stat>
      <Stat label={t("system.loop")} hint={t("system.loop.hint", { p50: formatMs(loop.p50_ms) })}>
        {formatMs(loop.p99_ms)}
      </Stat>
      <Stat label={t("system.memory")} hint={t("system.memory.hint", { heap: formatBytes(memory.heap) })}>
        {formatBytes(memory.rss)}
      </Stat>
      <Stat
        label={t("system.disk")}
        hint={
          <span className="stack stack--s">
            {t("system.disk.hint", { total: formatBytes(disk.total_bytes) })}
            <Meter value={disk.total_bytes - disk.free_bytes} most={disk.total_bytes} label={t("system.disk.use")} />
          </span>
        }
      >
        {formatBytes(disk.free_bytes)}
      </Stat>
    </Stats>
  );
}

function Checks({ checks }: { checks: System["checks"] }) {
  const all = Object.entries(checks);
  const isReady = all.every(([, says]) => says === "ok");
  return (
    <section className="card stack stack--s">
      <div className="row row--between">
        <h2>{t("system.checks")}</h2>
        <Badge tone={isReady ? "good" : "warn"}>
          {formatNumber(all.filter(([, says]) => says === "ok").length)} / {formatNumber(all.length)}
        </Badge>
      </div>
      <Facts
        facts={all.map(([name, says]) => {
          const key = `system.check.${name}`;
          return {
            name: isKey(key) ? t(key) : name,
            value: says === "ok" ? <Badge tone="good">{t("system.ok")}</Badge> : <span className="system-wrong">{says}</span>,
          };
        })}
      />
    </section>
  );
}

function Dispatcher({ dispatcher: { last_tick_at: tick, waiting, running, polling } }: { dispatcher: System["dispatcher"] }) {
  return (
    <section className="card stack stack--s">
      <h2>{t("system.dispatcher")}</h2>
      <Facts
        facts={[
          { name: t("system.dispatcher.tick"), value: tick === null ? t("system.dispatcher.none") : <Time at={tick} /> },
          { name: t("system.dispatcher.waiting"), value: formatNumber(waiting) },
          { name: t("system.dispatcher.running"), value: formatNumber(running) },
          { name: t("system.dispatcher.polling"), value: formatNumber(polling) },
        ]}
      />
    </section>
  );
}

function Storage({ system: { store, media } }: { system: System }) {
  return (
    <section className="card stack stack--s">
      <h2>{t("system.store")}</h2>
      <Facts
        facts={[
          {
            name: t("system.store.kind"),
            value: (
              <span className="row row--end">
                {store.kind} <Badge tone={store.ok ? "good" : "bad"}>{store.ok ? t("system.ok") : t("system.notReady")}</Badge>
              </span>
            ),
          },
          { name: t("system.store.size"), value: formatBytes(store.bytes) },
          { name: t("system.media.kind"), value: media.kind },
          { name: t("system.media.free"), value: media.free_bytes === null ? t("system.media.any") : formatBytes(media.free_bytes) },
        ]}
      />
    </section>
  );
}

function formatMs(ms: number): string {
  return `${formatNumber(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`;
}
