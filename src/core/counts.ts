/** Calls and tasks that are alike and ended in the same minute; `speed` and `wait` are steps of a scale, a wait of -1 is none. */
export type PulseRow = {
  minute: number;
  account: string;
  key: string;
  operation: string;
  model: string;
  provider: string;
  outcome: string;
  speed: number;
  wait: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  costNanos: number;
};

/** What a node tells of itself: all it counted in the minute, and all it runs until it says otherwise or `until` has passed. */
export type TallyRequest = {
  node: string;
  minute: number;
  now: number;
  until: number;
  counts: { name: string; used: number; running: number }[];
  /** Forgets what nobody has renewed since then. */
  forgetBefore: number | null;
};

/** What the other nodes told under each name that was asked about, in the same order. */
export type TallyReply = { used: number; running: number }[];
