import { Type, type Static } from "typebox";
import { uuidv7 } from "../kit/ids.ts";
import { newDelivery } from "../core/delivery.ts";
import { Failure } from "../core/errors.ts";
import type { Delivery, Endpoint } from "../core/records.ts";
import { operation } from "./operation.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery, secondsOrNull } from "./wire.ts";

const group = { tag: "webhooks", errors: "plain", auth: "client", scope: "webhooks" } as const;
const Id = Type.Object({ id: Type.String() });
const events = ["task.updated", "task.succeeded", "task.failed", "budget.reached", "balance.low"] as const;

export const EndpointRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook"),
  url: Type.String(),
  events: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  created_at: Type.Integer(),
});
const WithSecret = Type.Object({ ...EndpointRecord.properties, secret: Type.String({ description: "shown once" }) });

export const DeliveryRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.delivery"),
  webhook: nullable(Type.String()),
  task: nullable(Type.String()),
  url: Type.String(),
  type: Type.String(),
  state: Type.String(),
  attempts: Type.Integer(),
  last_status: nullable(Type.Integer()),
  last_error: nullable(Type.String()),
  created_at: Type.Integer(),
  delivered_at: nullable(Type.Integer()),
});

/** A webhook as its owner and operators see it; its secret was shown when it was made. */
export function endpointRecord({ id, url, events: subscribed, disabledAt, createdAt }: Endpoint): Static<typeof EndpointRecord> {
  return { id, object: "webhook", url, events: subscribed, disabled: disabledAt !== null, created_at: Math.floor(createdAt / 1000) };
}

/** A message to a webhook, and what became of it. */
export function deliveryRecord(delivery: Delivery): Static<typeof DeliveryRecord> {
  const { id, endpoint, task, url, event, state, attempts, lastStatus, lastError, createdAt, deliveredAt } = delivery;
  return {
    id,
    object: "webhook.delivery",
    webhook: endpoint,
    task,
    url,
    type: event,
    state,
    attempts,
    last_status: lastStatus,
    last_error: lastError,
    created_at: Math.floor(createdAt / 1000),
    delivered_at: secondsOrNull(deliveredAt),
  };
}

const missing = () => new Failure("not_found", { says: "There is no such webhook." });

const createWebhook = operation({
  ...group,
  method: "POST",
  url: "/v1/webhooks",
  summary: "Subscribe an address to events of this account",
  body: Type.Object({
    url: Type.String({ maxLength: 2048 }),
    events: Type.Optional(
      Type.Array(Type.Union(events.map((event) => Type.Literal(event))), { minItems: 1, description: events.join(", ") }),
    ),
  }),
  reply: WithSecret,
  async run({ body, caller }, { store, clock, checkUrl, makeHookSecret }) {
    checkUrl(body.url, "url");
    const { text, sealed } = makeHookSecret();
    const now = clock();
    const endpoint: Endpoint = {
      id: `wh_${uuidv7(now)}`,
      account: caller.account.id,
      url: body.url,
      sealedSecret: sealed,
      events: [...new Set(body.events ?? ["task.succeeded", "task.failed"])],
      disabledAt: null,
      createdAt: now,
    };
    await store.createEndpoint(endpoint);
    return { ...endpointRecord(endpoint), secret: text };
  },
});

const listWebhooks = operation({
  ...group,
  method: "GET",
  url: "/v1/webhooks",
  summary: "List webhooks",
  reply: ListReply(EndpointRecord),
  async run({ caller }, { store }) {
    const endpoints = await store.listEndpoints({ account: caller.account.id });
    return listOf(endpoints.map(endpointRecord), endpoints.length);
  },
});

const getWebhook = operation({
  ...group,
  method: "GET",
  url: "/v1/webhooks/:id",
  summary: "Get a webhook",
  params: Id,
  reply: EndpointRecord,
  async run({ params, caller }, { store }) {
    const endpoint = await store.endpoint({ account: caller.account.id, id: params.id });
    if (endpoint === null) throw missing();
    return endpointRecord(endpoint);
  },
});

