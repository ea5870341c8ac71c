import { setTimeout as sleep } from "node:timers/promises";
import { at } from "../soak/doors.ts";

/** A reply that came whole. */
export type Reply = {
  status: number;
  body: unknown;
  /** Our own error code; `proxy` where the proxy answered in its place, "" where there is none. */
  code: string;
  retryAfterMs: number;
};

export type Question = {
  /** What it is counted as. */
  as: string;
  key: string;
  method: "GET" | "POST";
  path: string;
  body?: object;
  headers?: Record<string, string>;
  timeoutMs?: number;
};

/** A way through the proxy that counts what comes back, and complains of what never should. */
export type Client = {
  /** Null when the connection was lost, or nothing came in time. */
  ask(question: Question): Promise<Reply | null>;
  /** The same with the reply unread, for streams. */
  open(question: Question, signal: AbortSignal): Promise<Response | null>;
  /** Replies by what was asked, status and code. */
  counts: Map<string, number>;
  count(as: string, outcome: string): void;
  complaints: string[];
  complain(says: string): void;
};

export function createClient(url: string): Client {
  const counts = new Map<string, number>();
  const complaints: string[] = [];
  const complain = (says: string) => void complaints.push(`${new Date().toISOString().slice(11, 23)} ${says}`);

  function count(as: string, outcome: string): void {
    const name = `${as}: ${outcome}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  function judge({ as, path }: Question, status: number, code: string, text: string, hasWait: boolean): void {
    count(as, `${status}${code === "" ? "" : ` ${code}`}`);
    if (status === 500) complain(`${path} was answered 500: ${text.slice(0, 300)}`);
    if (status === 503 && code !== "proxy" && !hasWait)
      complain(`${path} was answered 503 without a time to come again: ${text.slice(0, 200)}`);
  }

  async function open(question: Question, signal: AbortSignal): Promise<Response | null> {
    const { as, key, method, path, body, headers = {} } = question;
    const type = body === undefined ? {} : { "content-type": "application/json" };
    try {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...type, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      });
      if (reply.status === 200) return reply;
      const text = await reply.text();
      judge(question, reply.status, codeIn(text, reply), text, reply.headers.has("retry-after"));
      return new Response(text, { status: reply.status, headers: reply.headers });
    } catch (error) {
      if (!signal.aborted) count(as, "connection lost");
      else count(as, error instanceof Error && error.name === "TimeoutError" ? "nothing in time" : "left");
      return null;
    }
  }

  return {
    counts,
    count,
    complaints,
    complain,
    open,
    async ask(question) {
      const reply = await open(question, AbortSignal.timeout(question.timeoutMs ?? 30_000));
      if (reply === null) return null;
      try {
        const text = await reply.text();
        if (reply.status === 200) count(question.as, "200");
        return { status: reply.status, body: parsed(text), code: codeIn(text, reply), retryAfterMs: waitOf(reply) };
      } catch {
        count(question.as, "connection lost in a reply");
        return null;
      }
    },
  };
}

function codeIn(text: string, { status, headers }: Response): string {
  if (status === 200) return "";
  if (!(headers.get("content-type") ?? "").includes("json")) return "proxy";
  const code = at(parsed(text), "error.code");
  return typeof code === "string" ? code : "without a code";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function waitOf({ headers }: Response): number {
  return (Number(headers.get("retry-after")) || 0) * 1_000;
}

/** Waits as a patient client does: as long as it was told, within reason, and never in step with the others. */
export async function pauseBefore(again: Reply | null, random: () => number): Promise<void> {
  await sleep(Math.min(again?.retryAfterMs ?? 0, 1_500) + 100 + random() * 400);
}
