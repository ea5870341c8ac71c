import { topUpStarter, type Caller } from "./accounts.ts";
import type { Breaker } from "./breaker.ts";
import type { ChargeBook } from "./charge-book.ts";
import { kindOfOperation } from "./call.ts";
import type { CallGate } from "./call-gate.ts";
import { answerCall, type Answered } from "./call-answer.ts";
import { createCallCount } from "./call-count.ts";
import { modelOf, routesOf } from "./call-route.ts";
import { Failure } from "./errors.ts";
import type { Asked, Meter, OutputLimit } from "./meter.ts";
import type { Clock, Log, Store } from "./ports.ts";
import { priceCall, type Amounts, type Measured, type Quote } from "./pricing.ts";
import { mostOf, quoteCall } from "./call-quote.ts";
import type { FailureClass } from "./refusal.ts";
import type { Pulse } from "./pulse.ts";
import type { Purse } from "./purse.ts";
import type { Reservation } from "./reservation.ts";
import type { Catalog, Model } from "./routing.ts";

export type CallsNeeds = {
  store: Store;
  catalog: Catalog;
  purse: Purse;
  charges: ChargeBook;
  breaker: Breaker;
  gate: CallGate;
  clock: Clock;
  random: () => number;
  log: Log;
  pulse: Pick<Pulse, "add">;
  observe(call: ObservedCall): void;
  observeRefusal(provider: string, why: FailureClass): void;
  /** How long a call may take in all, and how long an upstream may be silent. */
  patience: () => { deadlineMs: number; silenceMs: number };
};

/** A call that has ended, for whoever counts. */
export type ObservedCall = { operation: string; model: string; provider: string; measured: Measured; costNanos: number; ms: number };

/** A call that an upstream has begun to answer. */
export type OpenCall = Answered & {
  /** Pays for what was delivered; when this returns, the charge is committed. Answers the cost. */
  settle(measured: Measured): Promise<number>;
  /** Gives back what was set aside, when nothing is to be paid. */
  release(): void;
};

export type Calls = {
  /** Finds a route, sets money aside, and brings the call to an answer: the next route is tried as long as no byte of a reply has come. */
  open(caller: Caller, asked: Asked, meter: Meter, signal: AbortSignal): Promise<OpenCall>;
  /** The most that a call can cost. */
  quote(caller: Caller, asked: Asked, meter: Meter): Quote;
};

export function createCalls(needs: CallsNeeds): Calls {
  const { catalog, random } = needs;
  return {
    async open(caller, asked, meter, signal) {
      const startedAt = needs.clock();
      const count = createCallCount(needs, caller, asked, startedAt);
      let reservation: Reservation | null = null;
      try {
        const model = modelOf(catalog, caller, asked);
        count.model(asked.model);
        const routes = routesOf(catalog, caller, asked, model, random);
        const reserved = await reserve(needs, caller, asked, meter, model);
        reservation = reserved.reservation;
        const answered = await answerCall(needs, routes, reserved.request, meter, signal);
        count.provider(answered.provider);
        const charge = (measured: Measured) => settle(needs, caller, asked, { model, measured, startedAt, provider: answered.provider });
        return {
          ...answered,
          broke(why) {
            count.broke(why);
            answered.broke(why);
          },
          settle: (measured) => count.paid(charge(measured), measured, signal).finally(() => reservation?.release()),
          release() {
            count.unpaid(signal);
            reservation?.release();
          },
        };
      } catch (error) {
        count.failed(error);
        reservation?.release();
        throw error;
      }
    },
    quote: (caller, asked, meter) => quoteCall(asked, meter, modelOf(catalog, caller, asked)),
  };
}

const fewestTokens = 16;

type Reserved = { reservation: Reservation | null; request: Asked };

/** Sets aside the most that a call can cost; where the balance is smaller, the output is limited to what it affords. */
async function reserve(needs: CallsNeeds, caller: Caller, asked: Asked, meter: Meter, model: Model): Promise<Reserved> {
  if (caller.account.frozen) throw new Failure("unavailable", { says: "Spending on this account is stopped until its books are checked." });
  const kind = kindOfOperation[asked.operation];
  const cost = (amounts: Amounts) => priceCall(kind, model.price, amounts);
  const most = mostOf(asked, meter, model);
  const wish = cost(most);
  if (wish === 0) return { reservation: null, request: asked };
  const { output } = meter;
  const times = output?.times(asked.body) ?? 1;
  const few = Math.min(fewestTokens * times, most.outputTokens ?? 0);
  const least = output === undefined || (most.outputTokens ?? 0) === 0 ? wish : cost({ ...most, outputTokens: few });
  const reservation = await take(needs, caller, wish, least);
  if (output === undefined) return { reservation, request: asked };
  if (reservation.nanos >= wish) {
    // A request that names no limit may go on for longer than is set aside, if there is plenty; else it is told the limit.
    const isOpen = output.of(asked.body) === null && reservation.leftNanos >= plenty * wish;
    const limited = isOpen || output.names(asked.body) ? asked : limitedTo(asked, output, (most.outputTokens ?? 0) / times);
    return { reservation, request: limited };
  }
  const perToken = (model.price.output_per_million ?? 0) / 1_000_000;
  const left = reservation.nanos - cost({ ...most, outputTokens: 0 });
  const tokens = perToken === 0 ? fewestTokens : Math.floor(left / perToken / times);
  return { reservation, request: limitedTo(asked, output, Math.max(fewestTokens, tokens)) };
}

// So many times what is set aside must be left for a call to go on without a limit.
const plenty = 10;

function limitedTo(asked: Asked, output: OutputLimit, tokens: number): Asked {
  return { ...asked, body: output.change(asked.body, Math.floor(tokens)), raw: null };
}

async function take({ purse, store, clock }: CallsNeeds, { account, key }: Caller, wish: number, least: number): Promise<Reservation> {
  let reservation = await purse.reserve(account.id, key, wish, least);
  if (reservation === null && account.starter) {
    const fresh = await store.account({ idOrName: account.id });
    if (fresh !== null) await topUpStarter(store, fresh, clock(), least);
    // The purse has just heard that there is nothing, and would not ask again so soon.
    purse.forget(account.id);
    reservation = await purse.reserve(account.id, key, wish, least);
  }
  if (reservation !== null) return reservation;
  const capped = key?.limits.spendCapNanos ?? null;
  throw new Failure(
    "insufficient_balance",
    capped === null ? {} : { says: "The balance or the spend cap of this key does not cover this request." },
  );
}

type Settling = { model: Model; measured: Measured; startedAt: number; provider: string };

async function settle(
  { charges, clock, observe }: CallsNeeds,
  { account, key }: Caller,
  { operation, model: name }: Asked,
  { model, measured, startedAt, provider }: Settling,
): Promise<number> {
  const now = clock();
  const ms = Math.max(0, now - startedAt);
  const { inputTokens = 0, outputTokens = 0, estimated } = measured;
  const costNanos = priceCall(kindOfOperation[operation], model.price, measured);
  await charges.pay({
    account: account.id,
    key: key?.id ?? null,
    operation,
    model: name,
    provider,
    inputTokens,
    outputTokens,
    costNanos,
    estimated,
    ms,
    now,
  });
  observe({ operation, model: model.name, provider, measured, costNanos, ms });
  return costNanos;
}
