import { Type, type Static } from "typebox";
import { monthName, sayAlert, type Alert, type AlertFact } from "../core/alert.ts";
import { spentInMonth } from "../core/budget.ts";
import { usdFromNanos } from "../core/money.ts";
import { admin, namedAccount } from "./admin/acts.ts";
import { operation } from "./operation.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery } from "./wire.ts";

const AlertRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("alert"),
  account: Type.String(),
  kind: Type.Union([Type.Literal("budget"), Type.Literal("balance")]),
  says: Type.String(),
  detail: Type.Object({
    mark: Type.Optional(Type.Integer({ description: "per cent of the budget" })),
    budget_usd: Type.Optional(Type.Number()),
    spent_usd: Type.Optional(Type.Number()),
    month: Type.Optional(Type.String()),
    available_usd: Type.Optional(Type.Number()),
    credited_usd: Type.Optional(Type.Number()),
  }),
  at: Type.Integer(),
});

/** An alert as clients, operators and webhooks read it. */
export function alertRecord({ id, account, fact, at }: Alert): Static<typeof AlertRecord> {
  return { id, object: "alert", account, kind: fact.kind, says: sayAlert(fact), detail: detailOf(fact), at: Math.floor(at / 1000) };
}

function detailOf(fact: AlertFact): Static<typeof AlertRecord>["detail"] {
  if (fact.kind === "balance") return { available_usd: usdFromNanos(fact.availableNanos), credited_usd: usdFromNanos(fact.creditedNanos) };
  const { mark, budgetNanos, spentNanos, month } = fact;
  return { mark, budget_usd: usdFromNanos(budgetNanos), spent_usd: usdFromNanos(spentNanos), month: monthName(month) };
}

const listAlerts = operation({
  tag: "usage",
  errors: "plain",
  auth: "client",
  scope: "usage",
  method: "GET",
  url: "/v1/alerts",
  summary: "What this account was told about its budget and balance, newest first",
  query: Type.Object(PageQuery),
  reply: ListReply(AlertRecord),
  async run({ query, caller }, { store }) {
    const { shown, ...page } = pageOf(query);
    return listOf((await store.listAlerts({ ...page, account: caller.account.id })).map(alertRecord), shown);
  },
});

const getBudget = operation({
  tag: "usage",
  errors: "plain",
  auth: "client",
  scope: "usage",
  method: "GET",
  url: "/v1/budget",
  summary: "What this account means to spend in a month, and has spent of it",
  reply: Type.Object({
    object: Type.Literal("budget"),
    monthly_budget_usd: nullable(Type.Number()),
    budget_alerts: Type.Array(Type.Integer({ description: "per cents of the budget at which somebody is told" })),
    spent_this_month_usd: Type.Number(),
  }),
  async run({ caller }, { store, clock }) {
    const account = (await store.account({ idOrName: caller.account.id })) ?? caller.account;
    const { nanos, marks } = account.budget;
    return {
      object: "budget",
      monthly_budget_usd: nanos === null ? null : usdFromNanos(nanos),
      budget_alerts: marks,
      spent_this_month_usd: usdFromNanos(spentInMonth(account, clock())),
    };
  },
});

const listAllAlerts = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/alerts",
  summary: "Alerts about the budgets and balances of all accounts or one, newest first",
  query: Type.Object({ ...PageQuery, account: Type.Optional(Type.String()) }),
  reply: ListReply(AlertRecord),
  async run({ query }, services) {
    const { shown, ...page } = pageOf(query);
    const account = query.account === undefined ? null : (await namedAccount(services, query.account)).id;
    return listOf((await services.store.listAlerts({ ...page, account })).map(alertRecord), shown);
  },
});

export const alertOperations = [getBudget, listAlerts, listAllAlerts];
