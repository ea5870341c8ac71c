import type { Minute, Tally } from "../../core/tally.ts";

/** What a key may use at most; null where nobody set a limit. */
export type CallLimits = { tokensPerMinute: number | null; concurrentCalls: number | null };

/** What a call finds when it comes: the minute's tokens, if they are limited, and how to give its place back; null when it got none. */
export type Entry = { tokens: Minute | null; leave: (() => void) | null };

/** Where the requests, tokens and calls of keys are counted; one that has to ask elsewhere answers later. */
export type KeyCounts = {
  /** Counts a request and tells how the minute stands with it. */
  request(owner: string, perMinute: number): Minute | Promise<Minute>;
  /** Takes a place, unless the tokens are used up or all places are taken. */
  enter(owner: string, limits: CallLimits): Entry | Promise<Entry>;
  used(owner: string, tokens: number): void;
};

/** Counts in a tally, at once. */
export function createTallyCounts(tally: Tally): KeyCounts {
  return {
    request(owner) {
      const { requests } = namesOf(owner);
      tally.add(requests, 1);
      return tally.minute(requests);
    },
    enter(owner, { tokensPerMinute, concurrentCalls }) {
      const names = namesOf(owner);
      const tokens = tokensPerMinute === null ? null : tally.minute(names.tokens);
      if (isUsedUp(tokens, tokensPerMinute)) return { tokens, leave: null };
      if (concurrentCalls !== null && tally.running(names.calls) >= concurrentCalls) return { tokens, leave: null };
      return { tokens, leave: holdPlace(tally, owner) };
    },
    used: (owner, tokens) => tally.add(namesOf(owner).tokens, tokens),
  };
}

/** True when no tokens are left for another call. */
export function isUsedUp(tokens: Minute | null, perMinute: number | null): boolean {
  return tokens !== null && perMinute !== null && tokens.used >= perMinute;
}

/** Counts a call as running until the answer is called. */
export function holdPlace(tally: Tally, owner: string): () => void {
  const { calls } = namesOf(owner);
  tally.enter(calls);
  let inside = true;
  return () => {
    if (inside) tally.leave(calls);
    inside = false;
  };
}

type Names = { requests: string; tokens: string; calls: string };

const mostNames = 20_000;
const known = new Map<string, Names>();

/** Under which names the requests, tokens and calls of a key are counted; remembered, because to put them together takes longer than to count. */
export function namesOf(owner: string): Names {
  const found = known.get(owner);
  if (found !== undefined) return found;
  if (known.size >= mostNames) known.clear();
  const names = { requests: `requests ${owner}`, tokens: `tokens ${owner}`, calls: `calls ${owner}` };
  known.set(owner, names);
  return names;
}
