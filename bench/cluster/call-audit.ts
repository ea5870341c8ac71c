import type { LabCall } from "../../lab/calls/ledger.ts";
import type { Verdict } from "../../test/crash/audit.ts";
import { costOf, tryIn } from "./call-orders.ts";
import type { CallOutcome } from "./callers.ts";
import { callPrices } from "./cluster-configuration.ts";
import { databaseKills, type Incident } from "./incident.ts";
import type { UsageRow } from "./rows.ts";

export type CallEvidence = {
  outcomes: readonly CallOutcome[];
  usage: readonly UsageRow[];
  calls: readonly LabCall[];
  incidents: readonly Incident[];
};

/** How calls were charged: each try asked for a model of its own, and so has a row of its own. */
export type CallSums = {
  whole: number;
  /** Whole replies that a killed database forgot within the second that it may. */
  forgiven: string[];
  /** Tries that were charged though the client did not get them whole. */
  chargedUnfinished: string[];
};

// The charge of a call is on disk a fraction of a second after it was committed.
const forgottenMs = 1_000;
// The client knows a moment after the commit.
const hearingMs = 1_000;

/** Holds each try of a call against its charge. */
export function auditCalls(evidence: CallEvidence): { verdicts: Verdict[]; sums: CallSums } {
  const { outcomes, usage, calls, incidents } = evidence;
  const rows = Map.groupBy(usage, ({ model }) => tryIn(model) ?? model);
  const delivered = Map.groupBy(calls, ({ prompt }) => tryIn(prompt) ?? prompt);
  const kills = databaseKills(incidents);
  const sums: CallSums = { whole: 0, forgiven: [], chargedUnfinished: [] };
  const uncharged: string[] = [];
  const doubled: string[] = [];
  const mispriced: string[] = [];

  for (const outcome of outcomes) {
    const { name, is, at, detail } = outcome;
    const own = rows.get(name) ?? [];
    const counted = own.reduce((all, row) => all + row.calls, 0);
    const sent = (delivered.get(name) ?? []).filter(({ ended, completionTokens }) => ended === "complete" || completionTokens > 0);
    if (counted > 1 || counted > sent.length)
      doubled.push(`call ${name} (${is} ${detail}) was charged ${counted} times, delivered ${sent.length} times`);
    if (is !== "whole") {
      if (counted > 0) sums.chargedUnfinished.push(`call ${name} (${is} ${detail})`);
      continue;
    }
    sums.whole++;
    if (counted === 0) {
      const isForgiven = kills.some((kill) => at > kill.at - forgottenMs && at < kill.at + hearingMs);
      (isForgiven ? sums.forgiven : uncharged).push(`call ${name}, whole at ${new Date(at).toISOString()}`);
    } else mispriced.push(...wrongPrice(outcome, own, sent));
  }
  const known = new Set(outcomes.map(({ name }) => name));
  const strange = [...rows.keys()].filter((name) => !known.has(name)).map((name) => `a charge for ${name}, which nobody asked for`);
  return {
    sums,
    verdicts: [
      { promise: "whole calls not charged", counted: sums.whole, broken: uncharged },
      { promise: "calls charged twice or for nothing", counted: outcomes.length, broken: [...doubled, ...strange] },
      { promise: "calls charged at a wrong price", counted: sums.whole, broken: mispriced },
    ],
  };
}

function wrongPrice({ name, operation }: CallOutcome, own: readonly UsageRow[], sent: readonly LabCall[]): string[] {
  const cost = own.reduce((all, row) => all + row.cost, 0);
  const fair = sent.map((call) => costOf(call, callPrices[operation]));
  return fair.includes(cost) ? [] : [`call ${name} cost ${cost}, what was delivered costs ${fair.join(" or ")}`];
}
