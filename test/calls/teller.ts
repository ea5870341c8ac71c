import { request as open, type IncomingMessage } from "node:http";

export type Asked = { status: number; headers: Record<string, string>; text: string; body: Record<string, unknown> };

/** A reply that is being read. */
export type Reading = {
  status: number;
  headers: IncomingMessage["headers"];
  /** What has come so far. */
  text(): string;
  /** Returns when so many words of content have come. */
  words(count: number): Promise<void>;
  /** Returns when the reply is over; false when the connection broke. */
  end(): Promise<boolean>;
  /** Leaves without a word. */
  leave(): void;
};

/** A customer's side of calls. */
export type Teller = {
  ask(path: string, body: object): Promise<Asked>;
  read(path: string, body: object): Promise<Reading>;
  /** Asks, and leaves before there is an answer. */
  askAndLeave(path: string, body: object, afterMs: number): Promise<void>;
  /** Nano-USD that the account has paid, those it has left, and those that tasks hold. */
  used(): Promise<number>;
  left(): Promise<number>;
  held(): Promise<number>;
};

export function createTeller(url: string, key: string): Teller {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "anthropic-version": "2023-06-01" };

  async function balance(field: string): Promise<number> {
    const reply = await fetch(`${url}/v1/balance`, { headers: { authorization: headers.authorization } });
    const body = (await reply.json()) as Record<string, number>;
    return Math.round((body[field] ?? Number.NaN) * 1e9);
  }

  return {
    async ask(path, body) {
      const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      const text = await reply.text();
      const isJson = reply.headers.get("content-type")?.includes("json") === true;
      return {
        status: reply.status,
        headers: Object.fromEntries(reply.headers),
        text,
        body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      };
    },
    read: (path, body) =>
      new Promise((resolve, reject) => {
        const sent = open(url + path, { method: "POST", headers, agent: false });
        sent.once("error", reject);
        sent.once("response", (reply) => resolve(readingOf(reply, () => sent.destroy())));
        sent.end(JSON.stringify(body));
      }),
    askAndLeave: (path, body, afterMs) =>
      new Promise((resolve, reject) => {
        const sent = open(url + path, { method: "POST", headers, agent: false });
        sent.once("error", () => resolve());
        sent.once("response", () => reject(new Error("there was an answer already")));
        sent.end(JSON.stringify(body));
        setTimeout(() => sent.destroy(), afterMs);
      }),
    used: () => balance("used_usd"),
    left: () => balance("available_usd"),
    held: () => balance("held_usd"),
  };
}

function readingOf(reply: IncomingMessage, leave: () => void): Reading {
  const pieces: Buffer[] = [];
  const text = () => Buffer.concat(pieces).toString();
  const ended = new Promise<boolean>((resolve) => {
    reply.once("end", () => resolve(true));
    reply.once("close", () => resolve(false));
    reply.on("error", () => resolve(false));
  });
  reply.on("data", (piece: Buffer) => pieces.push(piece));
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    text,
    words: (count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (wordsIn(text()) < count) return;
          reply.off("data", look);
          resolve();
        };
        reply.on("data", look);
        reply.once("close", () => reject(new Error(`the reply ended before ${count} words: ${text().slice(-500)}`)));
        look();
      }),
    end: () => ended,
    leave,
  };
}

/** How many events of a stream add to its text: the lab says one word in each. */
export function wordsIn(text: string): number {
  return wordsOf(text).length;
}

/** The text that a stream comes to. */
export function contentOf(text: string): string {
  return wordsOf(text).join("");
}

export type StreamEvent = { event: string | null; data: Record<string, unknown> | null; raw: string };

/** The events of a stream that are complete. */
export function eventsOf(text: string): StreamEvent[] {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const lines = block.split("\n");
    const field = (name: string) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
    if (field("data").length === 0) return [];
    const raw = field("data").join("\n");
    return [{ event: field("event")[0] ?? null, raw, data: raw.startsWith("{") ? (JSON.parse(raw) as Record<string, unknown>) : null }];
  });
}

type Choice = { delta?: { content?: string }; text?: string };

function wordsOf(text: string): string[] {
  return eventsOf(text).flatMap(({ data }) => {
    const { type, delta, choices } = (data ?? {}) as { type?: string; delta?: string | { text?: string }; choices?: Choice[] };
    if (type === "response.output_text.delta") return [String(delta)];
    const told = type === undefined ? (choices?.[0]?.delta?.content ?? choices?.[0]?.text) : typeof delta === "object" ? delta.text : "";
    return told === undefined || told === "" ? [] : [told];
  });
}
