import { Type, type Static } from "typebox";
import { usdFromNanos } from "../../core/money.ts";
import type { TaskHistory } from "../../core/records.ts";
import type { Catalog } from "../../core/routing.ts";
import type { Task } from "../../core/task.ts";
import type { AssetUrl } from "../asset-url.ts";
import type { Services } from "../services.ts";
import { WholeTask, wholeTask } from "../task-record.ts";
import { deliveryRecord, DeliveryRecord } from "../webhooks.ts";
import { nullable } from "../wire.ts";
import { shownKey } from "./shown-key.ts";

const moment = Type.Number({ description: "unix seconds, with their fraction" });

/** A task as operators see it: when what happened, by whom, and for how much. */
export const TaskStory = Type.Object({
  ...WholeTask.properties,
  account: Type.String(),
  account_name: Type.String(),
  key: nullable(Type.String({ description: "the id of the key it was asked with" })),
  hold_usd: Type.Number(),
  queue_wait_s: nullable(Type.Number({ description: "from its creation to its first attempt; null before that" })),
  attempts: Type.Array(
    Type.Object({
      n: Type.Integer(),
      provider: Type.String(),
      credential: Type.String({ description: "the end of the key it was sent with" }),
      model: Type.String(),
      state: Type.String(),
      upstream_id: nullable(Type.String()),
      cause: nullable(Type.String()),
      failure: nullable(Type.String({ description: "the class of what its provider failed with" })),
      created_at: moment,
      accepted_at: nullable(moment),
      ended_at: nullable(moment),
    }),
  ),
  money: Type.Array(
    Type.Object({
      at: moment,
      kind: Type.Union([Type.Literal("hold"), Type.Literal("settle"), Type.Literal("release")], {
        description: "hold: set aside; settle: paid; release: given back",
      }),
      amount_usd: Type.Number(),
    }),
  ),
  deliveries: Type.Array(DeliveryRecord),
});

/** The whole story of a task. */
export async function taskStory(task: Task, { store, catalog }: Services, url: AssetUrl): Promise<Static<typeof TaskStory>> {
  const history = await store.taskHistory({ taskId: task.id });
  const account = await store.account({ idOrName: task.account });
  const [first] = history.attempts;
  return {
    ...wholeTask(task, url),
    account: task.account,
    account_name: account?.name ?? "",
    key: history.key,
    hold_usd: usdFromNanos(task.holdNanos),
    queue_wait_s: first === undefined ? null : exact(Math.max(0, first.createdAt - task.createdAt)),
    attempts: history.attempts.map((attempt) => attemptRecord(attempt, catalog)),
    money: history.money.map(({ at, kind, nanos }) => ({ at: exact(at), kind, amount_usd: usdFromNanos(nanos) })),
    deliveries: history.deliveries.map(deliveryRecord),
  };
}

function attemptRecord(attempt: TaskHistory["attempts"][number], catalog: Catalog) {
  const { n, provider, model, state, upstreamId, cause, failure, createdAt, acceptedAt, endedAt } = attempt;
  return {
    n,
    provider,
    credential: shownKey(catalog, provider, attempt.credential),
    model,
    state,
    upstream_id: upstreamId,
    cause,
    failure,
    created_at: exact(createdAt),
    accepted_at: acceptedAt === null ? null : exact(acceptedAt),
    ended_at: endedAt === null ? null : exact(endedAt),
  };
}

function exact(ms: number): number {
  return ms / 1000;
}
