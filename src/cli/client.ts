import { Type, type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";
import { fitting } from "../config/shape.ts";
import { errorCode } from "../kit/error-code.ts";
import { cleanText, CommandError } from "./complaint.ts";
import { ErrorReply, Page } from "./records.ts";

/** A key, and where it came from, for messages about it. */
export type KeyInHand = { text: string; from: string };

export type AskOptions = {
  body?: object;
  query?: Record<string, string | undefined>;
  signal?: AbortSignal;
};

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The service, spoken to with one key. */
export type Client = {
  url: string;
  /** One request for JSON; throws Refused or Unreachable, or what the signal was aborted with. */
  ask<S extends TSchema>(reply: S, method: Method, path: string, options?: AskOptions): Promise<Static<S>>;
  /** A list from as many pages as it takes, up to a limit. */
  list<S extends TSchema>(
    item: S,
    path: string,
    limit: number,
    query?: AskOptions["query"],
  ): Promise<{ data: Static<S>[]; has_more: boolean }>;
  /** One request whose reply is read as it comes. */
  open(path: string, options?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>;
};

/** The service answered, and refused. */
export class Refused extends CommandError {
  readonly status: number;
  readonly code: string;

  constructor(says: string, status: number, code: string) {
    super(says);
    this.name = "Refused";
    this.status = status;
    this.code = code;
  }
}

/** The service did not answer at all. */
export class Unreachable extends CommandError {
  constructor(url: string, cause: unknown) {
    super(`Genway does not answer at ${url}${reasonOf(cause)}.`, { cause });
    this.name = "Unreachable";
  }
}

const pageSize = 100;

export function createClient(url: string, key: KeyInHand | null): Client {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key.text}` };

  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${url}${path}`, init);
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw new Unreachable(url, error);
    }
  }

  const client: Client = {
    url,
    async ask(schema, method, path, { body, query = {}, signal } = {}) {
      const isForm = body instanceof FormData;
      const headers = { ...authorization, ...(body === undefined || isForm ? {} : { "content-type": "application/json" }) };
      const content = isForm ? body : body === undefined ? null : JSON.stringify(body);
      const response = await send(withQuery(path, query), { method, headers, body: content, signal: signal ?? null });
      const answer = await readJson(response, url);
      if (!response.ok) throw refusal(response.status, answer, key);
      if (!Value.Check(schema, answer))
        throw new CommandError(`The answer of ${url}${path} is not one of Genway: is it another program there, or another version?`);
      return answer;
    },
    async list(item, path, limit, query = {}) {
      const data: Static<typeof item>[] = [];
      for (;;) {
        const after = lastId(data);
        const page = await client.ask(Page(item), "GET", path, {
          query: { ...query, limit: String(Math.min(pageSize, limit - data.length)), after },
        });
        data.push(...page.data);
        const hasMore = page.has_more ?? false;
        if (!hasMore || data.length >= limit || page.data.length === 0) return { data, has_more: hasMore };
      }
    },
    async open(path, { headers = {}, signal } = {}) {
      const response = await send(path, { headers: { ...authorization, ...headers }, signal: signal ?? null });
      if (!response.ok) throw refusal(response.status, await readJson(response, url), key);
      return response;
    },
  };
  return client;
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

async function readJson(response: Response, url: string): Promise<unknown> {
  try {
    const text = await response.text();
    return text.startsWith("{") ? JSON.parse(text) : undefined;
  } catch (cause) {
    throw new Unreachable(url, cause);
  }
}

function refusal(status: number, answer: unknown, key: KeyInHand | null): Refused {
  const { message, code } = fitting(ErrorReply, answer)?.error ?? { message: `The service answered ${status}.`, code: "" };
  const about = (status === 401 || status === 403) && key !== null ? ` (The key came from ${key.from}.)` : "";
  return new Refused(cleanText(message) + about, status, code);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = errorCode(cause) || errorCode(error);
  if (code === "ECONNREFUSED") return ": nothing listens there";
  return code === "" ? "" : `: ${code}`;
}

function lastId(rows: readonly unknown[]): string | undefined {
  return fitting(Type.Object({ id: Type.String() }), rows.at(-1))?.id;
}
