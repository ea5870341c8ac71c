import type { Clock, Log } from "../core/ports.ts";
import type { Figures } from "./crew-message.ts";
import { createRoster, type Ending, type Member } from "./crew-roster.ts";
import { joinExpositions } from "./exposition.ts";
import type { Greeting } from "./greeting.ts";

export type CrewOptions = {
  count: number;
  hire(number: number): Member;
  log: Log;
  clock: Clock;
  pause(ms: number): Promise<unknown>;
};

/** Processes that serve together; one that dies is replaced. */
export type Crew = {
  /** Starts one, and the others when it serves: what the first start of all makes is made once. Answers how it ended when it never served. */
  start(): Promise<Greeting | Ending>;
  /** Replaces one after the other, each when its successor serves; false when one could not start, and the rest stays. */
  renew(): Promise<boolean>;
  /** Ends all of them; true when each ended well and in time. */
  stop(): Promise<boolean>;
  /** Resolves when none serves and none can be started. */
  lost: Promise<void>;
  figures(): Promise<Figures>;
};

type Slot = { member: Member | null; relief: Promise<boolean> | null; shortLives: number };

const shortLifeMs = 10_000;
const longestPauseMs = 10_000;
const mostFailedStarts = 5;
/** Longer than a process takes by itself. */
const slowestStopMs = 9_800;
const slowestLeaveMs = 35_000;

export function createCrew({ count, hire, log, clock, pause }: CrewOptions): Crew {
  const slots = Array.from({ length: count }, (): Slot => ({ member: null, relief: null, shortLives: 0 }));
  const roster = createRoster(hire);
  const lost = Promise.withResolvers<void>();
  let replaced = 0;
  let stopping = false;

  function occupy(slot: Slot, member: Member): void {
    slot.member = member;
    void keep(slot, member, clock());
  }

  /** Waits for the end of a process, and puts another in its place unless that was meant to be. */
  async function keep(slot: Slot, member: Member, since: number): Promise<void> {
    const { code, signal } = await member.ended;
    await slot.relief;
    if (stopping || slot.member !== member) return;
    slot.member = null;
    replaced++;
    slot.shortLives = clock() - since < shortLifeMs ? slot.shortLives + 1 : 0;
    log.error({ worker: member.number, process: member.pid, code, signal }, "a worker ended; another one takes its place");
    await pause(pauseAfter(slot.shortLives));
    await fill(slot);
  }

  async function fill(slot: Slot): Promise<void> {
    if (stopping) return;
    const found = await roster.recruit();
    if ("member" in found) return occupy(slot, found.member);
    if (stopping) return;
    const tries = roster.failedStarts();
    log.error({ ...found, tries }, "a worker could not start");
    if (tries >= mostFailedStarts && roster.serving().length === 0) return lost.resolve();
    await pause(pauseAfter(tries));
    await fill(slot);
  }

  /** True when a new process has taken the place; the old one is then let go. */
  async function relieve(slot: Slot, old: Member): Promise<boolean> {
    const found = await roster.recruit();
    if (!("member" in found) || stopping) return false;
    occupy(slot, found.member);
    old.tell("leave");
    return true;
  }

  return {
    lost: lost.promise,
    async start() {
      const found = await roster.recruit();
      if (!("member" in found)) return found;
      const [first, ...others] = slots;
      if (first !== undefined) occupy(first, found.member);
      for (const slot of others) void fill(slot);
      return found.greeting;
    },
    async renew() {
      for (const slot of slots) {
        const old = slot.member;
        // What is being started now is new already.
        if (old === null || stopping) continue;
        slot.relief = relieve(slot, old);
        if (!(await slot.relief)) return false;
        await endOf(old, slowestLeaveMs, pause);
      }
      return true;
    },
    async stop() {
      stopping = true;
      const [serving, starting] = [roster.serving(), roster.starting()];
      for (const member of serving) member.tell("stop");
      for (const member of starting) member.kill("SIGTERM");
      const endings = await Promise.all([...serving, ...starting].map((member) => endOf(member, slowestStopMs, pause)));
      return endings.slice(0, serving.length).every(({ code }) => code === 0);
    },
    async figures() {
      const members = roster.serving();
      const answers = members.map((member) => Promise.race([member.figures(), member.ended.then(() => null)]));
      const shown = (await Promise.all(answers)).filter((figures) => figures !== null);
      const own = ownFigures(members.length, replaced);
      return { type: shown[0]?.type ?? "text/plain", text: joinExpositions([...shown.map(({ text }) => text), own]) };
    },
  };
}

/** How a process ended, by force when it takes too long. */
async function endOf(member: Member, withinMs: number, pause: CrewOptions["pause"]): Promise<Ending> {
  const isLate = await Promise.race([member.ended.then(() => false), pause(withinMs).then(() => true)]);
  if (isLate) member.kill("SIGKILL");
  return member.ended;
}

function pauseAfter(mishaps: number): number {
  return mishaps === 0 ? 0 : Math.min(longestPauseMs, 250 * 2 ** (mishaps - 1));
}

function ownFigures(workers: number, replaced: number): string {
  return `# HELP genway_workers Processes that serve
# TYPE genway_workers gauge
genway_workers ${workers}
# HELP genway_workers_replaced_total Processes that ended by themselves and were replaced
# TYPE genway_workers_replaced_total counter
genway_workers_replaced_total ${replaced}
`;
}
