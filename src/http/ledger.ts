import type { FastifyReply } from "fastify";
import { Type, type Static } from "typebox";
import { Failure } from "../core/errors.ts";
import { placeAfter, taskOfRow, type LedgerPlace, type LedgerRow } from "../core/ledger-row.ts";
import { usdFromNanos } from "../core/money.ts";
import { admin, namedAccount } from "./admin/acts.ts";
import { csvLines, Format, sendCsv } from "./csv.ts";
import { operation } from "./operation.ts";
import type { Services } from "./services.ts";
import { listOf, ListReply, Moment, nullable, pageOf, PageQuery } from "./wire.ts";

const Row = Type.Object({
  id: Type.String(),
  at: Type.Integer(),
  kind: Type.String({ description: "credit, hold, settle, release or charge" }),
  task: nullable(Type.String()),
  note: Type.String(),
  amount_usd: Type.Number({ description: "by how much what is available changed" }),
  held_usd: Type.Number({ description: "by how much what is held changed" }),
  balance_usd: Type.Number({ description: "what is available after it" }),
});

const LedgerQuery = Type.Object({ ...PageQuery, from: Moment, to: Moment, format: Format });
const LedgerReply = Type.Object({
  ...ListReply(Row).properties,
  unposted_usd: Type.Number({
    description: "what calls of the last minutes have cost: it is taken from the balance, and not in the list yet",
  }),
});
type Asked = Static<typeof LedgerQuery>;

const getLedger = operation({
  tag: "usage",
  errors: "plain",
  auth: "client",
  scope: "usage",
  method: "GET",
  url: "/v1/ledger",
  summary: "Every movement of this account's money, newest first, with the balance after it",
  query: LedgerQuery,
  reply: LedgerReply,
  run: ({ query, caller, reply }, services) => answerLedger(caller.account.id, query, reply, services),
});

const getAccountLedger = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/accounts/:id/ledger",
  summary: "Every movement of an account's money, newest first, with the balance after it",
  params: Type.Object({ id: Type.String() }),
  query: LedgerQuery,
  reply: LedgerReply,
  async run({ params, query, reply }, services) {
    return answerLedger((await namedAccount(services, params.id)).id, query, reply, services);
  },
});

async function answerLedger(account: string, query: Asked, reply: FastifyReply, { store }: Services): Promise<unknown> {
  const from = Number(query.from ?? 0) * 1000;
  const to = query.to === undefined ? Number.MAX_SAFE_INTEGER : Number(query.to) * 1000;
  const ask = async (limit: number, after?: string | LedgerPlace) => {
    const rows = await store.ledger({ account, from, to, limit, ...(after !== undefined && { after }) });
    if (rows === null) throw new Failure("invalid_request", { says: "There is no such row to go on after.", param: "after" });
    return rows;
  };
  if (query.format === "csv") return sendCsv(reply, "ledger", table(await ask(portion, query.after), ask));
  const { shown, limit, after } = pageOf(query);
  const list = listOf((await ask(limit, after)).map(rowRecord), shown);
  return { ...list, unposted_usd: usdFromNanos(await store.unposted({ account })) };
}

const portion = 1_000;

/** The whole ledger in portions, so that its length does not matter. */
async function* table(first: LedgerRow[], ask: (limit: number, after: LedgerPlace) => Promise<LedgerRow[]>): AsyncGenerator<string> {
  yield csvLines([Object.keys(Row.properties)]);
  for (let rows = first; rows.length > 0;) {
    yield csvLines(rows.map((row) => Object.values(rowRecord(row))));
    const last = rows.at(-1);
    rows = last === undefined || rows.length < portion ? [] : await ask(portion, placeAfter(last));
  }
}

function rowRecord(row: LedgerRow): Static<typeof Row> {
  return {
    id: row.id,
    at: Math.floor(row.at / 1000),
    kind: row.kind,
    task: taskOfRow(row),
    note: row.note,
    amount_usd: usdFromNanos(row.availableNanos),
    held_usd: usdFromNanos(row.heldNanos),
    balance_usd: usdFromNanos(row.balanceNanos),
  };
}

export const ledgerOperations = [getLedger, getAccountLedger];
