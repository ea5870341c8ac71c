import type { Client } from "./client.ts";
import type { Options } from "./command.ts";
import { readNumber } from "./number.ts";
import { AccountRecord } from "./records.ts";
import type { Shell } from "./shell.ts";

const usualLimit = 20;

export const limitOption = {
  limit: { type: "string", value: "N", says: `at most so many; ${usualLimit} unless given` },
} as const satisfies Options;

/** The limit of a list, as typed. */
export function readLimit(text: string | undefined): number {
  return text === undefined ? usualLimit : readNumber("--limit", text, { min: 1, max: 10_000, whole: true });
}

/** Says that a list was cut. */
export function noteMore(shell: Shell, { data, has_more: hasMore }: { data: unknown[]; has_more: boolean }): void {
  if (hasMore) shell.note(`There are more: --limit ${data.length * 2} shows twice as many.`);
}

/** Accounts by id, for lists that people read. */
export async function accountNames(client: Client): Promise<Map<string, string>> {
  const { data } = await client.list(AccountRecord, "/admin/v1/accounts", 1_000);
  return new Map(data.map(({ id, name }) => [id, name]));
}
