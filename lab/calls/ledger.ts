const ends = ["complete", "refused", "cut", "left"] as const;
export type CallEnd = (typeof ends)[number];

/** A call as `GET /lab/calls` and tests see it. */
export type LabCall = {
  id: string;
  upstream: string;
  operation: string;
  model: string;
  /** The last four characters. */
  key: string;
  /** The first 200 characters of the text whose marks count. */
  prompt: string;
  promptTokens: number;
  /** The tokens of the reply that were written to the wire. */
  completionTokens: number;
  /** Characters of speech, images made, or seconds heard; 0 for the rest. */
  units: number;
  stream: boolean;
  /** `open` while it lasts; `left` when the client went away. */
  ended: CallEnd | "open";
  /** 0 where no reply began. */
  status: number;
  at: number;
};

export type CallSum = { calls: number; promptTokens: number; completionTokens: number; units: number };

/** The calls of one model that have ended, by how they did. */
export type CallTotals = Record<CallEnd, CallSum>;

export type NewCall = Omit<LabCall, "completionTokens" | "ended" | "status">;

const maxCalls = 50_000;
const shownCharacters = 200;

/** Remembers what was delivered: the last 50,000 calls, and sums over all of them. */
export function createLedger() {
  const calls: LabCall[] = [];
  const totals = new Map<string, CallTotals>();
  let oldest = 0;
  return {
    open(call: NewCall): LabCall {
      const entry: LabCall = {
        ...call,
        key: call.key.slice(-4),
        prompt: shown(call.prompt),
        completionTokens: 0,
        ended: "open",
        status: 0,
      };
      if (calls.length < maxCalls) calls.push(entry);
      else {
        calls[oldest] = entry;
        oldest = (oldest + 1) % maxCalls;
      }
      return entry;
    },
    /** Ends a call; only the first time counts. */
    end(entry: LabCall, ended: CallEnd): void {
      if (entry.ended !== "open") return;
      entry.ended = ended;
      const sums = totals.get(entry.model) ?? noTotals();
      totals.set(entry.model, sums);
      const sum = sums[ended];
      sum.calls++;
      sum.promptTokens += entry.promptTokens;
      sum.completionTokens += entry.completionTokens;
      sum.units += entry.units;
    },
    /** From the oldest to the newest. */
    list(): LabCall[] {
      return [...calls.slice(oldest), ...calls.slice(0, oldest)];
    },
    totals(): Record<string, CallTotals> {
      return structuredClone(Object.fromEntries(totals));
    },
  };
}

function noTotals(): CallTotals {
  const none = () => ({ calls: 0, promptTokens: 0, completionTokens: 0, units: 0 });
  return { complete: none(), refused: none(), cut: none(), left: none() };
}

// A copy, because a slice would keep the whole text in memory.
function shown(prompt: string): string {
  return prompt.length <= shownCharacters ? prompt : Buffer.from(prompt.slice(0, shownCharacters)).toString();
}
