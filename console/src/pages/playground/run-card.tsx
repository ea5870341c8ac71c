import { useEffect, useState } from "react";
import { Link } from "wouter";
import { asApiError } from "../../api/api-error.ts";
import { isFinal } from "../../api/tasks.ts";
import { t } from "../../i18n/translate.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { formatDuration, Money, Time } from "../../ui/figures.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Notice } from "../../ui/states.tsx";
import { TaskOutput } from "../../ui/task-output.tsx";
import { toast } from "../../ui/toast.tsx";
import { useFollowUps } from "./follow-ups.tsx";
import { Refusal } from "./playground-form.tsx";
import type { Column, Run } from "./run-store.ts";
import { Similarity } from "./similarity.tsx";
import { stopRun } from "./start-run.ts";
import { TokenText } from "./token-text.tsx";

/** One run: what was asked, and what each model made of it, side by side. */
export function RunCard({ run }: { run: Run }) {
  const isLive = run.columns.some(({ phase }) => phase === "sending" || phase === "running");
  const stop = () => {
    stopRun(run).catch((error: unknown) => toast(asApiError(error).message, "bad"));
  };
  return (
    <article className="card run" aria-label={run.prompt || t(`playground.medium.${run.way.medium}`)}>
      <header className="run__head">
        <h2 className="run__prompt" title={run.prompt}>
          {run.prompt}
        </h2>
        <span className="muted small">
          <Time at={run.at / 1000} />
        </span>
        {isLive && (
          <Button size="s" onClick={stop}>
            {t("playground.stop")}
          </Button>
        )}
      </header>
      <div className={run.columns.length > 1 ? "run__columns" : undefined} data-count={run.columns.length}>
        {run.columns.map((column, index) => (
          <ColumnView key={index} run={run} column={column} isNamed={run.columns.length > 1} />
        ))}
      </div>
    </article>
  );
}

function ColumnView({ run, column, isNamed }: { run: Run; column: Column; isNamed: boolean }) {
  return (
    <div className="stack stack--s run__column">
      {isNamed && <h3 className="truncate">{column.model}</h3>}
      <ColumnOutput run={run} column={column} />
      <ColumnFoot column={column} />
    </div>
  );
}

export function ColumnOutput({ run, column }: { run: Run; column: Column }) {
  const { phase, task, error, tokens, vectors } = column;
  const actions = useFollowUps(run, column);
  if (error !== null) return <Refusal error={error} />;
  if (phase === "stopped")
    return tokens.length > 0 ? <TokenText tokens={tokens} isLive={false} /> : <p className="muted">{t("playground.stopped")}</p>;
  if (run.way.gives === "vectors")
    return phase === "done" ? <Similarity texts={inputsOf(column)} vectors={vectors} /> : <Waiting column={column} />;
  if (run.way.gives !== "task")
    return tokens.length > 0 || phase === "done" ? <TokenText tokens={tokens} isLive={phase === "running"} /> : <Waiting column={column} />;
  if (task === null || !isFinal(task.status)) return <Waiting column={column} />;
  if (task.error !== null) return <Notice tone="bad">{task.error.message}</Notice>;
  return (
    <>
      <TaskOutput task={task} actions={actions} />
      {task.note && <Notice>{task.note}</Notice>}
    </>
  );
}

function Waiting({ column }: { column: Column }) {
  const { task } = column;
  const seconds = useElapsed(column.startedAt);
  const value = task === null || task.progress === 0 ? null : task.progress;
  return (
    <div className="stack stack--s run__waiting">
      <Progress value={value} label={t("playground.progress")} />
      <div className="row row--between small muted">
        {task === null ? (
          <span>{t(column.phase === "sending" ? "playground.sending" : "ui.status.running")}</span>
        ) : (
          <StatusBadge status={task.status} />
        )}
        <span className="number">
          {value !== null && `${value} % · `}
          {formatDuration(seconds)}
        </span>
      </div>
    </div>
  );
}

export function ColumnFoot({ column }: { column: Column }) {
  const { task, taskId, use, startedAt, endedAt } = column;
  const cost = task !== null && isFinal(task.status) ? task.cost_usd : (use.costUsd ?? null);
  const facts = use.output === undefined ? null : t("playground.tokens", { input: use.input ?? 0, output: use.output });
  return (
    <div className="row small muted run__foot">
      {endedAt !== null && <span className="number">{formatDuration((endedAt - startedAt) / 1000)}</span>}
      {cost !== null && <Money usd={cost} />}
      {facts && <span className="number">{facts}</span>}
      {taskId !== null && <Link href={`/tasks/${taskId}`}>{t("playground.openTask")}</Link>}
    </div>
  );
}

function inputsOf({ request }: Column): readonly string[] {
  const { input } = request.body;
  return Array.isArray(input) ? input.map(String) : [String(input)];
}

function useElapsed(since: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - since) / 1000)) || 0.001;
}
