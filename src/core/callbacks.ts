import { createCallbackTokens } from "./callback-token.ts";
import { Failure } from "./errors.ts";
import { mostAttempts } from "./next-way.ts";
import type { Clock, Log, Store } from "./ports.ts";
import type { CallbackMessage } from "./provider.ts";
import type { Attempt } from "./records.ts";
import type { Catalog } from "./routing.ts";

export type CallbacksNeeds = {
  store: Pick<Store, "attempts" | "pollNow">;
  catalog: Pick<Catalog, "provider">;
  /** Makes tokens that nobody else can. */
  key: Buffer;
  /** Where upstreams reach us; null where they cannot. */
  baseUrl: (provider: string) => string | null;
  wake: () => void;
  clock: Clock;
  log: Log;
};

/** What upstreams may tell us of their jobs: never more than that it is time to ask. */
export type Callbacks = {
  /** The address for one attempt at a task, and a secret of its own to sign with. */
  addressFor(provider: string, taskId: string, attempt: number): { url: string; secret: string } | null;
  /** Takes a message to such an address; answers what to reply. Throws Failure where the token or the signature is not genuine. */
  receive(provider: string, token: string, message: Omit<CallbackMessage, "now">): Promise<unknown>;
};

export function createCallbacks(needs: CallbacksNeeds): Callbacks {
  const { store, catalog, clock, log } = needs;
  const tokens = createCallbackTokens(needs.key);
  const nextAsk = createPause();

  async function judge(provider: string, attempt: Attempt, taskId: string, message: CallbackMessage): Promise<unknown> {
    const installed = catalog.provider(provider);
    const hear = installed?.provider.tasks?.hear;
    const credential = installed?.credentials.find(({ id }) => id === attempt.credential);
    if (hear === undefined || credential === undefined) return received;
    const heard = await hear(message, { job: tokens.secretOf(taskId, attempt.n), credential: credential.secret });
    if (heard.state === "challenge") return heard.reply;
    if (heard.state === "forged") {
      log.warn({ task: taskId, provider, cause: heard.cause }, "a callback was not genuine");
      throw new Failure("invalid_key", { says: "The signature of this message is not valid." });
    }
    if (attempt.state === "ACCEPTED" && (await store.pollNow({ taskId, attempt: attempt.n, now: nextAsk(taskId, message.now) })))
      needs.wake();
    return received;
  }

  return {
    addressFor(provider, taskId, attempt) {
      const base = needs.baseUrl(provider);
      if (base === null || attempt > mostAttempts) return null;
      return {
        url: `${base}/callbacks/${encodeURIComponent(provider)}/${tokens.make(provider, taskId, attempt)}`,
        secret: tokens.secretOf(taskId, attempt),
      };
    },
    async receive(provider, token, message) {
      const place = tokens.read(provider, token);
      const attempts = place === null ? [] : await store.attempts({ taskId: place.taskId });
      const attempt = attempts.find(({ n, provider: name }) => n === place?.attempt && name === provider);
      if (place === null || attempt === undefined) throw new Failure("not_found");
      return judge(provider, attempt, place.taskId, { ...message, now: clock() });
    },
  };
}

/** Whoever sends many messages about a job has it asked about no faster for that; the last of them is not lost. */
function createPause(): (taskId: string, now: number) => number {
  const hurried = new Map<string, number>();
  return (taskId, now) => {
    const last = hurried.get(taskId) ?? 0;
    if (last > now) return last;
    if (hurried.size >= mostHurried) hurried.clear();
    const at = Math.max(now, last + restMs);
    hurried.set(taskId, at);
    return at;
  };
}

const received = { received: true };
const restMs = 1_000;
const mostHurried = 10_000;
