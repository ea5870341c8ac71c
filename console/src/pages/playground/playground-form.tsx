import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { ApiError } from "../../api/api-error.ts";
import { useSeat } from "../../app/session.tsx";
import { t } from "../../i18n/translate.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/progress.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { chatRequest } from "./chat-request.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { FieldControl } from "./field-control.tsx";
import { useForm } from "./form-store.ts";
import { chosenModels, isServed, ModelChoice, useModels } from "./model-choice.tsx";
import { QuoteView, useQuote } from "./quote.tsx";
import { problemsIn, requestOf, shownFields, type Problem, type Request, type Values } from "./request.ts";
import type { Column } from "./run-store.ts";
import type { FormField } from "./schema-fields.ts";
import { useFields } from "./use-description.ts";
import type { Way } from "./ways.ts";

export type Asked = readonly { model: string; request: Request }[];
type FormProps = {
  way: Way;
  refused: Column | undefined;
  busy: boolean;
  onGo: (asked: Asked, values: Values) => void;
  children?: ReactNode;
};

/** The form of one way: main fields, model, further fields, price and the button. */
export function PlaygroundForm(props: FormProps) {
  const { fields, error, retry } = useFields(props.way.path);
  if (error !== null) return <ErrorState error={error} onRetry={retry} />;
  if (fields !== undefined) return <FilledForm {...props} fields={fields} />;
  return (
    <div className="card stack" aria-busy="true">
      <Skeleton width="100%" height="7rem" />
      <Skeleton width="60%" height="2rem" />
      <Skeleton width="40%" height="2.5rem" />
    </div>
  );
}

function FilledForm({ way, fields, refused, busy, onGo, children }: FormProps & { fields: readonly FormField[] }) {
  const { canWrite } = useSeat();
  const { values, models: picked } = useForm(way);
  const models = useModels(way);
  const chosen = chosenModels(way, models, picked);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const asked = useMemo(
    () => chosen.map((model) => ({ model, request: requestOf(way, fields, values, model) })),
    [chosen, way, fields, values],
  );
  // What was refused is no longer said once the form has changed.
  const error = refused !== undefined && isSame(refused.request, asked[0]?.request) ? refused.error : null;
  const problems = useMemo(() => problemsIn(way, fields, values), [way, fields, values]);
  const isReady = Object.keys(problems).length === 0;
  const go = () => {
    setTried(true);
    if (isReady && !busy && canWrite) onGo(asked, values);
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  };
  useGoKey(form, go);
  const saysOf = (name: string) => refusalAt(error, name) ?? (isTried ? problemText(problems[name]) : null);
  const shown = shownFields(way, fields);
  const rest = shown.filter(({ name }) => !way.primary.includes(name));
  return (
    <form
      ref={form}
      className="card stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      {children}
      <Fields
        way={way}
        fields={way.primary.flatMap((name) => shown.find((each) => each.name === name) ?? [])}
        values={values}
        saysOf={saysOf}
      />
      {way.kind !== null && <ModelChoice way={way} models={models} chosen={chosen} error={refusalAt(error, way.modelField ?? "model")} />}
      <MoreFields way={way} fields={rest} values={values} saysOf={saysOf} />
      {error !== null && !isPlaced(error, way, shown) && <Refusal error={error} />}
      {way.gives !== "chat" && <GoRow way={way} asked={isReady && isServed(way, models) ? asked : []} busy={busy} />}
      <CodeRow way={way} request={asked[0]?.request} values={values} />
    </form>
  );
}

