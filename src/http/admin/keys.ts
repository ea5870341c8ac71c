import { isIP } from "node:net";
import { Type, type Static } from "typebox";
import { makeKey, noLimits } from "../../core/accounts.ts";
import { Failure } from "../../core/errors.ts";
import { nanosFromUsd, usdFromNanos } from "../../core/money.ts";
import type { Key, KeyLimits } from "../../core/records.ts";
import { operation } from "../operation.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery, secondsOrNull } from "../wire.ts";
import { admin, namedAccount, recordAct } from "./acts.ts";

export const scopes = [
  "video",
  "videoB",
  "videos",
  "musicA",
  "musicB",
  "completion",
  "chat",
  "embeddings",
  "moderations",
  "rerank",
  "images",
  "imageA",
  "imageB",
  "audio",
  "tasks",
  "files",
  "webhooks",
  "usage",
] as const;

const perMinute = Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })));

const limits = {
  scopes: Type.Optional(nullable(Type.Array(Type.Union(scopes.map((scope) => Type.Literal(scope))), { description: scopes.join(", ") }))),
  models: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000 }))),
  ips: Type.Optional(
    nullable(Type.Array(Type.String({ maxLength: 50, description: "an address or a network, e.g. 10.0.0.0/8" }), { maxItems: 100 })),
  ),
  expires_at: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 99_999_999_999, description: "unix seconds" }))),
  spend_cap_usd: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1_000_000, description: "what it may spend in all" }))),
  requests_per_minute: perMinute,
  tokens_per_minute: perMinute,
  concurrent_calls: perMinute,
  concurrent_tasks: perMinute,
};

const KeyRecord = Type.Object({
  id: Type.String(),
  object: Type.Literal("key"),
  account: Type.String(),
  name: Type.String(),
  last_four: Type.String(),
  scopes: nullable(Type.Array(Type.String())),
  models: nullable(Type.Array(Type.String())),
  ips: nullable(Type.Array(Type.String())),
  expires_at: nullable(Type.Integer()),
  spend_cap_usd: nullable(Type.Number()),
  spent_usd: Type.Number(),
  requests_per_minute: nullable(Type.Integer()),
  tokens_per_minute: nullable(Type.Integer()),
  concurrent_calls: nullable(Type.Integer()),
  concurrent_tasks: nullable(Type.Integer()),
  revoked_at: nullable(Type.Integer()),
  created_at: Type.Integer(),
});

function keyRecord({
  id,
  account,
  name,
  lastFour,
  scopes: limitedTo,
  models,
  ips,
  expiresAt,
  revokedAt,
  createdAt,
  limits: { requestsPerMinute, tokensPerMinute, concurrentCalls, concurrentTasks, spendCapNanos },
  spentNanos,
}: Key): Static<typeof KeyRecord> {
  return {
    id,
    object: "key",
    account,
    name,
    last_four: lastFour,
    scopes: limitedTo,
    models,
    ips,
    expires_at: secondsOrNull(expiresAt),
    spend_cap_usd: spendCapNanos === null ? null : usdFromNanos(spendCapNanos),
    spent_usd: usdFromNanos(spentNanos),
    requests_per_minute: requestsPerMinute,
    tokens_per_minute: tokensPerMinute,
    concurrent_calls: concurrentCalls,
    concurrent_tasks: concurrentTasks,
    revoked_at: secondsOrNull(revokedAt),
    created_at: Math.floor(createdAt / 1000),
  };
}

type LimitFields = {
  spend_cap_usd?: number | null;
  requests_per_minute?: number | null;
  tokens_per_minute?: number | null;
  concurrent_calls?: number | null;
  concurrent_tasks?: number | null;
};

/** The limits that a request names; what it leaves out stays as it is. */
function keyLimits(body: LimitFields): Partial<KeyLimits> {
  const cap = body.spend_cap_usd;
  return {
    ...(cap !== undefined && { spendCapNanos: cap === null ? null : nanosFromUsd(cap) }),
    ...(body.requests_per_minute !== undefined && { requestsPerMinute: body.requests_per_minute }),
    ...(body.tokens_per_minute !== undefined && { tokensPerMinute: body.tokens_per_minute }),
    ...(body.concurrent_calls !== undefined && { concurrentCalls: body.concurrent_calls }),
    ...(body.concurrent_tasks !== undefined && { concurrentTasks: body.concurrent_tasks }),
  };
}

