import { Type } from "typebox";
import type { Caller } from "../core/accounts.ts";
import { Failure } from "../core/errors.ts";
import { usdFromNanos } from "../core/money.ts";
import type { Account } from "../core/records.ts";
import { operation } from "./operation.ts";
import type { Services } from "./services.ts";

const group = { tag: "balance", errors: "plain", auth: "client" } as const;

// What a request was authenticated with may be seconds old; money is always read anew.
async function current({ store }: Services, caller: Caller): Promise<Account> {
  const account = await store.account({ idOrName: caller.account.id });
  if (account === null) throw new Failure("not_found");
  return account;
}

const getBalance = operation({
  ...group,
  method: "GET",
  url: "/v1/balance",
  summary: "Balance",
  reply: Type.Object({
    object: Type.Literal("balance"),
    currency: Type.Literal("usd"),
    available_usd: Type.Number(),
    held_usd: Type.Number(),
    used_usd: Type.Number(),
  }),
  async run({ caller }, services) {
    const { availableNanos, heldNanos, spentNanos } = await current(services, caller);
    return {
      object: "balance",
      currency: "usd",
      available_usd: usdFromNanos(availableNanos),
      held_usd: usdFromNanos(heldNanos),
      used_usd: usdFromNanos(spentNanos),
    };
  },
});

/** The relays' unit of account. */
const pointsPerUsd = 500_000;

const getUsage = operation({
  ...group,
  method: "GET",
  url: "/v1/billing/usage",
  summary: "Balance and use, in points or dollars, as the relays show it",
  query: Type.Object({ type: Type.Optional(Type.String()), unit: Type.Optional(Type.String()) }),
  reply: Type.Object({
    success: Type.Boolean(),
    data: Type.Object({ balance: Type.Number(), used: Type.Number(), cache_used: Type.Number() }),
  }),
  async run({ caller, query }, services) {
    const { availableNanos, spentNanos } = await current(services, caller);
    const amount = (nanos: number) => (query.unit === "usd" ? usdFromNanos(nanos) : Math.round(usdFromNanos(nanos) * pointsPerUsd));
    return { success: true, data: { balance: amount(availableNanos), used: amount(spentNanos), cache_used: 0 } };
  },
});

const getSubscription = operation({
  ...group,
  method: "GET",
  url: "/v1/dashboard/billing/subscription",
  aliases: ["/dashboard/billing/subscription"],
  summary: "Limit, as OpenAI's dashboard showed it",
  reply: Type.Object({
    object: Type.Literal("billing_subscription"),
    has_payment_method: Type.Boolean(),
    soft_limit_usd: Type.Number(),
    hard_limit_usd: Type.Number(),
    system_hard_limit_usd: Type.Number(),
    access_until: Type.Integer(),
  }),
  async run({ caller }, services) {
    const { availableNanos, heldNanos, spentNanos } = await current(services, caller);
    const limit = usdFromNanos(availableNanos + heldNanos + spentNanos);
    const until = Math.floor((caller.key?.expiresAt ?? 0) / 1000);
    return {
      object: "billing_subscription",
      has_payment_method: true,
      soft_limit_usd: limit,
      hard_limit_usd: limit,
      system_hard_limit_usd: limit,
      access_until: until,
    };
  },
});

const nanosPerCent = 10_000_000;

const getDashboardUsage = operation({
  ...group,
  method: "GET",
  url: "/v1/dashboard/billing/usage",
  aliases: ["/dashboard/billing/usage"],
  summary: "Use in cents, as OpenAI's dashboard showed it",
  reply: Type.Object({ object: Type.Literal("list"), total_usage: Type.Number() }),
  async run({ caller }, services) {
    const { heldNanos, spentNanos } = await current(services, caller);
    return { object: "list", total_usage: (spentNanos + heldNanos) / nanosPerCent };
  },
});

const getTokenUsage = operation({
  ...group,
  method: "GET",
  url: "/api/usage/token/",
  summary: "Use of this key in points, as the relays show it",
  reply: Type.Object({ code: Type.Boolean(), message: Type.String(), data: Type.Object({}, { additionalProperties: true }) }),
  async run({ caller }, services) {
    const { availableNanos, heldNanos, spentNanos, name } = await current(services, caller);
    const points = (nanos: number) => Math.round(usdFromNanos(nanos) * pointsPerUsd);
    const models = caller.key?.models ?? null;
    return {
      code: true,
      message: "ok",
      data: {
        object: "token_usage",
        name: caller.key?.name ?? name,
        total_granted: points(availableNanos + heldNanos + spentNanos),
        total_used: points(spentNanos + heldNanos),
        total_available: points(availableNanos),
        unlimited_quota: false,
        model_limits: Object.fromEntries((models ?? []).map((model) => [model, true])),
        model_limits_enabled: models !== null,
        expires_at: Math.floor((caller.key?.expiresAt ?? 0) / 1000),
      },
    };
  },
});

export const balanceOperations = [getBalance, getUsage, getSubscription, getDashboardUsage, getTokenUsage];
