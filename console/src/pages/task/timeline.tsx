import type { Task } from "../../api/tasks.ts";
import { t } from "../../i18n/translate.ts";
import { formatDuration, Money, Time } from "../../ui/figures.tsx";
import { Resend } from "../tasks/attention-panel.tsx";
import type { Story } from "./task-story.ts";
import { stepsOf, type MoneyMove, type Step } from "./timeline-steps.ts";

/** What happened to a task, with its money beside. */
export function Timeline({ task, story }: { task: Task; story: Story | null }) {
  const steps = stepsOf(task, story);
  const from = steps[0]?.at ?? task.created_at;
  return (
    <ol className="task-timeline">
      {steps.map((step) => (
        <StepLine key={step.key} step={step} from={from} isExact={story !== null} />
      ))}
    </ol>
  );
}

function StepLine({ step, from, isExact }: { step: Step; from: number; isExact: boolean }) {
  return (
    <li className={`task-step task-step--${step.tone}`}>
      <span className="task-step__time">
        {step.at !== null && <Time at={step.at} look="clock" />}
        {step.at !== null && step.at > from && <span className="muted number">+{since(step.at - from, isExact)}</span>}
      </span>
      <div className="task-step__words">
        <h3>{step.title}</h3>
        {[...new Set(step.lines)].map((line) => (
          <p key={line} className="small muted task-step__line">
            {line}
          </p>
        ))}
        {step.delivery && step.delivery.state !== "pending" && (
          <div>
            <Resend delivery={step.delivery.id} />
          </div>
        )}
      </div>
      <Moves moves={step.money ?? []} />
    </li>
  );
}

/** Clients are told whole seconds only. */
function since(seconds: number, isExact: boolean): string {
  return formatDuration(isExact ? seconds : Math.round(seconds));
}

function Moves({ moves }: { moves: readonly MoneyMove[] }) {
  if (moves.length === 0) return null;
  return (
    <ul className="task-step__money">
      {moves.map(({ kind, at, amount_usd: usd }) => (
        <li key={`${kind} ${at}`}>
          <span className="small muted">{moneyName(kind)}</span> <Money usd={usd} />
        </li>
      ))}
    </ul>
  );
}

export function moneyName(kind: MoneyMove["kind"]): string {
  if (kind === "hold") return t("task.money.hold");
  return kind === "settle" ? t("task.money.settle") : t("task.money.release");
}
