import type { Static } from "typebox";
import { suggest } from "../config/suggestion.ts";
import { scopes } from "../http/admin/keys.ts";
import { parseDuration } from "../kit/duration.ts";
import { command, gatewayOptions, jsonOption } from "./command.ts";
import { UsageError } from "./complaint.ts";
import { adminClient } from "./connection.ts";
import { formatKeyLimits, keyLimitOptions, readKeyLimits } from "./key-limits.ts";
import { accountNames, limitOption, noteMore, readLimit } from "./listing.ts";
import { CreatedKey, KeyRecord } from "./records.ts";
import { printTable } from "./table.ts";
import { formatList, formatTime } from "./wording.ts";

const createKey = command({
  name: "key create",
  takes: [],
  says: "Make a client key; its text is shown this once.",
  more: [
    "--scope, --model and --ip may be given several times, or once with commas.",
    "Limits that are not given are those of the configuration file, if it has any.",
  ],
  example: "genway key create --account shop --name website --scope video --expires 30d",
  options: {
    account: { type: "string", required: true, value: "NAME", says: "the account that pays, by name or id" },
    name: { type: "string", required: true, value: "NAME", says: "what the key is for" },
    scope: { type: "string", multiple: true, value: "GROUP", says: `only these groups: ${scopes.join(", ")}` },
    model: { type: "string", multiple: true, value: "NAME", says: "only these models" },
    ip: { type: "string", multiple: true, value: "CIDR", says: "only from these addresses or networks" },
    expires: { type: "string", value: "30d", says: "how long it is valid; for ever unless given" },
    ...keyLimitOptions,
    ...gatewayOptions,
    ...jsonOption,
  },
  async run({ values }, shell) {
    const { account, name } = values;
    const limits = {
      scopes: readScopes(values.scope),
      models: listOf(values.model),
      ips: listOf(values.ip),
      expires_at: expiry(values.expires, shell.now()),
      ...readKeyLimits(values),
    };
    const key = await adminClient(shell, values.url).ask(CreatedKey, "POST", "/admin/v1/keys", { body: { account, name, ...limits } });
    if (values.json) return shell.print(JSON.stringify(key, null, 2));
    // The key alone on the result, so that it can be piped into a secret store.
    shell.print(key.key);
    shell.note(`Key ${key.id} of account ${account}${validity(key)}. This is the only time it is shown.`);
  },
});

const listKeys = command({
  name: "key list",
  takes: [],
  says: "List keys.",
  example: "genway key list --account shop",
  options: {
    account: { type: "string", value: "NAME", says: "only the keys of this account" },
    ...limitOption,
    ...gatewayOptions,
    ...jsonOption,
  },
  async run({ values }, shell) {
    const client = adminClient(shell, values.url);
    const page = await client.list(KeyRecord, "/admin/v1/keys", readLimit(values.limit), { account: values.account });
    if (values.json) return shell.print(JSON.stringify({ object: "list", ...page }, null, 2));
    if (page.data.length === 0) return shell.note("There are no keys yet: genway key create makes one.");
    const names = await accountNames(client);
    const rows = page.data.map((key) => [
      key.id,
      names.get(key.account) ?? key.account,
      key.name,
      `…${key.last_four}`,
      stateOf(key, shell.now()),
      formatList(key.scopes),
      formatList(key.models),
      formatList(key.ips),
      formatKeyLimits(key),
    ]);
    printTable(shell, ["ID", "ACCOUNT", "NAME", "KEY", "STATE", "SCOPES", "MODELS", "ADDRESSES", "LIMITS"], rows);
    noteMore(shell, page);
  },
});

const limitKey = command({
  name: "key limit",
  takes: ["ID"],
  says: "Change the limits of a key, within seconds.",
  more: [`What is not given stays as it is; "none" takes a limit away, so that the one of the configuration file counts again.`],
  example: "genway key limit 3FZbLxQ0aVtRk2Wd --requests-per-minute 60 --spend-cap-usd none",
  options: { ...keyLimitOptions, ...gatewayOptions, ...jsonOption },
  async run({ values, words: [id] }, shell) {
    const body = readKeyLimits(values);
    if (Object.keys(body).length === 0) {
      const options = Object.keys(keyLimitOptions).map((name) => `--${name}`);
      throw new UsageError(`genway key limit needs at least one of ${options.join(", ")}.`, "key limit");
    }
    const key = await adminClient(shell, values.url).ask(KeyRecord, "PATCH", `/admin/v1/keys/${encodeURIComponent(id)}`, { body });
    if (values.json) return shell.print(JSON.stringify(key, null, 2));
    const limits = formatKeyLimits(key);
    shell.print(
      `Key ${key.id} (${key.name}, …${key.last_four}) has ${limits === "-" ? "no limits of its own" : `these limits: ${limits}`}.`,
    );
  },
});

const revokeKey = command({
  name: "key revoke",
  takes: ["ID"],
  says: "Revoke a key for good; it stops working within seconds.",
  example: "genway key revoke 3FZbLxQ0aVtRk2Wd",
  options: { ...gatewayOptions, ...jsonOption },
  async run({ values, words: [id] }, shell) {
    const key = await adminClient(shell, values.url).ask(KeyRecord, "DELETE", `/admin/v1/keys/${encodeURIComponent(id)}`);
    shell.print(values.json ? JSON.stringify(key, null, 2) : `Key ${key.id} (${key.name}, …${key.last_four}) is revoked.`);
  },
});

function readScopes(given: readonly string[] | undefined): string[] | null {
  const known: readonly string[] = scopes;
  const wanted = listOf(given);
  const unknown = wanted?.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw new UsageError(`There is no group "${unknown}": ${suggest(unknown, known)}`, "key create");
  return wanted;
}

function listOf(given: readonly string[] | undefined): string[] | null {
  const entries = (given ?? []).flatMap((text) => text.split(",")).flatMap((entry) => entry.trim() || []);
  return entries.length === 0 ? null : entries;
}

function expiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  try {
    return Math.floor((now + parseDuration(text)) / 1000);
  } catch (error) {
    throw new UsageError(`--expires: ${error instanceof Error ? error.message : "not a span of time"}.`, "key create");
  }
}

function validity({ expires_at: at }: Static<typeof KeyRecord>): string {
  return at === null ? "" : `, valid until ${formatTime(at)}`;
}

function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: Static<typeof KeyRecord>, now: number): string {
  if (revokedAt !== null) return `revoked ${formatTime(revokedAt)}`;
  if (expiresAt === null) return "valid";
  return `${expiresAt * 1000 <= now ? "expired" : "valid until"} ${formatTime(expiresAt)}`;
}

export const keyCommands = [createKey, listKeys, limitKey, revokeKey];
