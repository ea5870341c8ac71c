import { client, read, type Reply } from "../../api/client.ts";

/** Something that an operator should look at. */
export type Matter = Reply<"/admin/v1/attention">["data"][number];
export type AttentionKind = Matter["kind"];

/** What matters most stands first: money that may be lost, then who was not told, then what goes away by itself. */
const order: readonly AttentionKind[] = ["books", "unknown_outcome", "dead_letter", "stranded", "breaker", "alert"];

export async function getAttention(): Promise<{ matters: Matter[]; hasMore: boolean }> {
  const { data, has_more: hasMore } = await read(client.GET("/admin/v1/attention", { params: { query: { limit: "100" } } }));
  const rank = ({ kind }: Matter) => order.indexOf(kind);
  return { matters: [...data].sort((a, b) => rank(a) - rank(b) || b.at - a.at), hasMore };
}

/** Where a matter is dealt with. */
export function placeOf({ kind, task, account }: Matter): string {
  if (task !== null) return `/tasks/${task}`;
  if (kind === "breaker" || kind === "stranded") return "/providers";
  if (kind === "books") return "/system";
  if (kind === "dead_letter") return "/webhooks";
  return account === null ? "/accounts" : `/accounts/${account}`;
}