const deleteWebhook = operation({
  ...group,
  method: "DELETE",
  url: "/v1/webhooks/:id",
  summary: "Delete a webhook",
  params: Id,
  reply: Type.Object({ id: Type.String(), object: Type.Literal("webhook.deleted"), deleted: Type.Boolean() }),
  async run({ params, caller }, { store }) {
    if (!(await store.deleteEndpoint({ account: caller.account.id, id: params.id }))) throw missing();
    return { id: params.id, object: "webhook.deleted", deleted: true };
  },
});

const rotateSecret = operation({
  ...group,
  method: "POST",
  url: "/v1/webhooks/:id/rotate",
  summary: "Give a webhook a new secret, and switch it on again if it was disabled",
  params: Id,
  reply: WithSecret,
  async run({ params, caller }, { store, makeHookSecret }) {
    const { text, sealed } = makeHookSecret();
    const endpoint = await store.updateEndpoint({ account: caller.account.id, id: params.id, sealedSecret: sealed, disabledAt: null });
    if (endpoint === null) throw missing();
    return { ...endpointRecord(endpoint), secret: text };
  },
});

const testWebhook = operation({
  ...group,
  method: "POST",
  url: "/v1/webhooks/:id/test",
  summary: "Send a test event to a webhook",
  params: Id,
  reply: DeliveryRecord,
  async run({ params, caller }, { store, clock }) {
    const endpoint = await store.endpoint({ account: caller.account.id, id: params.id });
    if (endpoint === null) throw missing();
    const told = {
      account: caller.account.id,
      endpoint: endpoint.id,
      task: null,
      url: endpoint.url,
      event: "webhook.test",
      style: "event",
    } as const;
    const delivery = newDelivery(told, clock());
    await store.announce(delivery);
    return deliveryRecord(delivery);
  },
});

const rotateAccountSecret = operation({
  ...group,
  method: "POST",
  url: "/v1/webhooks/secret",
  summary: "Make a new secret for addresses given with a create; shown once",
  reply: Type.Object({ object: Type.Literal("webhook.secret"), secret: Type.String() }),
  async run({ caller }, { store, makeHookSecret }) {
    const { text, sealed } = makeHookSecret();
    await store.setHookSecret({ account: caller.account.id, sealedSecret: sealed });
    return { object: "webhook.secret", secret: text };
  },
});

const listDeliveries = operation({
  ...group,
  method: "GET",
  url: "/v1/webhooks/:id/deliveries",
  summary: "List deliveries of a webhook ('inline' for addresses given with a create), newest first",
  params: Id,
  query: Type.Object(PageQuery),
  reply: ListReply(DeliveryRecord),
  async run({ params, query, caller }, { store }) {
    const account = caller.account.id;
    if (params.id !== "inline" && (await store.endpoint({ account, id: params.id })) === null) throw missing();
    const { shown, ...page } = pageOf(query);
    const deliveries = await store.listDeliveries({ ...page, account, endpoint: params.id === "inline" ? null : params.id });
    return listOf(deliveries.map(deliveryRecord), shown);
  },
});

/** A delivery with what was sent. */
export const WholeDelivery = Type.Object({
  ...DeliveryRecord.properties,
  body: nullable(Type.String({ description: "what was sent; null before the first try" })),
});

const getDelivery = operation({
  ...group,
  method: "GET",
  url: "/v1/webhooks/deliveries/:id",
  summary: "Get a delivery with what was sent",
  params: Id,
  reply: WholeDelivery,
  async run({ params, caller }, { store }) {
    const delivery = await store.delivery(params);
    if (delivery === null || delivery.account !== caller.account.id) throw new Failure("not_found", { says: "There is no such delivery." });
    return { ...deliveryRecord(delivery), body: delivery.body };
  },
});

const resendDelivery = operation({
  ...group,
  method: "POST",
  url: "/v1/webhooks/deliveries/:id/resend",
  summary: "Deliver again",
  params: Id,
  reply: DeliveryRecord,
  async run({ params, caller }, { store, clock }) {
    const delivery = await store.resend({ account: caller.account.id, id: params.id, now: clock() });
    if (delivery === null) throw new Failure("not_found", { says: "There is no such delivery." });
    return deliveryRecord(delivery);
  },
});

export const webhookOperations = [
  createWebhook,
  listWebhooks,
  rotateAccountSecret,
  getWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  resendDelivery,
];
