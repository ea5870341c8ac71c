import type { ReactNode } from "react";
import { Link } from "wouter";
import { isFinal, type Task } from "../../api/tasks.ts";
import { t } from "../../i18n/translate.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatBytes, formatDuration, Money, Time } from "../../ui/figures.tsx";
import { Facts } from "../../ui/stat.tsx";
import { moneyName } from "./timeline.tsx";
import type { Story } from "./task-story.ts";
import { kindName, relationName, secondsTaken } from "./task-words.ts";

type Fact = { name: ReactNode; value: ReactNode };

/** Names and values of a task; staff see whose it is too. */
export function TaskFacts({ task, story }: { task: Task; story: Story | null }) {
  const took = secondsTaken(task);
  const bytes = task.assets.reduce((sum, asset) => sum + asset.bytes, 0);
  const until = task.assets[0]?.expires_at;
  const facts: Fact[] = [
    { name: t("task.kind"), value: kindName(task.kind) },
    { name: t("task.model"), value: task.model },
    ...(story === null ? [] : ownerFacts(story)),
    { name: t("task.created"), value: <Time at={task.created_at} look="full" /> },
    ...(took === null ? [] : [{ name: t("task.took"), value: took < 1 ? "< 1 s" : formatDuration(took) }]),
    ...(task.parent === null
      ? []
      : [{ name: relationName(task.parent.relation), value: <Link href={`/tasks/${task.parent.task}`}>{t("task.parent")}</Link> }]),
    ...(bytes === 0 ? [] : [{ name: t("task.size"), value: formatBytes(bytes) }]),
    ...(until === undefined ? [] : [{ name: t("task.keptUntil"), value: <Time at={until} /> }]),
    { name: t("task.id"), value: <Id id={task.id} /> },
  ];
  return <Facts facts={facts} />;
}

function ownerFacts(story: Story): Fact[] {
  return [
    { name: t("task.account"), value: <Link href={`/accounts/${story.account}`}>{story.account_name || story.account}</Link> },
    ...(story.key === null ? [] : [{ name: t("task.key"), value: <span className="mono">{story.key}</span> }]),
  ];
}

function Id({ id }: { id: string }) {
  return (
    <span className="row task-id">
      <span className="mono">{id}</span>
      <CopyButton text={id} label={t("task.copyId")} />
    </span>
  );
}

/** What a task holds, costs and has given back. */
export function TaskMoney({ task, story }: { task: Task; story: Story | null }) {
  const moves = story?.money ?? [];
  return (
    <section className="card stack stack--s" aria-labelledby="task-money">
      <h2 id="task-money">{t("task.money")}</h2>
      <Facts
        facts={[
          ...moves.map(({ kind, amount_usd: usd }) => ({ name: moneyName(kind), value: <Money usd={usd} /> })),
          { name: t("task.cost"), value: isFinal(task.status) ? <Money usd={task.cost_usd} /> : "–" },
        ]}
      />
    </section>
  );
}
