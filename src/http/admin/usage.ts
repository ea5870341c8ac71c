import { Type, type Static } from "typebox";
import { usdFromNanos } from "../../core/money.ts";
import { operation } from "../operation.ts";
import { endpointRecord, EndpointRecord } from "../webhooks.ts";
import type { Services } from "../services.ts";
import { listOf, ListReply, Moment, nullable, pageOf, PageQuery } from "../wire.ts";
import { admin, namedAccount } from "./acts.ts";

const UsageRow = Type.Object({
  account: Type.String(),
  kind: Type.String(),
  model: Type.String(),
  tasks: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  cost_usd: Type.Number(),
});

const UsageQuery = Type.Object({ account: Type.Optional(Type.String()), created_after: Moment, created_before: Moment });

async function period({ account, created_after: after, created_before: before }: Static<typeof UsageQuery>, services: Services) {
  return {
    account: account === undefined ? null : (await namedAccount(services, account)).id,
    createdAfter: Number(after ?? 0) * 1000,
    createdBefore: before === undefined ? Number.MAX_SAFE_INTEGER : Number(before) * 1000,
  };
}

const getUsage = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/usage",
  summary: "Tasks and what they cost, by account, kind and model, of those that are still kept",
  query: UsageQuery,
  reply: ListReply(UsageRow),
  async run({ query }, services) {
    const rows = await services.store.usage(await period(query, services));
    return listOf(
      rows.map(({ costNanos, ...row }) => ({ ...row, cost_usd: usdFromNanos(costNanos) })),
      rows.length,
    );
  },
});

const CallUsage = Type.Object({
  account: Type.String(),
  key: nullable(Type.String()),
  operation: Type.String(),
  model: Type.String(),
  provider: Type.String(),
  calls: Type.Integer(),
  estimated: Type.Integer({ description: "how many of them were measured by us, because the provider did not tell" }),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost_usd: Type.Number(),
  seconds: Type.Number({ description: "time of all calls together" }),
});

const getCallUsage = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/usage/calls",
  summary: "Calls and what they cost, by account, key, operation, model and provider",
  query: UsageQuery,
  reply: ListReply(CallUsage),
  async run({ query }, services) {
    const rows = await services.store.callUsage(await period(query, services));
    return listOf(
      rows.map(({ inputTokens, outputTokens, costNanos, ms, ...row }) => ({
        ...row,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        cost_usd: usdFromNanos(costNanos),
        seconds: ms / 1000,
      })),
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

export const usageOperations = [getUsage, getCallUsage, listWebhooks];
