import { useEffect, useRef, type KeyboardEvent } from "react";
import { asApiError } from "../../api/api-error.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { chatRequest, pastWith } from "./chat-request.ts";
import { Chips } from "./field-control.tsx";
import { setValue, useForm } from "./form-store.ts";
import { chosenModels, useModels } from "./model-choice.tsx";
import { QuoteView, useQuote, type Quoted } from "./quote.tsx";
import { requestOf } from "./request.ts";
import { ColumnOutput, ColumnFoot } from "./run-card.tsx";
import { removeRuns, type Run } from "./run-store.ts";
import { startRun, stopRun } from "./start-run.ts";
import { useFields } from "./use-description.ts";
import type { Way } from "./ways.ts";

/** A conversation with one or several models at once. */
export function ChatPanel({ way, runs }: { way: Way; runs: readonly Run[] }) {
  const end = useRef<HTMLDivElement>(null);
  const last = runs[0];
  const length = last?.columns.reduce((sum, { tokens }) => sum + tokens.length, 0) ?? 0;
  useEffect(() => {
    if (length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [length]);
  return (
    <div className="card chat">
      <h2 className="visually-hidden">{t("playground.results")}</h2>
      {runs.length === 0 && <EmptyState icon="chat" title={t("playground.chatEmpty")} />}
      <ol className="stack chat__log">
        {runs.toReversed().map((run) => (
          <Exchange key={run.id} run={run} />
        ))}
      </ol>
      <div ref={end} />
      <Composer way={way} runs={runs} />
    </div>
  );
}

function Exchange({ run }: { run: Run }) {
  return (
    <li className="stack stack--s">
      <p className="chat__said prewrap">{run.prompt}</p>
      <div className={run.columns.length > 1 ? "run__columns" : undefined} data-count={run.columns.length}>
        {run.columns.map((column, index) => (
          <div key={index} className="stack stack--s run__column">
            {run.columns.length > 1 && <h3 className="truncate">{column.model}</h3>}
            <ColumnOutput run={run} column={column} />
            <ColumnFoot column={column} />
          </div>
        ))}
      </div>
    </li>
  );
}

function Composer({ way, runs }: { way: Way; runs: readonly Run[] }) {
  const { values } = useForm(way);
  const draft = typeof values["draft"] === "string" ? values["draft"] : "";
  const live = runs.find((run) => run.columns.some(({ phase }) => phase === "sending" || phase === "running"));
  const { quoted, say } = useSaying(way, runs, draft, live !== undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    say?.();
  };
  return (
    <div className="stack stack--s chat__composer">
      {runs.length === 0 && (
        <Chips
          label={t("playground.examples")}
          options={[t("playground.example.chat1"), t("playground.example.chat2")]}
          value={draft}
          onChange={(example) => setValue(way, "draft", example)}
        />
      )}
      <Field label={t("playground.message")} hideLabel>
        <TextArea
          value={draft}
          onChange={(text) => setValue(way, "draft", text)}
          onKeyDown={onKeyDown}
          rows={2}
          placeholder={t("playground.messageHint")}
        />
      </Field>
      <div className="row">
        {live === undefined ? (
          <Button variant="primary" icon="sparkle" disabled={say === null} onClick={say ?? undefined}>
            {t("playground.go.chat")}
          </Button>
        ) : (
          <Button onClick={() => stop(live)}>{t("playground.stop")}</Button>
        )}
        {say !== null && <QuoteView quoted={quoted} isQuoted isUpTo />}
        <span className="grow" />
        {runs.length > 0 && (
          <Button size="s" variant="quiet" onClick={() => removeRuns((run) => runs.includes(run))}>
            {t("playground.newChat")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What sending the draft would cost, and how to send it; null when it cannot be sent now. */
function useSaying(way: Way, runs: readonly Run[], draft: string, isBusy: boolean): { quoted: Quoted; say: (() => void) | null } {
  const { account, canWrite } = useSeat();
  const { values, models: picked } = useForm(way);
  const models = useModels(way);
  const { fields } = useFields(way.path);
  const chosen = chosenModels(way, models, picked);
  const isReady = fields !== undefined && account !== null && canWrite && draft.trim() !== "" && !isBusy;
  const asked = isReady
    ? chosen.map((model) => ({
        model,
        request: chatRequest(requestOf(way, fields, values, model), values, pastWith(model, runs), draft),
      }))
    : [];
  const quoted = useQuote(
    asked.map(({ request }) => request),
    isReady,
  );
  if (!isReady) return { quoted, say: null };
  const say = () => {
    setValue(way, "draft", "");
    void startRun({ account: account.id, way, prompt: draft, asked });
  };
  return { quoted, say };
}

function stop(run: Run): void {
  stopRun(run).catch((error: unknown) => toast(asApiError(error).message, "bad"));
}
