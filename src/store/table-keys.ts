import type { Database } from "./schema.ts";

export type TableName = keyof Database;

/** The primary key of every table. */
export const tableKeys: { readonly [T in TableName]: readonly (keyof Database[T] & string)[] } = {
  account: ["id"],
  api_key: ["id"],
  task: ["id"],
  song: ["id"],
  attempt: ["task", "n"],
  step: ["id"],
  share: ["lane", "account"],
  gate: ["lane", "credential"],
  tally: ["name", "node"],
  node: ["id"],
  lease: ["account", "node"],
  fact: ["name"],
  transfer: ["id"],
  entry: ["transfer", "line"],
  idempotency: ["account", "route", "key"],
  reply: ["account", "route", "key"],
  asset: ["id"],
  modal: ["id"],
  endpoint: ["id"],
  delivery: ["id"],
  usage: ["minute", "account", "api_key", "operation", "model", "provider", "transfer"],
  pulse: ["minute", "account", "api_key", "operation", "model", "provider", "outcome", "speed", "wait"],
  alert: ["id"],
  audit: ["id"],
};

// The type above makes the list complete.
export const tableNames = Object.keys(tableKeys) as TableName[];
