import type { Body } from "../../api/client.ts";
import type { Key } from "./key.ts";

/** A group of operations that a key may be limited to. */
export type Scope = NonNullable<Body<"/admin/v1/keys", "post">["scopes"]>[number];

// All of them, in the order of the form: a type has no members to list.
const known: Record<Scope, true> = {
  video: true,
  videoB: true,
  videos: true,
  musicA: true,
  musicB: true,
  completion: true,
  chat: true,
  embeddings: true,
  moderations: true,
  rerank: true,
  images: true,
  imageA: true,
  imageB: true,
  audio: true,
  tasks: true,
  files: true,
  webhooks: true,
  usage: true,
};
export const scopes = Object.keys(known).filter((name): name is Scope => name in known);

/** A key as it stands in the form: texts, empty where nothing is limited. */
export type KeyDraft = {
  name: string;
  scopes: readonly Scope[] | null;
  models: string;
  ips: string;
  expires: string;
  cap: string;
  rpm: string;
  tpm: string;
  calls: string;
  tasks: string;
};

export function draftOf(key: Key | null): KeyDraft {
  return {
    name: key?.name ?? "",
    scopes: key?.scopes ? scopes.filter((scope) => key.scopes?.includes(scope)) : null,
    models: (key?.models ?? []).join("\n"),
    ips: (key?.ips ?? []).join("\n"),
    expires: key?.expires_at ? localTime(key.expires_at) : "",
    cap: shown(key?.spend_cap_usd),
    rpm: shown(key?.requests_per_minute),
    tpm: shown(key?.tokens_per_minute),
    calls: shown(key?.concurrent_calls),
    tasks: shown(key?.concurrent_tasks),
  };
}

/** What the service is told: everything, so that what was emptied is no longer limited. */
export function bodyOf(draft: KeyDraft) {
  return {
    name: draft.name.trim(),
    scopes: draft.scopes === null ? null : [...draft.scopes],
    models: linesOf(draft.models),
    ips: linesOf(draft.ips),
    expires_at: draft.expires === "" ? null : Math.floor(new Date(draft.expires).getTime() / 1000),
    spend_cap_usd: number(draft.cap),
    requests_per_minute: number(draft.rpm),
    tokens_per_minute: number(draft.tpm),
    concurrent_calls: number(draft.calls),
    concurrent_tasks: number(draft.tasks),
  };
}

export function linesOf(text: string): string[] | null {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length === 0 ? null : [...new Set(lines)];
}

function number(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

function shown(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Unix seconds as an input of local time wants them. */
function localTime(at: number): string {
  const date = new Date(at * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
