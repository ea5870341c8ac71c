import { sql, type SelectQueryBuilder } from "kysely";
import { mostNames, otherNames, seriesOf, type UsageQuestion, type UsageSeries, type UsageSide } from "../core/usage-series.ts";
import type { Query } from "./query.ts";
import type { Database } from "./schema.ts";

const columnOf = {
  model: "model",
  key: "api_key",
  account: "account",
  provider: "provider",
  operation: "operation",
  outcome: "outcome",
} as const satisfies Record<UsageSide, keyof Database["pulse"]>;

/** What ended in a time, added up by steps of it and by one side of the requests; one snapshot for both questions. */
export function usageSeries(db: Query, question: UsageQuestion): Promise<UsageSeries[]> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((tx) => read(tx, question));
}

async function read(db: Query, question: UsageQuestion): Promise<UsageSeries[]> {
  const { stepMs, by } = question;
  const column = by === null ? null : columnOf[by];
  const named = column === null ? [] : await busiest(db, question, column);
  // Grouped by place, not by expression: the same parameter twice is two different ones to PostgreSQL.
  const at = sql.raw<number>(`minute - minute % ${stepMs}`);
  const name =
    column === null ? sql<string>`''` : sql<string>`case when ${isOneOf(column, named)} then ${sql.ref(column)} else ${otherNames} end`;
  const rows = await wanted(db.selectFrom("pulse"), question)
    .select([at.as("at"), name.as("name"), "outcome", "speed", "wait"])
    .select((eb) => sums.map((sum) => eb.fn.sum<number | string>(sum).as(sum)))
    .groupBy([sql`1`, sql`2`, "outcome", "speed", "wait"])
    .execute();
  return seriesOf(
    rows.map(({ requests, input_tokens, output_tokens, cost, ...row }) => ({
      ...row,
      requests: Number(requests),
      inputTokens: Number(input_tokens),
      outputTokens: Number(output_tokens),
      costNanos: Number(cost),
    })),
    question,
  );
}

const sums = ["requests", "input_tokens", "output_tokens", "cost"] as const;

type Column = (typeof columnOf)[UsageSide];

function isOneOf(column: Column, names: readonly string[]) {
  return names.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${sql.ref(column)} in (${sql.join(names)})`;
}

/** The names with the most requests. */
async function busiest(db: Query, question: UsageQuestion, column: Column): Promise<string[]> {
  const rows = await wanted(db.selectFrom("pulse"), question)
    .select((eb) => [sql.ref<string>(column).as("name"), eb.fn.sum("requests").as("requests")])
    .groupBy(column)
    .orderBy("requests", "desc")
    .orderBy("name")
    .limit(mostNames)
    .execute();
  return rows.map(({ name }) => name);
}

type Pulses = SelectQueryBuilder<Database, "pulse", object>;

function wanted(all: Pulses, { account, key, provider, model, operation, from, to }: UsageQuestion): Pulses {
  let query = all.where("minute", ">=", from).where("minute", "<", to);
  if (account !== null) query = query.where("account", "=", account);
  if (key !== undefined) query = query.where("api_key", "=", key);
  if (provider !== undefined) query = query.where("provider", "=", provider);
  if (model !== undefined) query = query.where("model", "=", model);
  if (operation !== undefined) query = query.where("operation", "=", operation);
  return query;
}
