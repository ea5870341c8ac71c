import { Type, type Static } from "typebox";
import { sayAlert } from "../../core/alert.ts";
import { readPlace } from "../../core/breaker.ts";
import type { Page } from "../../core/records.ts";
import { isServed, providerOf } from "../../core/routing.ts";
import { strayMs } from "../../core/strays.ts";
import { operation } from "../operation.ts";
import type { Services } from "../services.ts";
import { listOf, ListReply, nullable, pageOf, PageQuery } from "../wire.ts";
import { admin } from "./acts.ts";
import { shownKey } from "./shown-key.ts";

const Attention = Type.Object({
  id: Type.String(),
  object: Type.Literal("attention"),
  kind: Type.Union([
    Type.Literal("unknown_outcome"),
    Type.Literal("dead_letter"),
    Type.Literal("breaker"),
    Type.Literal("stranded"),
    Type.Literal("alert"),
    Type.Literal("books"),
  ]),
  says: Type.String(),
  cause: nullable(Type.String({ description: "what an upstream or a receiver said" })),
  task: nullable(Type.String()),
  account: nullable(Type.String()),
  provider: nullable(Type.String()),
  delivery: nullable(Type.String()),
  at: Type.Integer(),
  until: nullable(Type.Integer({ description: "when a breaker lets something through again" })),
});
type Row = Static<typeof Attention>;

const none = { cause: null, task: null, account: null, provider: null, delivery: null, until: null };

const listAttention = operation({
  ...admin,
  method: "GET",
  url: "/admin/v1/attention",
  summary: "What an operator should look at: what is wrong now, then what happened, newest first",
  query: Type.Object(PageQuery),
  reply: ListReply(Attention),
  async run({ query }, services) {
    const { shown, ...page } = pageOf(query);
    const happened = listOf(await pastRows(services, page), shown);
    const now = query.after === undefined ? await presentRows(services) : [];
    return { ...happened, data: [...now, ...happened.data] };
  },
});

/** What is so now: it goes away by itself, and stands before everything else. */
async function presentRows(services: Services): Promise<Row[]> {
  const { readiness, operating, catalog, clock } = services;
  const at = Math.floor(clock() / 1000);
  const { books } = (await readiness()).checks;
  const wrong: Row[] =
    books === undefined || books === "ok" || books === "not checked yet"
      ? []
      : [{ ...none, id: "books", object: "attention", kind: "books", says: `The books do not agree: ${books}.`, at }];
  const broken = operating.resting().filter(({ why }) => why === "broken");
  const breakers = broken.map(({ place, until }): Row => {
    const { provider, model, credential } = readPlace(place);
    const says = `Work for '${model}' with the key ${shownKey(catalog, provider, credential)} fails, and is kept away for now.`;
    return { ...none, id: place, object: "attention", kind: "breaker", says, provider, at, until: Math.ceil(until / 1000) };
  });
  return [...wrong, ...(await strandedRows(services)), ...breakers];
}

/** Tasks that wait where nobody comes, and for which there is no other way. */
async function strandedRows({ store, catalog, clock }: Services): Promise<Row[]> {
  const queues = await store.queues({ dueBefore: clock() - 2 * strayMs });
  const stranded = queues.filter(({ lane, credential }) => !isServed(catalog, lane, credential));
  return stranded.map(({ lane, credential, count, dueAt }): Row => {
    const provider = providerOf(lane);
    const installed = catalog.provider(provider);
    const why = installed?.off ? "is switched off" : installed === null ? "is not configured any more" : "has lost the key that they need";
    const says = `${count === 1 ? "A task waits" : `${count} tasks wait`} for '${provider}', which ${why}; no other provider can do ${count === 1 ? "it" : "them"}.`;
    return {
      ...none,
      id: `stranded ${lane} ${credential}`.trimEnd(),
      object: "attention",
      kind: "stranded",
      says,
      provider,
      at: seconds(dueAt),
    };
  });
}

const alertsMs = 7 * 24 * 60 * 60 * 1000;

/** What happened: ids begin with their time, so that one of them marks a place in all of these lists. */
async function pastRows({ store, clock }: Services, { limit, after }: Page): Promise<Row[]> {
  const place = after === undefined ? undefined : timedId(after);
  const [attempts, deliveries, alerts] = await Promise.all([
    store.attention({ limit, ...(place && { after: place }) }),
    store.listDeliveries({ limit, account: null, state: "failed", ...(place && { after: `msg_${place}` }) }),
    store.listAlerts({ limit, account: null, ...(place && { after: place }) }),
  ]);
  const object = "attention";
  const rows: Row[] = [
    ...attempts.map(({ taskId, account, provider, cause, at }): Row => {
      const says = "Nobody knows whether the provider started this task; it may have cost something there.";
      return { ...none, id: taskId, object, kind: "unknown_outcome", says, cause, task: taskId, account, provider, at: seconds(at) };
    }),
    ...deliveries.map(({ id, url, account, task, lastError, createdAt }): Row => {
      const says = `A message to ${hostOf(url)} was given up.`;
      return { ...none, id, object, kind: "dead_letter", says, cause: lastError, task, account, delivery: id, at: seconds(createdAt) };
    }),
    ...alerts
      .filter(({ at }) => at > clock() - alertsMs)
      .map(({ id, account, fact, at }): Row => ({ ...none, id, object, kind: "alert", says: sayAlert(fact), account, at: seconds(at) })),
  ];
  return rows.toSorted((a, b) => (timedId(a.id) < timedId(b.id) ? 1 : -1)).slice(0, limit);
}

function timedId(id: string): string {
  return id.replace(/^msg_/, "");
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "an address";
}

export const attentionOperations = [listAttention];
