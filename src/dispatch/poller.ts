import { upstreamJob } from "../core/advance.ts";
import type { Advance } from "../core/advance-port.ts";
import type { Clock } from "../core/ports.ts";
import type { PollClaim } from "../core/records.ts";
import type { Polled, TaskProvider, Work } from "../core/provider.ts";
import type { Catalog, Installed } from "../core/routing.ts";
import type { WorkInHand } from "../core/work-in-hand.ts";

export type PollerNeeds = { catalog: Catalog; advance: Advance; inHand: WorkInHand; clock: Clock };

export type Poller = {
  /** Asks about jobs of one provider and credential, many at once where the upstream can. */
  ask(group: PollClaim[]): Promise<void>;
  /** How many questions are under way. */
  size(): number;
};

const askMs = 60_000;

export function createPoller({ catalog, advance, inHand, clock }: PollerNeeds): Poller {
  const asking = new Set<string>();

  async function askAll(installed: Installed, claims: PollClaim[]): Promise<void> {
    const [first] = claims;
    const { poll, pollMany } = installed.provider.tasks ?? {};
    const credential = first?.attempt.credential ?? "";
    const work = advance.workFor({ taskId: first?.taskId ?? "", account: "", credential }, installed, AbortSignal.timeout(askMs));
    if (work === null || (poll === undefined && pollMany === undefined)) return expireOverdue(claims);
    if (pollMany === undefined || (claims.length === 1 && poll !== undefined)) {
      await Promise.all(claims.map(async (claim) => read(claim, (await poll?.(upstreamJob(claim), work)) ?? { state: "missing" })));
      return;
    }
    for (let at = 0; at < claims.length; at += pollMany.max) await askMany(pollMany, claims.slice(at, at + pollMany.max), work);
  }

  async function askMany(pollMany: NonNullable<TaskProvider["pollMany"]>, claims: PollClaim[], work: Work): Promise<void> {
    const answers = await pollMany.run(claims.map(upstreamJob), work);
    await Promise.all(claims.map((claim) => read(claim, answers.get(claim.attempt.upstreamId ?? "") ?? { state: "missing" })));
  }

  function read(claim: PollClaim, polled: Polled): Promise<void> {
    return inHand.run(claim.taskId, (signal) => advance.read(claim, polled, signal));
  }

  // Its provider has left the configuration: a job can then only run out of time.
  async function expireOverdue(claims: PollClaim[]): Promise<void> {
    for (const claim of claims) if (clock() >= claim.deadlineAt) await advance.expire(claim);
  }

  return {
    async ask(group) {
      const claims = group.filter(({ taskId }) => !asking.has(taskId) && !inHand.has(taskId));
      const installed = catalog.provider(claims[0]?.attempt.provider ?? "");
      if (installed === null) return expireOverdue(claims);
      for (const { taskId } of claims) asking.add(taskId);
      try {
        await askAll(installed, claims);
      } finally {
        for (const { taskId } of claims) asking.delete(taskId);
      }
    },
    size: () => asking.size,
  };
}
