import { percentile } from "../service.ts";
import { dial, type Line } from "./line.ts";
import type { ReplyEnd } from "./reply-reader.ts";
import { createWordCounter } from "./word-counter.ts";

export type Load = {
  port: number;
  /** The whole request, head and body. */
  request: Uint8Array;
  connections: number;
  /** No request begins after that time; those under way are awaited. */
  forMs: number;
  /** The most that one connection sends. */
  requestsEach?: number;
  /** For a stream: how many of these words a whole reply has; the last one ends it. */
  words?: { each: string; count: number; last: string };
  /** A request without a whole reply for so long has failed. */
  patienceMs: number;
};

export type Measured = {
  count: number;
  failed: number;
  /** How often each reason was seen. */
  failures: Record<string, number>;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
  /** Median time to the first word of a stream. */
  firstWordMs: number;
};

type Tally = { times: number[]; firstWords: number[]; failures: Record<string, number>; until: number };
type Connection = { expire(now: number): void };

/** Each connection sends its next request when the reply to the last one is whole; the bytes are made beforehand and only counted on arrival. */
export async function runLoad(load: Load): Promise<Measured> {
  const from = performance.now();
  const tally: Tally = { times: [], firstWords: [], failures: {}, until: from + load.forMs };
  const open = new Set<Connection>();
  const shared = Buffer.allocUnsafe(65_536);
  await new Promise<void>((resolve) => {
    const watch = setInterval(() => {
      for (const connection of open) connection.expire(performance.now());
    }, 100);
    for (let n = 0; n < load.connections; n++) {
      const connection = openConnection(load, tally, shared, () => {
        open.delete(connection);
        if (open.size > 0) return;
        clearInterval(watch);
        resolve();
      });
      open.add(connection);
    }
  });
  return summarise(tally, performance.now() - from);
}

/** Sends one request after another, on a new connection where the last one has ended. */
function openConnection(load: Load, tally: Tally, shared: Buffer, onDone: () => void): Connection {
  let line: Line;
  let sentAt = 0;
  let left = load.requestsEach ?? Infinity;
  let isWaiting = false;
  const words = load.words === undefined ? null : watchWords(load.words, () => tally.firstWords.push(performance.now() - sentAt));
  const count = (reason: string): void => void (tally.failures[reason] = (tally.failures[reason] ?? 0) + 1);

  const begin = (): void => {
    line = dial(load.port, shared, { onBody: words?.see, onReply: finish, onFailure: fail });
    send();
  };
  const send = (): void => {
    const now = performance.now();
    if (left <= 0 || now >= tally.until) {
      line.drop();
      return onDone();
    }
    left--;
    sentAt = now;
    isWaiting = true;
    words?.begin();
    line.write(load.request);
  };
  const finish = ({ status, closes }: ReplyEnd): void => {
    isWaiting = false;
    if (status !== 200) count(`status ${status}`);
    else if (words?.isWhole() === false) count("words lost");
    else tally.times.push(performance.now() - sentAt);
    if (!closes) return send();
    line.drop();
    begin();
  };
  const fail = (reason: string): void => {
    isWaiting = false;
    count(reason);
    line.drop();
    // Not at once: a side that refuses would be asked thousands of times a second.
    setTimeout(begin, 20);
  };

  begin();
  return { expire: (now) => isWaiting && now - sentAt > load.patienceMs && fail(`no whole reply in ${load.patienceMs / 1000} s`) };
}

/** Follows the words of one stream after another. */
function watchWords(words: NonNullable<Load["words"]>, onFirst: () => void) {
  let each = createWordCounter(words.each);
  let last = createWordCounter(words.last);
  let seen = 0;
  let ends = 0;
  return {
    begin(): void {
      each = createWordCounter(words.each);
      last = createWordCounter(words.last);
      seen = 0;
      ends = 0;
    },
    see(bytes: Buffer): void {
      const before = seen;
      seen = each(bytes);
      ends = last(bytes);
      if (before === 0 && seen > 0) onFirst();
    },
    isWhole: () => seen === words.count && ends === 1,
  };
}

function summarise({ times, firstWords, failures }: Tally, elapsedMs: number): Measured {
  times.sort((a, b) => a - b);
  firstWords.sort((a, b) => a - b);
  return {
    count: times.length,
    failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
    failures,
    elapsedMs,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    firstWordMs: percentile(firstWords, 0.5),
  };
}
