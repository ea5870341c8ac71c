import { Type } from "typebox";
import { kinds } from "../core/kinds.ts";
import { priceUnits } from "../core/pricing.ts";

// `expects` completes the sentence "must be …" when a value is refused.
const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1, expects: "some text" });
const flag = Type.Boolean({ expects: "true or false" });
const count = Type.Integer({ minimum: 1, maximum: 1_000_000_000, expects: "a whole number of at least 1" });
const duration = Type.String({
  pattern: "^\\d{1,9}(\\.\\d{1,3})? ?(ms|s|m|h|d)$",
  expects: "a duration with its unit, such as 30s, 10m, 24h or 30d",
});
const usd = Type.Union([Type.Number(), Type.String()], { expects: "an amount in USD such as 0.15" });
const list = Type.Array(text, { expects: "a list" });

/** One entry under `providers`. */
export const ProviderEntry = Type.Object(
  {
    type: text,
    base_url: Type.Optional(text),
    keys: Type.Optional(list),
    limits: Type.Optional(Type.Object({ concurrent: Type.Optional(count), per_minute: Type.Optional(count) }, closed)),
    allow_private_network: Type.Optional(flag),
    webhook_secret: Type.Optional(text),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { expects: "settings of this type of provider" })),
  },
  closed,
);

/** One entry under `routes` of a model. */
export const RouteEntry = Type.Object(
  {
    provider: text,
    model: Type.Optional(text),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, expects: "a whole number, 0 or more" })),
    weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, expects: "a number above 0" })),
  },
  closed,
);

const durations = Type.Union([Type.Object({ min: count, max: count }, closed), Type.Array(count, { minItems: 1 })], {
  expects: "{ min, max } or a list of whole seconds",
});

/** What an operator may say about the abilities of a model. */
export const ModelLimits = Type.Object(
  {
    durations: Type.Optional(durations),
    aspect_ratios: Type.Optional(
      Type.Array(Type.String({ pattern: "^[1-9]\\d{0,4}:[1-9]\\d{0,4}$", expects: "a ratio such as 16:9" }), { minItems: 1 }),
    ),
    prompt_characters: Type.Optional(count),
    needs_image: Type.Optional(flag),
  },
  closed,
);

export const KindName = Type.Enum(kinds, { expects: `one of ${kinds.join(", ")}` });

/** Amounts in USD by unit. */
export const PriceTable = Type.Partial(Type.Record(Type.Enum(priceUnits), usd), closed);

/** One entry under `models`. */
export const ModelEntry = Type.Object(
  {
    kinds: Type.Array(KindName, { minItems: 1 }),
    routes: Type.Array(RouteEntry, { minItems: 1 }),
    price: Type.Union([Type.Literal("free"), PriceTable], { expects: `amounts by unit, such as { per_call: 0.10 }, or the word free` }),
    max_output_tokens: Type.Optional(count),
    limits: Type.Optional(ModelLimits),
  },
  closed,
);

/** Everything in the file but `providers` and `models`, one schema a section. */
export const sections = {
  limits: Type.Object(
    {
      requests_per_minute: Type.Optional(count),
      tokens_per_minute: Type.Optional(count),
      concurrent_calls: Type.Optional(count),
      concurrent_tasks: Type.Optional(count),
    },
    closed,
  ),
  calls: Type.Object(
    {
      deadline: Type.Optional(duration),
      silence: Type.Optional(duration),
      cache: Type.Optional(Type.Object({ ttl: Type.Optional(duration), megabytes: Type.Optional(count) }, closed)),
    },
    closed,
  ),
  local: Type.Union([Type.Boolean(), Type.Object({ gguf: text }, closed)], { expects: "true, false or { gguf: <path of a model file> }" }),
  server: Type.Object(
    { trust_proxy: Type.Optional(flag), cors: Type.Optional(list), hosts: Type.Optional(list), public_url: Type.Optional(text) },
    closed,
  ),
  outbound: Type.Object({ allow: Type.Optional(list) }, closed),
  anonymous_account: text,
  tasks: Type.Object(
    { deadline: Type.Optional(Type.Partial(Type.Record(Type.Enum(kinds), duration), closed)), retention: Type.Optional(duration) },
    closed,
  ),
  assets: Type.Object({ url_ttl: Type.Optional(duration), retention: Type.Optional(duration) }, closed),
  store: Type.Object({ url: Type.Optional(text) }, closed),
  media: Type.Object(
    {
      url: Type.Optional(text),
      download: Type.Optional(Type.Union([Type.Literal("proxy"), Type.Literal("presigned")], { expects: "proxy or presigned" })),
    },
    closed,
  ),
  redis_url: text,
  console: Type.Object(
    {
      oidc: Type.Optional(
        Type.Object(
          {
            issuer: text,
            client_id: text,
            client_secret: Type.Optional(text),
            label: Type.Optional(text),
            scopes: Type.Optional(text),
            claim: Type.Optional(text),
            operators: Type.Optional(list),
            viewers: Type.Optional(list),
            accounts: Type.Optional(Type.Record(Type.String(), text, { expects: "account names by value of the claim" })),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
};

/** The whole configuration file. */
export const ConfigFile = Type.Object(
  {
    providers: Type.Optional(Type.Record(Type.String(), ProviderEntry)),
    models: Type.Record(Type.String(), ModelEntry, { minProperties: 1 }),
    ...Type.Partial(Type.Object(sections)).properties,
  },
  closed,
);

/** The environment variables that are settings of their own. */
export const Environment = Type.Object({
  HOST: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9.:_-]+$", expects: "an address or a host name, without scheme or port" })),
  PORT: Type.Optional(Type.String({ pattern: "^\\d{1,5}$", expects: "a port from 0 to 65535" })),
  GENWAY_DATA_DIR: Type.Optional(text),
  GENWAY_CONFIG: Type.Optional(text),
  GENWAY_ADMIN_KEY: Type.Optional(
    Type.String({ minLength: 32, pattern: "^[\\x21-\\x7e]+$", expects: "at least 32 characters without spaces" }),
  ),
  GENWAY_OUTBOUND_ALLOW: Type.Optional(text),
  GENWAY_ROLE: Type.Optional(Type.String({ pattern: "^(gateway|worker|both)$", expects: "gateway, worker or both" })),
  GENWAY_WORKERS: Type.Optional(Type.String({ pattern: "^(auto|[1-9]\\d{0,2})$", expects: "auto or a whole number from 1 to 999" })),
});
