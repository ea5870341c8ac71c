import { commitMs, databaseBounds, lockedShare, noteCosts, verbCosts, type VerbName } from "./constants.ts";

/** What one minute asked of the database, for the whole fleet. */
export type MinuteLoad = {
  commits: number;
  looks: number;
  items: number;
  rows: number;
  serverSeconds: number;
  /** For how many seconds of the minute the row is locked that is locked longest, of gates and of accounts. */
  hotGateSeconds: number;
  hotAccountSeconds: number;
  /** The same for the queue whose slots are counted under a lock. */
  hotLaneSeconds: number;
  /** Times that a node heard another. */
  heard: number;
};

export type StoreLoad = {
  count(verb: VerbName, shares: boolean, account: number, gate: number): void;
  /** Claims that found nothing, or whose finds are counted apart. */
  addLooks(looks: number): void;
  addReads(reads: number): void;
  /** A claim that counts the slots of a lane keeps the others of that lane waiting until it is committed. */
  lockLane(lane: number): void;
  /** Notes from one node to so many others. */
  addNotes(sheets: number, others: number): void;
  /** How much slower than alone a commit is now. */
  slowness(): number;
  endMinute(): MinuteLoad;
};

/** Adds up what the nodes ask of the database; `share` of the fleet is here, and figures are told for all of it. */
export function createStoreLoad(share: number, accounts: number, gates: number, lanes: number): StoreLoad {
  const accountMs = new Float64Array(accounts);
  const gateMs = new Float64Array(gates);
  const laneMs = new Float64Array(lanes);
  const sums = { commits: 0, looks: 0, items: 0, rows: 0, serverUs: 0, heard: 0 };
  let slow = 1;
  return {
    count(verb, shares, account, gate) {
      const { serverUs, itemServerUs, rows } = verbCosts[verb];
      sums.items++;
      sums.rows += rows;
      sums.serverUs += shares ? itemServerUs : serverUs;
      if (shares) return;
      sums.commits++;
      const ms = commitMs(verb);
      if (account >= 0) accountMs[account] = (accountMs[account] ?? 0) + ms;
      // The slot is counted near the end of a transaction.
      if (gate >= 0) gateMs[gate] = (gateMs[gate] ?? 0) + ms / 2;
    },
    addLooks(looks) {
      sums.looks += looks;
      sums.serverUs += looks * databaseBounds.emptyLookUs;
    },
    addReads(reads) {
      sums.serverUs += reads * databaseBounds.readUs;
    },
    lockLane(lane) {
      laneMs[lane] = (laneMs[lane] ?? 0) + commitMs("claim") * lockedShare;
    },
    addNotes(sheets, others) {
      sums.heard += sheets * others;
      sums.serverUs += sheets * (noteCosts.sentServerUs + others * noteCosts.heardServerUs);
    },
    slowness: () => slow,
    endMinute() {
      const serverSeconds = sums.serverUs / share / 1e6;
      const busy = serverSeconds / 60 / databaseBounds.cores;
      slow = 1 / (1 - Math.min(0.95, busy));
      const minute = {
        commits: sums.commits / share,
        looks: sums.looks / share,
        items: sums.items / share,
        rows: sums.rows / share,
        serverSeconds,
        hotGateSeconds: (largest(gateMs) / share / 1e3) * slow,
        hotAccountSeconds: (largest(accountMs) / share / 1e3) * slow,
        hotLaneSeconds: (largest(laneMs) / share / 1e3) * slow,
        heard: sums.heard / share,
      };
      accountMs.fill(0);
      gateMs.fill(0);
      laneMs.fill(0);
      for (const name of ["commits", "looks", "items", "rows", "serverUs", "heard"] as const) sums[name] = 0;
      return minute;
    },
  };
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}
