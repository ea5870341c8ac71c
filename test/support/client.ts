import { createReplyBook, type ReplyBook } from "./reply-book.ts";

export type Reply<T> = { status: number; headers: Headers; text: string; body: T };

export type CallOptions = {
  /** Another key than the client's own; null for none at all. */
  key?: string | null;
  headers?: Record<string, string>;
  /** A body that is not to be made JSON of. */
  raw?: string | Uint8Array<ArrayBuffer> | FormData;
};

/** A client of the service over real HTTP; every reply it gets is kept, to be held against the contract at the end. */
export type Client = {
  url: string;
  key: string | null;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply<T>>;
  get<T = Record<string, unknown>>(path: string, options?: CallOptions): Promise<Reply<T>>;
  post<T = Record<string, unknown>>(path: string, body?: unknown, options?: CallOptions): Promise<Reply<T>>;
  delete<T = Record<string, unknown>>(path: string, options?: CallOptions): Promise<Reply<T>>;
  /** The same service seen with another key; its replies go into the same book. */
  as(key: string | null): Client;
  book: ReplyBook;
};

export function createClient(url: string, key: string | null, book: ReplyBook = createReplyBook(url)): Client {
  async function call<T>(
    method: string,
    path: string,
    body?: unknown,
    { key: own = key, headers = {}, raw }: CallOptions = {},
  ): Promise<Reply<T>> {
    const reply = await fetch(url + path, {
      method,
      headers: {
        ...(own === null ? {} : { authorization: `Bearer ${own}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      redirect: "manual",
      ...(body === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true;
    const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
    book.add({ method, path, status: reply.status, headers: reply.headers, isJson, body: parsed });
    return { status: reply.status, headers: reply.headers, text, body: parsed as T };
  }

  return {
    url,
    key,
    call,
    get: (path, options) => call("GET", path, undefined, options),
    post: (path, body, options) => call("POST", path, body, options),
    delete: (path, options) => call("DELETE", path, undefined, options),
    as: (other) => createClient(url, other, book),
    book,
  };
}
