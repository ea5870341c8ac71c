import type { AddressSet } from "../kit/address.ts";
import type { Clock, Store } from "../core/ports.ts";
import type { ChoreClaim, Delivery } from "../core/records.ts";
import type { Task } from "../core/task.ts";
import { retryDelayMs, sendWebhook } from "./send.ts";
import { createWebhookSecret } from "./sign.ts";

export type DeliverNeeds = {
  store: Store;
  clock: Clock;
  random: () => number;
  allow: () => AddressSet;
  seal: (text: string) => string;
  open: (sealed: string) => string;
  /** The record that a task's own group shows, with addresses as they were signed at a time: the text is the same at every try. */
  render: (task: Task, at: number) => Promise<object>;
  /** Hears what became of each try; a pending one is tried again. */
  observe?: (state: Delivery["state"]) => void;
};

const mostBytes = 20_000;

/** Carries out one delivery of the outbox: signed, tried again over three days, the same text at every try. */
export function createDeliverer(needs: DeliverNeeds): (claim: ChoreClaim) => Promise<void> {
  const { store, clock } = needs;
  return async ({ id, fence }) => {
    const delivery = await store.delivery({ id });
    const task = delivery?.task ? await store.task({ id: delivery.task, account: null }) : null;
    const isMoot = delivery === null || delivery.state !== "pending" || (delivery.task !== null && task === null);
    if (isMoot) return store.finishChore({ id, fence, runAt: null });
    const body = delivery.body ?? (await bodyOf(needs, delivery, task));
    const result = await tryOnce(needs, delivery, body);
    await store.recordDelivery({ id, fence, body, now: clock(), ...result });
    needs.observe?.(result.state);
  };
}

type Try = Omit<Parameters<Store["recordDelivery"]>[0], "id" | "fence" | "body" | "now">;

async function tryOnce(needs: DeliverNeeds, delivery: Delivery, body: string): Promise<Try> {
  const { clock, random } = needs;
  const last = { nextAt: null, disableEndpoint: false };
  const secret = await secretOf(needs, delivery);
  if (secret === null) return { ...last, state: "dropped", status: null, error: "the webhook is disabled or deleted" };
  const { id, url, attempts } = delivery;
  const outcome = await sendWebhook({ url, id, timestampMs: clock(), secrets: [secret], body, allow: needs.allow() });
  if (outcome.state === "delivered") return { ...last, state: "delivered", status: outcome.status, error: null };
  if (outcome.state === "gone")
    return { ...last, state: "failed", status: 410, error: "the receiver wants no more", disableEndpoint: true };
  const delay = retryDelayMs(attempts + 1, random);
  const nextAt = delay === null ? null : clock() + Math.max(delay, outcome.retryAfterMs ?? 0);
  return { ...last, state: nextAt === null ? "failed" : "pending", status: outcome.status, error: outcome.cause, nextAt };
}

/** The secret to sign with: the endpoint's, or the account's for an address given with a create; null where it is not wanted any more. */
async function secretOf({ store, seal, open }: DeliverNeeds, { account, endpoint }: Delivery): Promise<string | null> {
  if (endpoint !== null) {
    const found = await store.endpoint({ account, id: endpoint });
    return found === null || found.disabledAt !== null ? null : open(found.sealedSecret);
  }
  const sealed = await store.hookSecret({ account });
  if (sealed !== null) return open(sealed);
  const made = createWebhookSecret();
  await store.setHookSecret({ account, sealedSecret: seal(made) });
  return made;
}

async function bodyOf({ render }: DeliverNeeds, { event, style, createdAt }: Delivery, task: Task | null): Promise<string> {
  const record = task === null ? {} : await render(task, createdAt);
  const whole = wrap(record);
  if (task === null || Buffer.byteLength(whole) < mostBytes) return whole;
  // Too much to carry: the receiver asks for the task itself.
  return wrap({ id: task.id, task_id: task.id, status: task.status, truncated: true });

  function wrap(data: object): string {
    return JSON.stringify(style === "plain" ? data : { type: event, timestamp: new Date(createdAt).toISOString(), data });
  }
}
