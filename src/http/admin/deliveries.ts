import { Type, type Static } from "typebox";
import { Failure } from "../../core/errors.ts";
import type { Delivery } from "../../core/records.ts";
import { operation } from "../operation.ts";
import { deliveryRecord, DeliveryRecord, WholeDelivery } from "../webhooks.ts";
import { listOf, ListReply, pageOf, PageQuery } from "../wire.ts";
import { admin, namedAccount, recordAct } from "./acts.ts";

const AdminDelivery = Type.Object({ ...DeliveryRecord.properties, account: Type.String() });
const Id = Type.Object({ id: Type.String() });
const state = Type.Optional(
  Type.Union([Type.Literal("pending"), Type.Literal("delivered"), Type.Literal("failed"), Type.Literal("dropped")], {
    description: "pending, delivered, failed or dropped",
  }),
);

function shown(delivery: Delivery): Static<typeof AdminDelivery> {
  return { ...deliveryRecord(delivery), account: delivery.account };
}

const listDeliveries = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/deliveries",
  summary: "Messages to webhooks of all accounts, newest first",
  query: Type.Object({ ...PageQuery, state, account: Type.Optional(Type.String()) }),
  reply: ListReply(AdminDelivery),
  async run({ query }, services) {
    const { shown: most, ...page } = pageOf(query);
    const account = query.account === undefined ? null : (await namedAccount(services, query.account)).id;
    const deliveries = await services.store.listDeliveries({ ...page, account, ...(query.state && { state: query.state }) });
    return listOf(deliveries.map(shown), most);
  },
});

const listOfWebhook = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/webhooks/:id/deliveries",
  summary: "Messages to one webhook, newest first",
  params: Id,
  query: Type.Object({ ...PageQuery, state }),
  reply: ListReply(AdminDelivery),
  async run({ params, query }, { store }) {
    const { shown: most, ...page } = pageOf(query);
    const deliveries = await store.listDeliveries({
      ...page,
      account: null,
      endpoint: params.id,
      ...(query.state && { state: query.state }),
    });
    return listOf(deliveries.map(shown), most);
  },
});

const getDelivery = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/deliveries/:id",
  summary: "A message to a webhook with what was sent",
  params: Id,
  reply: Type.Object({ ...WholeDelivery.properties, account: Type.String() }),
  async run({ params }, { store }) {
    const delivery = await store.delivery(params);
    if (delivery === null) throw new Failure("not_found", { says: "There is no such delivery." });
    return { ...shown(delivery), body: delivery.body };
  },
});

const resend = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/deliveries/:id/resend",
  summary: "Deliver a message again",
  params: Id,
  reply: AdminDelivery,
  async run(ask, services) {
    const { store, clock } = services;
    const { id } = ask.params;
    const known = await store.delivery({ id });
    const delivery = known === null ? null : await store.resend({ account: known.account, id, now: clock() });
    if (delivery === null) throw new Failure("not_found", { says: "There is no such delivery." });
    await recordAct(services, ask, "delivery.resend", id, { account: delivery.account, task: delivery.task });
    return shown(delivery);
  },
});

export const deliveryOperations = [listDeliveries, listOfWebhook, getDelivery, resend];
