import type { FailureClass } from "./refusal.ts";
import type { Clock } from "./ports.ts";
import type { Kind } from "./kinds.ts";
import type { Installed } from "./routing.ts";

const failuresToOpen = 5;
const windowMs = 30_000;
const firstRestMs = 10_000;
const longestRestMs = 120_000;

type Circuit = {
  failures: number[];
  /** Broken: nothing is sent before this time, and then one call finds out. */
  openUntil: number;
  restMs: number;
  probing: boolean;
  /** Full: others are asked first until this time. */
  fullUntil: number;
};

/** What may be sent to a place: anything, only what no other place can take, or nothing. */
export type Admission = "open" | "full" | "closed";

/**
 * Keeps calls away from a provider × model × key that fails: after five failures in half a minute it rests, longer each time,
 * and then one call probes it. A place that says it is full is asked last for as long as it says.
 */
export type Breaker = {
  admits(place: string): Admission;
  /** A call is about to be sent; false where another is already probing a place that rested. */
  begin(place: string): boolean;
  succeeded(place: string): void;
  failed(place: string, why: FailureClass, retryAfterMs?: number): void;
  /** The places that rest now, for operators. */
  resting(): Resting[];
};

export type Resting = { place: string; until: number; why: "broken" | "full" };

/** The name of a provider × kind and model × key. */
export function placeOf(provider: string, kind: string, model: string, credential: string): string {
  return `${provider}/${kind}:${model}/${credential}`;
}

/** How readily a provider takes a model's work: as the best of its keys does. */
export function admissionOf({ admits }: Pick<Breaker, "admits">, { name, credentials }: Installed, kind: Kind, model: string): Admission {
  const known = credentials.map(({ id }) => admits(placeOf(name, kind, model, id)));
  if (known.includes("open") || known.length === 0) return "open";
  return known.includes("full") ? "full" : "closed";
}

const readiness: Record<Admission, number> = { open: 0, full: 1, closed: 2 };

/** Those that take work before those that are full, and those that rest last; otherwise in the same order. */
export function byAdmission<T extends { admission: Admission }>(places: readonly T[]): T[] {
  return places.toSorted((a, b) => readiness[a.admission] - readiness[b.admission]);
}

/** What such a name says; only names of models have slashes. */
export function readPlace(place: string): { provider: string; model: string; credential: string } {
  const [provider = "", ...rest] = place.split("/");
  const credential = rest.pop() ?? "";
  const model = rest.join("/");
  return { provider, model: model.slice(model.indexOf(":") + 1), credential };
}

const countsAgainst = new Set<FailureClass>(["transient", "timeout", "auth", "quota"]);

export function createBreaker(clock: Clock): Breaker {
  const circuits = new Map<string, Circuit>();

  function circuitOf(place: string): Circuit {
    const known = circuits.get(place);
    if (known !== undefined) return known;
    const made = { failures: [], openUntil: 0, restMs: firstRestMs, probing: false, fullUntil: 0 };
    circuits.set(place, made);
    return made;
  }

  function open(circuit: Circuit, now: number): void {
    circuit.openUntil = now + circuit.restMs;
    circuit.restMs = Math.min(circuit.restMs * 2, longestRestMs);
    circuit.failures = [];
  }

  return {
    admits(place) {
      const circuit = circuits.size === 0 ? undefined : circuits.get(place);
      if (circuit === undefined) return "open";
      const now = clock();
      if (circuit.openUntil !== 0) return circuit.probing || now < circuit.openUntil ? "closed" : "open";
      return now < circuit.fullUntil ? "full" : "open";
    },
    begin(place) {
      const circuit = circuits.size === 0 ? undefined : circuits.get(place);
      if (circuit === undefined || circuit.openUntil === 0) return true;
      if (circuit.probing || clock() < circuit.openUntil) return false;
      circuit.probing = true;
      return true;
    },
    succeeded(place) {
      if (circuits.size > 0) circuits.delete(place);
    },
    failed(place, why, retryAfterMs) {
      const now = clock();
      const known = circuits.get(place);
      const wasProbe = known?.probing === true;
      if (known !== undefined) known.probing = false;
      if (why === "rate_limit") {
        const circuit = circuitOf(place);
        circuit.openUntil = 0;
        circuit.fullUntil = now + Math.min(retryAfterMs ?? 1_000, longestRestMs);
        return;
      }
      if (!countsAgainst.has(why)) return;
      const circuit = circuitOf(place);
      // Calls that were under way when the place closed say nothing new.
      if (circuit.openUntil !== 0) return wasProbe ? open(circuit, now) : undefined;
      circuit.failures = [...circuit.failures.filter((at) => now - at < windowMs), now];
      if (circuit.failures.length >= failuresToOpen) open(circuit, now);
    },
    resting() {
      const now = clock();
      return [...circuits].flatMap(([place, { openUntil, fullUntil }]): Resting[] => {
        if (openUntil > now) return [{ place, until: openUntil, why: "broken" }];
        return fullUntil > now ? [{ place, until: fullUntil, why: "full" }] : [];
      });
    },
  };
}
