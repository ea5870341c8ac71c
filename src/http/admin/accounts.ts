import { Type, type Static } from "typebox";
import { uuidv7 } from "../../kit/ids.ts";
import { spentInMonth } from "../../core/budget.ts";
import { Failure } from "../../core/errors.ts";
import { nanosFromUsd, usdFromNanos } from "../../core/money.ts";
import type { Account } from "../../core/records.ts";
import { operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery } from "../wire.ts";
import { admin, namedAccount, recordAct } from "./acts.ts";

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f]+$" });
const Amount = Type.Number({ minimum: -1_000_000, maximum: 1_000_000, description: "US dollars, at most nine decimals" });

const AccountRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("account"),
  name: Type.String(),
  available_usd: Type.Number(),
  held_usd: Type.Number(),
  used_usd: Type.Number(),
  frozen: Type.Boolean(),
  monthly_budget_usd: nullable(Type.Number({ description: "reaching it stops nothing, but somebody is told" })),
  budget_alerts: Type.Array(Type.Integer({ description: "per cents of the budget at which somebody is told" })),
  spent_this_month_usd: Type.Number({ description: "since the month began, in UTC" }),
  created_at: Type.Integer(),
});

function accountRecord(account: Account, now: number): Static<typeof AccountRecord> {
  const { id, name, availableNanos, heldNanos, spentNanos, frozen, budget, createdAt } = account;
  return {
    id,
    object: "account",
    name,
    available_usd: usdFromNanos(availableNanos),
    held_usd: usdFromNanos(heldNanos),
    used_usd: usdFromNanos(spentNanos),
    frozen,
    monthly_budget_usd: budget.nanos === null ? null : usdFromNanos(budget.nanos),
    budget_alerts: budget.marks,
    spent_this_month_usd: usdFromNanos(spentInMonth(account, now)),
    created_at: Math.floor(createdAt / 1000),
  };
}

async function addCredit(
  { store, clock }: Services,
  account: string,
  usd: number,
  note: string,
): Promise<{ id: string; account: Account }> {
  const now = clock();
  const id = uuidv7(now);
  const reply = await store.credit({ id, account, nanos: nanosFromUsd(usd), note, now });
  if (reply.outcome === "absent") throw new Failure("not_found", { says: "There is no such account.", param: "account" });
  if (reply.outcome === "insufficient")
    throw new Failure("insufficient_balance", { says: "That is more than the account has available.", param: "amount_usd" });
  return { id, account: reply.account };
}

const createAccount = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/accounts",
  summary: "Create an account",
  body: Type.Object({ name: Name, credit_usd: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })) }),
  reply: AccountRecord,
  async run(ask, services) {
    const { body } = ask;
    const now = services.clock();
    const account = await services.store.createAccount({ id: uuidv7(now), name: body.name, starter: false, now });
    if (account === null)
      throw new Failure("invalid_request", { says: `There is already an account named '${body.name}'.`, param: "name" });
    await recordAct(services, ask, "account.create", account.id, body);
    if (!body.credit_usd) return accountRecord(account, now);
    return accountRecord((await addCredit(services, account.id, body.credit_usd, "first credit")).account, now);
  },
});

const listAccounts = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/accounts",
  summary: "List accounts",
  query: Type.Object(PageQuery),
  reply: ListReply(AccountRecord),
  async run({ query }, { store, clock }) {
    const { shown, ...page } = pageOf(query);
    const now = clock();
    return listOf(
      (await store.listAccounts(page)).map((account) => accountRecord(account, now)),
      shown,
    );
  },
});

const getAccount = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/accounts/:id",
  summary: "Get an account by id or name",
  params: Type.Object({ id: Type.String() }),
  reply: AccountRecord,
  run: async ({ params }, services) => accountRecord(await namedAccount(services, params.id), services.clock()),
});

const updateAccount = operation({
  ...admin,
  method: "PATCH",
  url: "/admin/v1/accounts/:id",
  summary: "Rename an account, stop and allow its spending, or set its budget",
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({
    name: Type.Optional(Name),
    frozen: Type.Optional(Type.Boolean()),
    monthly_budget_usd: Type.Optional(nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }))),
    budget_alerts: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 1_000 }), { minItems: 1, maxItems: 10, description: "per cents of the budget" }),
    ),
  }),
  reply: AccountRecord,
  async run(ask, services) {
    const { params, body } = ask;
    const { id } = await namedAccount(services, params.id);
    const taken = body.name === undefined ? null : await services.store.account({ idOrName: body.name });
    if (taken !== null && taken.id !== id)
      throw new Failure("invalid_request", { says: `There is already an account named '${body.name}'.`, param: "name" });
    const { name, frozen, monthly_budget_usd: budget, budget_alerts: marks } = body;
    const account = await services.store.updateAccount({
      id,
      ...(name !== undefined && { name }),
      ...(frozen !== undefined && { frozen }),
      ...(budget !== undefined && { budgetNanos: budget === null ? null : nanosFromUsd(budget) }),
      ...(marks !== undefined && { budgetMarks: [...new Set(marks)].sort((a, b) => a - b) }),
    });
    if (account === null) throw new Failure("not_found");
    await recordAct(services, ask, "account.update", id, body);
    return accountRecord(account, services.clock());
  },
});

const Credit = Type.Object({
  id: Type.String(),
  object: Type.Literal("credit"),
  account: Type.String(),
  amount_usd: Type.Number(),
  note: Type.String(),
});

const createCredit = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/credits",
  summary: "Add credit to an account, or take some back",
  body: Type.Object({ account: Type.String(), amount_usd: Amount, note: Type.Optional(Type.String({ maxLength: 500 })) }),
  reply: Type.Object({ ...Credit.properties, available_usd: Type.Number() }),
  async run(ask, services) {
    const { body } = ask;
    const { id: account } = await namedAccount(services, body.account);
    const note = body.note ?? "";
    const credited = await addCredit(services, account, body.amount_usd, note);
    await recordAct(services, ask, "credit", account, body);
    return {
      id: credited.id,
      object: "credit",
      account,
      amount_usd: body.amount_usd,
      note,
      available_usd: usdFromNanos(credited.account.availableNanos),
    };
  },
});

const listCredits = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/credits",
  summary: "List credits, newest first",
  query: Type.Object({ ...PageQuery, account: Type.Optional(Type.String()) }),
  reply: ListReply(Type.Object({ ...Credit.properties, created_at: Type.Integer() })),
  async run({ query }, services) {
    const { shown, ...page } = pageOf(query);
    const account = query.account === undefined ? {} : { account: (await namedAccount(services, query.account)).id };
    const credits = await services.store.listCredits({ ...page, ...account });
    return listOf(
      credits.map(({ id, account: owner, nanos, note, createdAt }) => ({
        id,
        object: "credit" as const,
        account: owner,
        amount_usd: usdFromNanos(nanos),
        note,
        created_at: Math.floor(createdAt / 1000),
      })),
      shown,
    );
  },
});

export const accountOperations = [createAccount, listAccounts, getAccount, updateAccount, createCredit, listCredits];
