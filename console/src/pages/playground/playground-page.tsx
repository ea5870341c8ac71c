import "./playground.css";
import "./results.css";
import { useEffect, useRef } from "react";
import { Link, useLocation, useParams } from "wouter";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { Time } from "../../ui/figures.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ChatPanel } from "./chat-panel.tsx";
import { setValue, useForm } from "./form-store.ts";
import { useFormFromAddress } from "./from-task.ts";
import { PlaygroundForm, type Asked } from "./playground-form.tsx";
import type { Values } from "./request.ts";
import { RunCard } from "./run-card.tsx";
import { useRuns, type Run } from "./run-store.ts";
import { startRun } from "./start-run.ts";
import { media, mediumIcons, wayAt, wayLink, waysOf, type Way } from "./ways.ts";

export function PlaygroundPage() {
  const { medium, way: id } = useParams<{ medium?: string; way?: string }>();
  const { account, isStaff } = useSeat();
  const way = wayAt(medium, id);
  useFormFromAddress();
  if (account === null) {
    return (
      <Page title={t("playground.title")}>
        <EmptyState
          title={t("playground.noAccount")}
          icon="key"
          action={isStaff && <LinkButton to="/accounts">{t("accounts.title")}</LinkButton>}
        />
      </Page>
    );
  }
  return (
    <Page title={t("playground.title")} hint={t("playground.lead")}>
      <MediaNav way={way} />
      <Bench key={way.medium} way={way} account={account.id} />
    </Page>
  );
}

function MediaNav({ way }: { way: Way }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the row is longer than the window: the chosen one is brought into view.
    const row = nav.current;
    const chosen = row?.querySelector<HTMLElement>(`[data-medium="${way.medium}"]`);
    if (row && chosen) row.scrollLeft = chosen.offsetLeft - row.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
  }, [way.medium]);
  return (
    <nav className="media-nav" aria-label={t("playground.media")} ref={nav}>
      {media.map((medium) => (
        <Link
          key={medium}
          href={wayLink(wayAt(medium, undefined))}
          className="media-nav__link"
          data-medium={medium}
          aria-current={medium === way.medium ? "page" : undefined}
        >
          <Icon name={mediumIcons[medium]} />
          {t(`playground.medium.${medium}`)}
        </Link>
      ))}
    </nav>
  );
}

/** The form on one side, what came of it on the other. */
function Bench({ way, account }: { way: Way; account: string }) {
  const runs = useRuns(account);
  const results = useRef<HTMLElement>(null);
  const here = runs.filter((run) => run.way.medium === way.medium);
  const last = here.find((run) => run.way === way);
  const refused = last !== undefined && isRefused(last) ? last.columns[0] : undefined;
  const isSending = last?.columns.some(({ phase }) => phase === "sending") ?? false;
  const go = (asked: Asked, values: Values) => {
    void startRun({ account, way, prompt: promptOf(way, values), asked });
    // Where the results are below the form, they come into view.
    if (matchMedia("(max-width: 66rem)").matches)
      requestAnimationFrame(() => results.current?.scrollIntoView({ block: "start", behavior: "smooth" }));
  };
  return (
    <div className={way.gives === "chat" ? "bench bench--chat" : "bench"}>
      <section className="stack" aria-label={t("playground.request")}>
        <WayTabs way={way} />
        <PlaygroundForm key={way.id} way={way} refused={refused} busy={isSending} onGo={go}>
          {way.gives === "chat" && <SystemPrompt way={way} />}
        </PlaygroundForm>
      </section>
      <section className="stack bench__results" aria-label={t("playground.results")} ref={results}>
        {way.gives === "chat" ? <ChatPanel way={way} runs={here} /> : <Results way={way} runs={here.filter((run) => !isRefused(run))} />}
        <Elsewhere runs={runs.filter((run) => run.way.medium !== way.medium)} />
      </section>
    </div>
  );
}

/** Whether a request never got as far as a result: the form says why. */
function isRefused({ way, columns }: Run): boolean {
  const [only, more] = columns;
  return way.gives === "task" && only !== undefined && more === undefined && only.taskId === null && only.error !== null;
}

function WayTabs({ way }: { way: Way }) {
  const [, go] = useLocation();
  const all = waysOf(way.medium);
  if (all.length < 2) return null;
  const tabs = all.map(({ id }) => ({ value: id, label: t(wayTitle(id)) }));
  return <Tabs label={t("playground.way")} look="pill" tabs={tabs} value={way.id} onChange={(id) => go(wayLink(wayAt(way.medium, id)))} />;
}

const titles = {
  inspiration: "playground.way.inspiration",
  custom: "playground.way.custom",
  continuation: "playground.way.continuation",
  generate: "playground.way.generate",
  grid: "playground.way.grid",
  edit: "playground.way.edit",
  variation: "playground.way.variation",
} as const;

function wayTitle(id: string): (typeof titles)[keyof typeof titles] {
  return Object.entries(titles).find(([name]) => name === id)?.[1] ?? titles.generate;
}

function SystemPrompt({ way }: { way: Way }) {
  const { values } = useForm(way);
  const system = typeof values["system"] === "string" ? values["system"] : "";
  return (
    <Field label={t("playground.system")} hint={t("playground.systemHint")}>
      <TextArea value={system} onChange={(text) => setValue(way, "system", text)} rows={2} />
    </Field>
  );
}

/** What is answered at once leaves nothing behind. */
const unkept: ReadonlySet<string> = new Set(["completion", "embeddings"]);

function Results({ way, runs }: { way: Way; runs: readonly Run[] }) {
  if (runs.length > 0) return runs.map((run) => <RunCard key={run.id} run={run} />);
  return (
    <EmptyState icon={mediumIcons[way.medium]} title={t(`playground.empty.${way.medium}`)}>
      {!unkept.has(way.medium) && t("playground.emptyHint")}
    </EmptyState>
  );
}

/** What this session made in other media, in a line each. */
function Elsewhere({ runs }: { runs: readonly Run[] }) {
  if (runs.length === 0) return null;
  return (
    <div className="stack stack--s">
      <h2 className="small muted">{t("playground.elsewhere")}</h2>
      <ul className="card card--flush history">
        {runs.slice(0, 20).map((run) => (
          <li key={run.id} className="history__row">
            <Icon name={mediumIcons[run.way.medium]} />
            <Link href={run.columns[0]?.taskId ? `/tasks/${run.columns[0].taskId}` : wayLink(run.way)} className="grow truncate">
              {run.prompt}
            </Link>
            <span className="muted small">
              <Time at={run.at / 1000} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a run is called in the list: what was asked for. */
function promptOf(way: Way, values: Values): string {
  const fields = ["gpt_description_prompt", "prompt", "input", "title", "tags", "file", "image"];
  const value = fields.map((name) => (way.omit.includes(name) ? undefined : values[name])).find(Boolean);
  if (value instanceof File) return value.name;
  return typeof value === "string" ? value : t(`playground.medium.${way.medium}`);
}
