/** What the model is built on. Each group says what measured it; what is assumed says so. Machine of the measurements: 2 cores (Intel Xeon), one disk, shared with others. */

export const verbNames = [
  "accept",
  "claim",
  "pollClaim",
  "intend",
  "answer",
  "progress",
  "pollNow",
  "beginCollect",
  "finish",
  "renew",
  "chore",
  "beat",
] as const;
export type VerbName = (typeof verbNames)[number];

/**
 * A commit of one item: how long it takes beside its database, and processor time here and there; what a further item in the same commit
 * adds there; the rows it writes; the statements it sends one after the other.
 */
export type VerbCost = { ms: number; nodeUs: number; serverUs: number; itemServerUs: number; rows: number; statements: number };

/**
 * `node bench/fleet.ts --measure`: PostgreSQL 15 that syncs, one item alone, and one of fifty. `claim` and `pollClaim` are what finding
 * something adds to a look. Rows and statements are counted in src/store; the rows add up to the 29 that the server counted for a plain life.
 * `claim`, `pollClaim`, `beat` and the looks below were taken again later beside other work, and made less by what the others cost then.
 */
export const verbCosts: Record<VerbName, VerbCost> = {
  accept: { ms: 1.09, nodeUs: 510, serverUs: 560, itemServerUs: 81, rows: 7, statements: 10 },
  claim: { ms: 1.9, nodeUs: 800, serverUs: 780, itemServerUs: 71, rows: 4, statements: 15 },
  pollClaim: { ms: 0.9, nodeUs: 190, serverUs: 155, itemServerUs: 41, rows: 1, statements: 11 },
  intend: { ms: 0.48, nodeUs: 237, serverUs: 236, itemServerUs: 194, rows: 1, statements: 4 },
  answer: { ms: 1.14, nodeUs: 519, serverUs: 566, itemServerUs: 566, rows: 3, statements: 8 },
  progress: { ms: 0.72, nodeUs: 495, serverUs: 286, itemServerUs: 269, rows: 1, statements: 5 },
  pollNow: { ms: 0.35, nodeUs: 165, serverUs: 138, itemServerUs: 85, rows: 1, statements: 3 },
  beginCollect: { ms: 0.5, nodeUs: 261, serverUs: 223, itemServerUs: 157, rows: 1, statements: 4 },
  finish: { ms: 2.49, nodeUs: 1_078, serverUs: 1_104, itemServerUs: 257, rows: 8, statements: 13 },
  renew: { ms: 0.34, nodeUs: 147, serverUs: 151, itemServerUs: 25, rows: 1, statements: 4 },
  // Taken for that of two parks: a delivery is written down, and its step ended.
  chore: { ms: 0.86, nodeUs: 396, serverUs: 410, itemServerUs: 258, rows: 4, statements: 8 },
  beat: { ms: 0.7, nodeUs: 400, serverUs: 300, itemServerUs: 300, rows: 1, statements: 7 },
};

/** `--measure`: one note to the other nodes, and what each of them adds by hearing it. */
export const noteCosts = { sentServerUs: 65, heardServerUs: 28, heardNodeUs: 20 };

/** What one node spends. */
export const nodeCosts = {
  /** `node run.mjs bench/submit.ts`: 496 µs a create over HTTP, less its part of a shared commit (69 µs by `--measure`). */
  submitUs: 427,
  /** `--measure`: a look over ten lanes that finds nothing. */
  lookUs: 300,
  /** `node run.mjs bench/waiting.ts --tasks 2000`: 285 µs a job, where half of the jobs are asked about many at a time. */
  pollUs: 500,
  sharedPollUs: 70,
  /** Assumed: a request like a poll with more to write; a message in, and one out. */
  startUs: 700,
  collectUs: 700,
  webhookUs: 500,
  callbackUs: 427,
  /** `--measure` for the read (109 µs), and the request around it as `npm run bench` has it for a call (256 µs). */
  readUs: 365,
  /** docs/decisions/object-storage.md: 0.90 s for 300 MiB into a bucket; fetching it is assumed to cost the same. */
  mediaUsPerMiB: 6_000,
  /** `--measure`: a write that shares a commit with others; 83 to 700 µs. */
  sharedWriteUs: 250,
};

/** What a single PostgreSQL primary bears. */
export const databaseBounds = {
  /** Assumed: the machine, and how busy its processors may be so that a burst finds room. */
  cores: 16,
  busiest: 0.7,
  /** `--measure`: server's time of a look over ten lanes that finds nothing, and of a read by key. */
  emptyLookUs: 300,
  readUs: 74,
  /** `--measure`: commits of one row by 32 connections at once. */
  commitsPerSecond: 9_979,
  /** `--measure`. */
  walBytesPerTask: 10_461,
  /** Assumed: the way there and back for each statement, as between machines of one data centre. */
  roundTripMs: 0.3,
  /** Assumed: how long a write may wait for a row that others have locked. */
  rowWaitMs: 1_000,
};

/** Of the statements of a claim, those from the lock of its queue on. */
export const lockedShare = 0.65;

/** How long a commit of one item takes over a network. */
export function commitMs(verb: VerbName): number {
  const { ms, statements } = verbCosts[verb];
  return ms + statements * databaseBounds.roundTripMs;
}

/** As src/dispatch, src/store/claim-polls.ts and claim-waiting.ts, src/core/fleet.ts, src/main/furnish.ts and src/store/postgres-bulletin.ts have them. */
export const dispatcher = {
  mostRuns: 128,
  mostPolls: 200,
  /** Rests between looks: the usual one, by how much it grows while nothing is found and until when, and after a wake. */
  tickMs: 100,
  slower: 1.3,
  longestRestMs: 400,
  restMs: 25,
  mostStepsALook: 200,
  leaseMs: 10_000,
  /** How early jobs are asked about that an upstream is asked about many at once. */
  aheadMs: 2_000,
  beatMs: 3_000,
  /** How many other nodes a note of new work wakes, about, and how long notes are gathered. */
  woken: 4,
  gatherMs: 20,
};

/** Assumed, but for the pool of src/store/postgres.ts: what else a node bears, and how fast one result comes. */
export const nodeBounds = { busiestCore: 0.8, networkGbit: 10, networkBusiest: 0.7, copyMiBPerSecond: 40, poolSize: 11 };

/** Assumed, in dollars an hour, of no vendor in particular: a node of one core, a database of 16 and its standby. */
export const prices = { nodeHour: 0.05, databaseHour: 2.4, databases: 2 };
