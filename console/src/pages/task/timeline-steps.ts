import { isFinal, type Task } from "../../api/tasks.ts";
import { t } from "../../i18n/translate.ts";
import type { Tone } from "../../ui/badge.tsx";
import { formatBytes, formatDuration } from "../../ui/figures.tsx";
import type { Story } from "./task-story.ts";

export type MoneyMove = Story["money"][number];
export type Delivery = Story["deliveries"][number];
type Attempt = Story["attempts"][number];

/** One thing that happened to a task. */
export type Step = {
  key: string;
  at: number | null;
  tone: Tone;
  title: string;
  /** Remarks below the title. */
  lines: readonly string[];
  money?: readonly MoneyMove[];
  delivery?: Delivery;
};

/** What happened to a task in order: all of it for staff, for clients what their record tells. */
export function stepsOf(task: Task, story: Story | null): Step[] {
  if (story === null) return [accepted(task, []), ...started(task), ...ended(task)];
  const held = story.money.filter(({ kind }) => kind === "hold");
  const closed = story.money.filter(({ kind }) => kind !== "hold");
  const tries = story.attempts.flatMap((attempt, index) => attemptSteps(attempt, index === story.attempts.length - 1, task.status));
  return [
    accepted(task, held),
    ...queued(story),
    ...(tries.length > 0 ? tries : started(task)),
    ...ended(task),
    ...settled(closed),
    ...story.deliveries.map(told),
  ];
}

function accepted(task: Task, money: readonly MoneyMove[]): Step {
  return { key: "accepted", at: money[0]?.at ?? task.created_at, tone: "good", title: t("task.accepted"), lines: [], money };
}

function queued({ queue_wait_s: wait, status, created_at: at }: Story): Step[] {
  if (wait === null) {
    return isFinal(status) ? [] : [{ key: "queued", at, tone: "accent", title: t("task.queued"), lines: [t("task.queuedNow")] }];
  }
  return [{ key: "queued", at: null, tone: "good", title: t("task.queued"), lines: [t("task.queuedFor", { time: formatDuration(wait) })] }];
}

function started({ started_at: at, created_at: from }: Task): Step[] {
  if (at === null) return [];
  const lines = at > from ? [t("task.queuedFor", { time: formatDuration(at - from) })] : [];
  return [{ key: "started", at, tone: "good", title: t("task.started"), lines }];
}

function attemptSteps(attempt: Attempt, isLast: boolean, status: string): Step[] {
  const { n, provider, model, credential, created_at: from, accepted_at: took, upstream_id: upstream } = attempt;
  const outcome = outcomeOf(attempt, isLast, status);
  const lines = [
    ...[[model, credential && t("task.attemptKey", { key: credential })].filter(Boolean).join(" · ")].filter(Boolean),
    ...(took === null ? [] : [acceptedLine(took - from, upstream)]),
    ...(outcome.isEarly ? [outcome.says] : []),
    ...(attempt.failure === null ? [] : [t("task.failureClass", { name: attempt.failure })]),
    ...(attempt.cause === null || attempt.cause === "cancelled" ? [] : [attempt.cause]),
  ];
  const step: Step = { key: `attempt ${n}`, at: from, tone: outcome.tone, title: t("task.attempt", { n, provider }), lines };
  return took === null ? [step] : [step, polled(attempt, took, outcome)];
}

function acceptedLine(seconds: number, upstream: string | null): string {
  const time = formatDuration(Math.max(seconds, 0));
  return upstream === null ? t("task.sentIn", { time }) : t("task.sentInAs", { time, id: upstream });
}

/** All the asking between an upstream's yes and its end is one line. */
function polled({ n, ended_at: end }: Attempt, took: number, { tone, says }: Outcome): Step {
  const time = end === null ? null : formatDuration(Math.max(end - took, 0));
  const title = time === null ? t("task.polling") : t("task.polled", { time });
  return { key: `polls ${n}`, at: took, tone, title, lines: [says] };
}

type Outcome = { tone: Tone; says: string; isEarly: boolean };

function outcomeOf({ state, failure, cause, accepted_at: took }: Attempt, isLast: boolean, status: string): Outcome {
  const isEarly = took === null;
  if (state === "REJECTED") return { tone: "bad", says: t("task.state.rejected"), isEarly };
  if (state === "UNKNOWN") return { tone: "warn", says: t("task.state.unknown"), isEarly };
  if (state === "ENDED" && cause === "cancelled") return { tone: "neutral", says: t("task.state.cancelled"), isEarly };
  if (state === "ENDED") {
    const isGood = isLast ? status === "SUCCESS" : failure === null && cause === null;
    return { tone: isGood ? "good" : "bad", says: isGood ? t("task.state.ended") : t("task.state.endedBadly"), isEarly };
  }
  if (isFinal(status)) return { tone: status === "SUCCESS" && isLast ? "good" : "neutral", says: t("task.state.left"), isEarly };
  return { tone: "accent", says: state === "ACCEPTED" ? t("task.state.running") : t("task.state.sending"), isEarly };
}

function ended({ status, finished_at: at, assets, error }: Task): Step[] {
  if (status === "FAILURE") {
    return [{ key: "failed", at, tone: "bad", title: t("task.failed"), lines: error === null ? [] : [`${error.code}: ${error.message}`] }];
  }
  if (status !== "SUCCESS") return [];
  const bytes = assets.reduce((sum, asset) => sum + asset.bytes, 0);
  const lines = assets.length === 0 ? [] : [t("task.collectedFiles", { n: assets.length, size: formatBytes(bytes) })];
  return [{ key: "collected", at, tone: "good", title: assets.length === 0 ? t("task.done") : t("task.collected"), lines }];
}

function settled(money: readonly MoneyMove[]): Step[] {
  const last = money.at(-1);
  return last === undefined ? [] : [{ key: "settled", at: last.at, tone: "good", title: t("task.settled"), lines: [], money }];
}

const deliveryTones: Record<string, Tone> = { delivered: "good", failed: "bad", pending: "accent", dropped: "neutral" };

function told(delivery: Delivery): Step {
  const { id, url, type, state, attempts, last_status: code, last_error: error, delivered_at: done, created_at: from } = delivery;
  const lines = [
    url,
    t("task.tries", { n: attempts }),
    ...(code === null ? [] : [t("task.answered", { code: String(code) })]),
    ...(error === null || error === `answered ${code}` ? [] : [error]),
  ];
  const title = t("task.webhook", { type, state: deliveryState(state) });
  return { key: id, at: done ?? from, tone: deliveryTones[state] ?? "neutral", title, lines, delivery };
}

function deliveryState(state: string): string {
  switch (state) {
    case "delivered":
      return t("task.delivery.delivered");
    case "failed":
      return t("task.delivery.failed");
    case "pending":
      return t("task.delivery.pending");
    case "dropped":
      return t("task.delivery.dropped");
    default:
      return state;
  }
}