/** The one button, and what pressing it costs. */
function GoRow({ way, asked, busy }: { way: Way; asked: Asked; busy: boolean }) {
  const { canWrite } = useSeat();
  const requests = asked.map(({ request }) => request);
  const quoted = useQuote(requests, canWrite && way.isQuoted && requests.length > 0);
  return (
    <div className="play-form__foot">
      <Button variant="primary" size="l" type="submit" icon="sparkle" busy={busy} disabled={!canWrite} className="play-form__go">
        {t(`playground.go.${way.medium}`)}
      </Button>
      {!canWrite && <span className="muted small">{t("playground.onlyLooking")}</span>}
      {canWrite && requests.length > 0 && <QuoteView quoted={quoted} isQuoted={way.isQuoted} isUpTo={way.gives !== "task"} />}
    </div>
  );
}

function CodeRow({ way, request, values }: { way: Way; request: Request | undefined; values: Values }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="row row--between">
      <Button size="s" variant="quiet" icon="code" onClick={() => setOpen(true)}>
        {t("playground.code")}
      </Button>
      {way.gives !== "chat" && <span className="muted small play-form__keys">{t("playground.keys")}</span>}
      {isOpen && request && (
        <CodeDialog
          way={way}
          request={way.gives === "chat" ? chatRequest(request, values, [], "") : request}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

type FieldsProps = { way: Way; fields: readonly FormField[]; values: Values; saysOf: (name: string) => string | null };

function Fields({ way, fields, values, saysOf }: FieldsProps) {
  if (fields.length === 0) return null;
  return (
    <div className="play-fields">
      {fields.map((field) => (
        <div key={field.name} className={isWide(way, field) ? "wide" : undefined}>
          <FieldControl way={way} field={field} value={values[field.name]} error={saysOf(field.name)} />
        </div>
      ))}
    </div>
  );
}

/** Fields that need the whole width; the others stand in pairs. */
function isWide(way: Way, { name, shape }: FormField): boolean {
  const isShort =
    shape.is === "number" ||
    shape.is === "choice" ||
    ["aspect_ratio", "size", "voice", "language", "quality", "style", "background"].includes(name);
  return !isShort || way.files?.[name] !== undefined;
}

function MoreFields({ way, fields, values, saysOf }: FieldsProps) {
  if (fields.length === 0) return null;
  const isChanged = fields.some(({ name }) => saysOf(name) !== null || (values[name] ?? "") !== (way.prefill?.[name] ?? ""));
  return (
    <details className="more" open={isChanged || undefined}>
      <summary>{t("playground.moreOptions")}</summary>
      <div className="more__body">
        <Fields way={way} fields={fields} values={values} saysOf={saysOf} />
      </div>
    </details>
  );
}

/** What the service refused, with a hint where one helps. */
export function Refusal({ error }: { error: ApiError }) {
  const { isStaff } = useSeat();
  return (
    <Notice tone="bad">
      {error.status === 0 ? t("ui.unreachable") : error.message}
      {error.status === 402 && <div>{isStaff ? t("playground.addCredit") : t("playground.askCredit")}</div>}
    </Notice>
  );
}

/** Ctrl or Cmd with Enter goes, wherever the focus is in the form. */
function useGoKey(form: RefObject<HTMLFormElement | null>, go: () => void): void {
  useEffect(() => {
    const element = form.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      go();
    };
    element?.addEventListener("keydown", onKey);
    return () => element?.removeEventListener("keydown", onKey);
  }, [form, go]);
}

function isSame(sent: Request, now: Request | undefined): boolean {
  return JSON.stringify(sent) === JSON.stringify(now);
}

/** Whether what was refused is said beside its field. */
function isPlaced(error: ApiError, way: Way, shown: readonly FormField[]): boolean {
  return isAt(error, way.modelField ?? "model") || shown.some(({ name }) => isAt(error, name));
}

function isAt(error: ApiError, name: string): boolean {
  return error.param !== null && error.param.split(/[.[]/)[0] === name;
}

function refusalAt(error: ApiError | null, name: string): string | null {
  return error !== null && isAt(error, name) ? error.message : null;
}

function problemText(problem: Problem | undefined): string | null {
  return problem === undefined ? null : t(`playground.problem.${problem}`);
}
