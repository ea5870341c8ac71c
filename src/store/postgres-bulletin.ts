import pg from "pg";
import type { Bulletin, Topic } from "../core/ports.ts";

const channel = "genway";
// Whoever hears wants to know soon; whoever posts many wants to send one.
const gatherMs = 20;
// PostgreSQL takes less than 8,000 bytes.
const mostBytes = 7_000;
const firstPauseMs = 200;
const longestPauseMs = 5_000;

type Sheet = { from: string; notes: [Topic, string][] };

/** Nodes tell each other over LISTEN and NOTIFY, on a connection of its own and outside every transaction. */
export function openPostgresBulletin(url: string, node: string): Bulletin {
  const listeners = new Map<Topic, ((id: string) => void)[]>();
  const gaps: (() => void)[] = [];
  let posted = new Map<string, [Topic, string]>();
  let client: pg.Client | null = null;
  let sending: NodeJS.Timeout | undefined;
  let pauseMs = firstPauseMs;
  let closed = false;
  const counts = { sent: 0, heard: 0 };

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: "genway bulletin",
    });
    let lost = false;
    const again = () => {
      if (lost) return;
      lost = true;
      if (client === fresh) client = null;
      fresh.end().catch(() => undefined);
      if (!closed) setTimeout(() => void connect(), pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    fresh.on("error", again);
    fresh.on("end", again);
    fresh.on("notification", ({ payload = "" }) => read(payload));
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
      if (closed) return void fresh.end();
      client = fresh;
      pauseMs = firstPauseMs;
      for (const heard of gaps) heard();
      send();
    } catch {
      again();
    }
  }

  function read(payload: string): void {
    const { from, notes }: Sheet = JSON.parse(payload);
    if (from === node) return;
    counts.heard += notes.length;
    for (const [topic, id] of notes) for (const heard of listeners.get(topic) ?? []) heard(id);
  }

  function send(): void {
    sending = undefined;
    const connection = client;
    if (connection === null || posted.size === 0) return;
    const sheets = sheetsOf(node, [...posted.values()]);
    counts.sent += posted.size;
    posted = new Map();
    // What gets lost is found by whoever looks again.
    for (const sheet of sheets) connection.query("select pg_notify($1, $2)", [channel, sheet]).catch(() => undefined);
  }

  void connect();
  return {
    post(topic, id) {
      posted.set(`${topic} ${id}`, [topic, id]);
      sending ??= setTimeout(send, gatherMs);
    },
    hear(topic, heard) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), heard]);
    },
    onGap: (heard) => void gaps.push(heard),
    figures: () => ({ connected: client !== null, ...counts }),
    async close() {
      closed = true;
      clearTimeout(sending);
      send();
      await client?.end().catch(() => undefined);
    },
  };
}

/** Notes on as few sheets as they fit on. */
export function sheetsOf(from: string, notes: readonly [Topic, string][]): string[] {
  const sheets: string[] = [];
  let rest: [Topic, string][] = [];
  let bytes = 0;
  for (const note of notes) {
    const size = Buffer.byteLength(JSON.stringify(note)) + 1;
    if (rest.length > 0 && bytes + size > mostBytes) {
      sheets.push(JSON.stringify({ from, notes: rest }));
      rest = [];
      bytes = 0;
    }
    rest.push(note);
    bytes += size;
  }
  if (rest.length > 0) sheets.push(JSON.stringify({ from, notes: rest }));
  return sheets;
}
