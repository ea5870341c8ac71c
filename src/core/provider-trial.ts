import { masked } from "../kit/masked.ts";
import { kindOfOperation, type CallOperation, type JsonObject } from "./call.ts";
import type { Probed } from "./provider.ts";
import type { Credential } from "./refusal.ts";
import { RoutedCall } from "./routed-call.ts";
import type { Catalog, Installed } from "./routing.ts";

const mostMs = 10_000;

/** The smallest request of each operation that is worth its price as a test. */
const smallest: readonly [CallOperation, JsonObject][] = [
  ["chat", { messages: [{ role: "user", content: "Hi" }], max_tokens: 1 }],
  ["completion", { prompt: "Hi", max_tokens: 1 }],
  ["embedding", { input: "Hi" }],
  ["moderation", { input: "Hi" }],
];

/** Tries a provider out with each of its keys: by its cheapest question, or by the smallest call to a model. Nobody is charged for it. */
export async function tryProvider(catalog: Catalog, installed: Installed, model: string | null): Promise<Probed> {
  const { credentials } = installed;
  const tries = await Promise.all(credentials.map((credential) => withinTime(tryKey(catalog, installed, credential, model))));
  const told = tries.map(({ says }, at) => (credentials.length === 1 ? says : `${masked(credentials[at]?.secret ?? "")}: ${says}`));
  return { ok: tries.every(({ ok }) => ok), says: discreet(told.join(" "), credentials) };
}

// An upstream may say any of them, whichever it was shown.
function discreet(says: string, credentials: readonly Credential[]): string {
  const secrets = credentials.map(({ secret }) => secret).filter((secret) => secret.length >= shortestSecret);
  return secrets.toSorted((a, b) => b.length - a.length).reduce((text, secret) => text.replaceAll(secret, masked(secret)), says);
}

const shortestSecret = 8;

function tryKey(catalog: Catalog, installed: Installed, credential: Credential, model: string | null): Promise<Probed> {
  const signal = AbortSignal.timeout(mostMs);
  const call = model === null ? undefined : smallest.find(([operation]) => isOffered(catalog, installed, operation, model));
  if (call !== undefined && model !== null) return askModel(catalog, installed, credential, model, call, signal);
  const { probe } = installed.provider;
  return probe === undefined ? Promise.resolve({ ok: true, says: "It has no way to be tried." }) : probe({ credential, signal });
}

function isOffered(catalog: Catalog, { name, provider }: Installed, operation: CallOperation, model: string): boolean {
  if (provider.calls?.[operation] === undefined) return false;
  return catalog.find(kindOfOperation[operation], model)?.routes.some((route) => route.provider === name) ?? false;
}

async function askModel(
  catalog: Catalog,
  { name, provider }: Installed,
  credential: Credential,
  model: string,
  [operation, body]: readonly [CallOperation, JsonObject],
  signal: AbortSignal,
): Promise<Probed> {
  const route = catalog.find(kindOfOperation[operation], model)?.routes.find(({ provider: at }) => at === name);
  const asked = { operation, model, body: { ...body, model }, raw: null, extras: null, files: [], stream: false, headers: {} };
  const answer = await provider.calls?.[operation]?.(new RoutedCall(asked, route?.model ?? model), {
    signal,
    credential,
    patienceMs: mostMs,
  });
  if (answer === undefined) return { ok: false, says: "It does not offer this." };
  if (answer.state === "refused")
    return { ok: false, says: `The model did not answer (${answer.refusal.class}): ${(answer.refusal.cause ?? "").slice(0, 300)}` };
  // What comes in pieces has come.
  if (answer.state === "stream") await answer.pieces[Symbol.asyncIterator]().return?.();
  return { ok: true, says: `The model '${model}' answered.` };
}

async function withinTime(work: Promise<Probed>): Promise<Probed> {
  const late = Promise.withResolvers<Probed>();
  const timer = setTimeout(() => late.resolve({ ok: false, says: "It did not answer within 10 seconds." }), mostMs + 500);
  try {
    return await Promise.race([
      work.catch((error: unknown) => ({ ok: false, says: `It could not be tried: ${wordsOf(error)}` })),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