function checkNetworks(ips: readonly string[] | null | undefined): void {
  for (const text of ips ?? []) {
    const [address = "", bits] = text.split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    if (version === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) {
      throw new Failure("invalid_request", { says: `'ips' has '${text}', which is no address or network.`, param: "ips" });
    }
  }
}

const createKey = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/keys",
  summary: "Create a key; its text is shown this once",
  body: Type.Object({ account: Type.String(), name: Type.String({ minLength: 1, maxLength: 100 }), ...limits }),
  reply: Type.Object({ ...KeyRecord.properties, key: Type.String() }),
  async run(ask, services) {
    const { body } = ask;
    checkNetworks(body.ips);
    const { id: account } = await namedAccount(services, body.account);
    const made = makeKey();
    const key = await services.store.createKey({
      id: made.id,
      hash: made.hash,
      lastFour: made.lastFour,
      account,
      name: body.name,
      scopes: body.scopes ?? null,
      models: body.models ?? null,
      ips: body.ips ?? null,
      expiresAt: body.expires_at === undefined || body.expires_at === null ? null : body.expires_at * 1000,
      revokedAt: null,
      createdAt: services.clock(),
      limits: { ...noLimits, ...keyLimits(body) },
      spentNanos: 0,
    });
    if (key === null) throw new Failure("not_found", { says: "There is no such account.", param: "account" });
    await recordAct(services, ask, "key.create", key.id, { account, name: body.name });
    return { ...keyRecord(key), key: made.text };
  },
});

const listKeys = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/keys",
  summary: "List keys",
  query: Type.Object({ ...PageQuery, account: Type.Optional(Type.String()) }),
  reply: ListReply(KeyRecord),
  async run({ query }, services) {
    const { shown, ...page } = pageOf(query);
    const account = query.account === undefined ? {} : { account: (await namedAccount(services, query.account)).id };
    return listOf((await services.store.listKeys({ ...page, ...account })).map(keyRecord), shown);
  },
});

const Id = Type.Object({ id: Type.String() });

const updateKey = operation({
  ...admin,
  method: "PATCH",
  url: "/admin/v1/keys/:id",
  summary: "Change a key's name or limits",
  params: Id,
  body: Type.Object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })), ...limits }),
  reply: KeyRecord,
  async run(ask, services) {
    const { params, body } = ask;
    checkNetworks(body.ips);
    const { expires_at: expires, name, scopes: limitedTo, models, ips } = body;
    const key = await services.store.updateKey({
      id: params.id,
      ...(name !== undefined && { name }),
      ...(limitedTo !== undefined && { scopes: limitedTo }),
      ...(models !== undefined && { models }),
      ...(ips !== undefined && { ips }),
      limits: keyLimits(body),
      ...(expires === undefined ? {} : { expiresAt: expires === null ? null : expires * 1000 }),
    });
    if (key === null) throw new Failure("not_found", { says: "There is no such key." });
    services.keyRing.forget(params.id);
    await recordAct(services, ask, "key.update", params.id, body);
    return keyRecord(key);
  },
});

const rotateKey = operation({
  ...admin,
  method: "POST",
  url: "/admin/v1/keys/:id/rotate",
  summary: "Give a key a new text, shown this once; the old one works no more",
  params: Id,
  reply: Type.Object({ ...KeyRecord.properties, key: Type.String() }),
  async run(ask, services) {
    const { id } = ask.params;
    const known = await services.store.keyById({ id });
    if (known === null) throw new Failure("not_found", { says: "There is no such key." });
    if (known.key.revokedAt !== null) throw new Failure("invalid_request", { says: "A revoked key stays revoked; create another." });
    const { text, hash, lastFour } = makeKey(id);
    const key = await services.store.updateKey({ id, secret: { hash, lastFour } });
    if (key === null) throw new Failure("not_found", { says: "There is no such key." });
    services.keyRing.forget(id);
    await recordAct(services, ask, "key.rotate", id);
    return { ...keyRecord(key), key: text };
  },
});

const revokeKey = operation({
  ...admin,
  method: "DELETE",
  url: "/admin/v1/keys/:id",
  summary: "Revoke a key",
  params: Id,
  reply: KeyRecord,
  async run(ask, services) {
    const { params } = ask;
    const key = await services.store.updateKey({ id: params.id, revokedAt: services.clock() });
    if (key === null) throw new Failure("not_found", { says: "There is no such key." });
    services.keyRing.forget(params.id);
    await recordAct(services, ask, "key.revoke", params.id);
    return keyRecord(key);
  },
});

export const keyOperations = [createKey, listKeys, updateKey, rotateKey, revokeKey];
