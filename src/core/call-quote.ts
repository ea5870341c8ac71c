import { kindOfOperation } from "./call.ts";
import type { Asked, Meter } from "./meter.ts";
import { priceCall, unitsOfKind, type Amounts, type Quote } from "./pricing.ts";
import type { Model } from "./routing.ts";

/** The most that a call can cost; what it uses is known when it is answered. */
export function quoteCall(asked: Asked, meter: Meter, model: Model): Quote {
  const kind = kindOfOperation[asked.operation];
  const most = mostOf(asked, meter, model);
  const details = unitsOfKind[kind].flatMap((unit) => {
    const unitNanos = model.price[unit];
    if (unitNanos === undefined) return [];
    const amountNanos = priceCall(kind, { [unit]: unitNanos }, most);
    return [{ unit, quantity: unitNanos === 0 ? 0 : amountNanos / unitNanos, unitNanos, amountNanos }];
  });
  return { amountNanos: priceCall(kind, model.price, most), details };
}

/** The most that a call can use. */
export function mostOf(asked: Asked, meter: Meter, { maxOutputTokens }: Model): Amounts {
  const most = meter.most(asked);
  if (meter.output === undefined) return most;
  const each = meter.output.of(asked.body) ?? maxOutputTokens ?? usualOutputTokens;
  return { ...most, outputTokens: each * meter.output.times(asked.body) };
}

/** What each choice may have where neither the request nor the model says. */
export const usualOutputTokens = 4_096;
