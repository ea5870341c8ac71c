/** What the fleet has to bear, and with what. */
export type Scenario = {
  nodes: number;
  /** Tasks of a whole day. */
  tasks: number;
  /** Hours that are simulated, from `fromHour` of the day on. */
  hours: number;
  fromHour: number;
  seed: number;
  /** The share of the fleet that is simulated: so many nodes with so many tasks, each node as loaded as all of them. */
  scale: number;
  accounts: number;
  /** Mean hours between two deaths of one node, and how long it is away. */
  nodeLifeHours: number;
  restartMs: number;
  /** One account that asks for much at once. */
  bursts: readonly { fromHour: number; minutes: number; tasks: number }[];
  outages: readonly { provider: string; fromHour: number; minutes: number }[];
  /** Share of tasks whose client wants a webhook. */
  hooked: number;
};

/** The account that asks for much at once; it is also the largest by day. */
export const burstAccount = 0;

export const usualScenario: Scenario = {
  nodes: 100,
  tasks: 10_000_000,
  hours: 24,
  fromHour: 0,
  seed: 1,
  scale: 1,
  accounts: 2_000,
  nodeLifeHours: 72,
  restartMs: 60_000,
  bursts: [{ fromHour: 15, minutes: 10, tasks: 60_000 }],
  outages: [
    { provider: "kling", fromHour: 13, minutes: 20 },
    { provider: "bfl", fromHour: 18, minutes: 10 },
  ],
  hooked: 0.3,
};

const hourMs = 3_600_000;
const swing = 0.6;
const busiestHour = 15;

/** How busy a time of the day is; the mean over a day is 1. */
export function dayCurve(ms: number): number {
  return 1 + swing * Math.cos(((ms / hourMs - busiestHour) / 12) * Math.PI);
}

/** The number of nodes that are simulated, and the share of the whole that they are. */
export function thinned({ nodes, scale }: Scenario): { simulated: number; share: number } {
  const simulated = Math.max(1, Math.min(nodes, Math.round(nodes * scale)));
  return { simulated, share: simulated / nodes };
}

/** Tasks a millisecond of everybody, and of the account that asks for much, at a time of the day. */
export function arrivalRate(scenario: Scenario, ms: number): { usual: number; burst: number } {
  const { share } = thinned(scenario);
  const extra = scenario.bursts.reduce((sum, { tasks }) => sum + tasks, 0);
  const usual = (Math.max(0, scenario.tasks - extra) / (24 * hourMs)) * dayCurve(ms) * share;
  const burst = scenario.bursts.reduce((sum, { fromHour, minutes, tasks }) => {
    const since = ms - fromHour * hourMs;
    return since >= 0 && since < minutes * 60_000 ? sum + (tasks / (minutes * 60_000)) * share : sum;
  }, 0);
  return { usual, burst };
}

/** Whether an upstream answers nobody at a time of the day. */
export function isOut({ outages }: Scenario, provider: string, ms: number): boolean {
  return outages.some((outage) => {
    const since = ms - outage.fromHour * hourMs;
    return outage.provider === provider && since >= 0 && since < outage.minutes * 60_000;
  });
}
