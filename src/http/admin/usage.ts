import { Type } from "typebox";
import { usdFromNanos } from "../../core/money.ts";
import { operation } from "../operation.ts";
import { endpointRecord, EndpointRecord } from "../webhooks.ts";
import { listOf, ListReply, pageOf, PageQuery } from "../wire.ts";
import { admin, namedAccount } from "./acts.ts";

const moment = Type.Optional(Type.String({ pattern: "^[0-9]{1,12}$", description: "unix seconds" }));

const UsageRow = Type.Object({
  account: Type.String(),
  kind: Type.String(),
  model: Type.String(),
  tasks: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  cost_usd: Type.Number(),
});

const getUsage = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/usage",
  summary: "Tasks and what they cost, by account, kind and model, of those that are still kept",
  query: Type.Object({ account: Type.Optional(Type.String()), created_after: moment, created_before: moment }),
  reply: ListReply(UsageRow),
  async run({ query }, services) {
    const account = query.account === undefined ? null : (await namedAccount(services, query.account)).id;
    const rows = await services.store.usage({
      account,
      createdAfter: Number(query.created_after ?? 0) * 1000,
      createdBefore: query.created_before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.created_before) * 1000,
    });
    return listOf(
      rows.map(({ costNanos, ...row }) => ({ ...row, cost_usd: usdFromNanos(costNanos) })),
      rows.length,
    );
  },
});

const listWebhooks = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/webhooks",
  summary: "Webhooks of all accounts, with the account of each",
  query: Type.Object({ ...PageQuery, account: Type.Optional(Type.String()) }),
  reply: ListReply(Type.Object({ ...EndpointRecord.properties, account: Type.String() })),
  async run({ query }, services) {
    const { shown, ...page } = pageOf(query);
    const account = query.account === undefined ? null : (await namedAccount(services, query.account)).id;
    const endpoints = await services.store.listAllEndpoints({ ...page, account });
    return listOf(
      endpoints.map((endpoint) => ({ ...endpointRecord(endpoint), account: endpoint.account })),
      shown,
    );
  },
});

export const usageOperations = [getUsage, listWebhooks];
